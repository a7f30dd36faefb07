"""How the next round follows from this one."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.models import Round

WAYS = [
    ("winners", _("Knockout"), _("The winners of tables 1 and 2 meet, then 3 and 4, and so on.")),
    (
        "losers",
        _("Consolation"),
        _("Or last chance: the losers meet in the same way, together with those of another round if you like."),
    ),
    ("swiss", _("Swiss"), _("Equal scores meet, without rematches and with at most one bye each.")),
    (
        "lower",
        _("Lower half"),
        _(
            "Of a double elimination: the losers meet the winners of the lower half’s last round, chosen under "
            "“Together with”; in its first round they meet each other."
        ),
    ),
    ("circle", _("All play all"), _("The next round by the circle method.")),
    ("hand", _("By hand"), _("Everybody still in is listed, one per line, for you to pair.")),
]


class NextRoundForm(forms.Form):
    """How to pair, who plays on without a match in this round, and which round it is for.

    `ways` are the buttons that send it: the value of `how`, its name and what it does.
    """

    ways = WAYS

    how = forms.ChoiceField(label=_("How it follows"), choices=[(way, label) for way, label, _words in WAYS])
    others = forms.CharField(
        label=_("Players with a bye, or who join late, one per line"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )
    beside = forms.ChoiceField(label=_("Together with"), required=False)
    into = forms.ChoiceField(label=_("For"))

    def __init__(self, round_: Round, resting: list[str], data: Mapping[str, Any] | None = None) -> None:
        rounds = list(round_.tournament.rounds.prefetch_related("pairings"))
        later = [each for each in rounds if each.number > round_.number]
        others = [(str(each.number), str(each)) for each in rounds if each.number != round_.number]
        # Named by its number, so that the same form sent twice makes only one round.
        new = max(each.number for each in rounds) + 1
        free = next((each.number for each in later if not each.pairings.all()), new)
        how = "swiss" if resting else "winners"
        others_known = "".join(f"{name}\n" for name in resting)  # the cursor comes to stand on a line of its own
        super().__init__(data, initial={"how": how, "others": others_known, "into": str(free)})
        made = _("Round %(number)s (new)") % {"number": new}
        choices = [*((str(each.number), str(each)) for each in later), (str(new), made)]
        self.fields["beside"].choices = [("", _("no other round")), *others]  # type: ignore[attr-defined]
        self.fields["into"].choices = choices  # type: ignore[attr-defined]

    @property
    def beside_given(self) -> int:
        """Return the number of the round whose players come too; 0 for none."""
        return int(self.cleaned_data["beside"] or 0)

    @property
    def others_given(self) -> list[str]:
        """Return the names that were entered."""
        return [name for name in str(self.cleaned_data["others"]).splitlines() if name.strip()]
