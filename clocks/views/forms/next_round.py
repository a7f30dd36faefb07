"""How the next round follows from this one."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.models import Round

WAYS = [
    ("winners", _("Knockout")),
    ("losers", _("Consolation")),
    ("swiss", _("Swiss")),
    ("circle", _("All play all")),
]


class NextRoundForm(forms.Form):
    """How to pair, who plays on without a match in this round, and which round it is for."""

    how = forms.ChoiceField(label=_("How it follows"), choices=WAYS, widget=forms.RadioSelect)
    others = forms.CharField(
        label=_("Players with a bye, or who join late, one a line"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )
    into = forms.ChoiceField(label=_("For"))

    def __init__(self, round_: Round, resting: list[str], data: Mapping[str, Any] | None = None) -> None:
        rounds = list(round_.tournament.rounds.prefetch_related("pairings"))
        later = [each for each in rounds if each.number > round_.number]
        # Named by its number, so that the same form sent twice makes one round.
        new = max(each.number for each in rounds) + 1
        free = next((each.number for each in later if _awaits(each, round_)), new)
        how = "swiss" if resting else "winners"
        super().__init__(data, initial={"how": how, "others": "\n".join(resting), "into": str(free)})
        made = _("Round %(number)s (new)") % {"number": new}
        choices = [*((str(each.number), str(each)) for each in later), (str(new), made)]
        self.fields["into"].choices = choices  # type: ignore[attr-defined]

    @property
    def others_given(self) -> list[str]:
        """Return the names that were entered."""
        return [name for name in str(self.cleaned_data["others"]).splitlines() if name.strip()]


def _awaits(later: Round, round_: Round) -> bool:
    """Tell whether a later round is empty, or holds only a part of what follows from a round."""
    drawn, before = later.pairings.all(), round_.pairings.all()
    there = {name for pairing in before for name in pairing.setup["names"]}
    players = {name for pairing in drawn for name in pairing.setup["names"]}
    return not drawn or (players <= there and 2 * len(drawn) < len(before))
