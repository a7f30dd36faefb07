"""Pair the next round from the results of this one, as a preview of a draw."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clocks.host.server_time import now_ms
from clocks.models import Round, Section, Tournament
from clocks.people.roles import Action
from clocks.tournament import draw, sections
from clocks.tournament import next_round as planning
from clocks.tournament.players import Players
from clocks.tournament.rounds import like_the_last
from clocks.views import access
from clocks.views.director.draw import preview
from clocks.views.forms.draw import DrawForm
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, find, page

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
METHODS = {"swiss": Section.Method.SWISS, "circle": Section.Method.CIRCLE}  # the others are knockouts


class NextRoundForm(forms.Form):
    """Pairing method, players who join in, another round to include, and target round.

    `ways` are the submit buttons: value of `how`, label, description.
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
    # Translators: the round whose draw is filled in.
    into = forms.ChoiceField(label=_("For"))

    def __init__(self, round_: Round, resting: list[str], data: Mapping[str, Any] | None = None) -> None:
        rounds = list(round_.tournament.rounds.prefetch_related("pairings"))
        later = [each for each in rounds if each.number > round_.number]
        others = [(str(each.number), str(each)) for each in rounds if each.number != round_.number]
        # Sent by number, so that submitting the form twice creates one round.
        new = max(each.number for each in rounds) + 1
        free = next((each.number for each in later if not each.pairings.all()), new)
        how = "swiss" if resting else "winners"
        others_known = "".join(f"{name}\n" for name in resting)  # the cursor starts on a new line
        super().__init__(data, initial={"how": how, "others": others_known, "into": str(free)})
        made = _("New round")
        choices = [*((str(each.number), str(each)) for each in later), (str(new), made)]
        self.fields["beside"].choices = [("", _("no other round")), *others]  # type: ignore[attr-defined]
        self.fields["into"].choices = choices  # type: ignore[attr-defined]

    @property
    def beside_given(self) -> int:
        """Number of the other round whose players are included; 0 for none."""
        return int(self.cleaned_data["beside"] or 0)

    @property
    def others_given(self) -> list[str]:
        """Names entered, without blank lines."""
        return [name for name in str(self.cleaned_data["others"]).splitlines() if name.strip()]


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def next_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask how to pair the next round, then preview it as an editable draw."""
    round_, now = find(tournament, number), now_ms()
    form = NextRoundForm(round_, planning.players_with_bye(round_, now), posted(request))
    if request.method != "POST" or not form.is_valid():
        return page(request, tournament, "next-round", form, round=round_)
    beside = tournament.rounds.filter(number=form.beside_given).select_related("tournament", "section").first()
    how = form.cleaned_data["how"]
    proposal = planning.propose(planning.Event(round_, now, form.others_given, beside), how)
    if not proposal.text:
        return page(request, tournament, "next-round", form, 409, round=round_, notes=proposal.notes)
    if round_.section is None:
        round_, beside = _adopted(tournament, round_, beside, how)
    into = _target(tournament, round_, beside, how, int(form.cleaned_data["into"]))
    if how == "hand":
        return page(request, tournament, "draw", DrawForm(initial={"pasted": proposal.text}), round=into)
    sheet = draw.parse(proposal.text, into, Players(tournament).written)
    return preview(request, into, proposal.text, sheet._replace(notes=proposal.notes), give_way=False)


def _adopted(tournament: Tournament, round_: Round, beside: Round | None, how: str) -> tuple[Round, Round | None]:
    """Put the rounds in sections; `how` sets the method of `round_`'s section."""
    sections.adopt(tournament)
    round_ = find(tournament, round_.number)
    if round_.section is not None and how != "hand":
        round_.section.method = METHODS.get(how, Section.Method.KNOCKOUT)
        round_.section.save(update_fields=["method"])
    return round_, beside and find(tournament, beside.number)


def _target(tournament: Tournament, round_: Round, beside: Round | None, how: str, number: int) -> Round:
    """Get or create the target round; a new one copies the settings of `round_`.

    It joins the section of `round_`, or one for its losers.
    """
    found = tournament.rounds.filter(number=number).select_related("tournament", "section").first()
    if round_.section is None or (found and found.pairings.exists()):
        into = found or like_the_last(tournament, round_)
        if found is None:
            into.save()
        return into
    section = _section(round_.section, beside, how)
    into = found or sections.new_round(section, round_)
    sections.put(into, section)
    return into


def _section(of: Section, beside: Round | None, how: str) -> Section:
    """Section that the next round belongs to, created if needed."""
    if how == "losers":
        name = gettext("Last chance") if of.name == gettext("Consolation") else gettext("Consolation")
        return sections.followed_by(of, Section.Method.KNOCKOUT, name, losers_rounds=1)
    if how == "lower":
        own = beside.section if beside else None
        return own or sections.followed_by(of, Section.Method.KNOCKOUT, gettext("Lower half"))
    return of
