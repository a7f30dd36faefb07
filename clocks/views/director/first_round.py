"""Draw the first round from the list of players: preview, shuffle, swap, store."""

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH
from clocks.models import Player, Round, Section, Tournament
from clocks.pairing.first_round import Pair
from clocks.people.roles import Action
from clocks.tournament import first_groups, first_round
from clocks.tournament.draw_plan import Act
from clocks.tournament.players import name_key
from clocks.tournament.rounds import like_the_last
from clocks.tournament.tables_beside import TablesBeside
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.matches import RULES
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.page import FORM, find, page
from clocks.wording.language import said

METHODS = [
    (Section.Method.KNOCKOUT, gettext_lazy("Knockout")),
    (Section.Method.SWISS, gettext_lazy("Swiss")),
    (Section.Method.CIRCLE, gettext_lazy("All play all")),
]
WAYS = [*METHODS, (first_groups.METHOD, gettext_lazy("Groups, then a knockout"))]
ORDERS = [
    (first_round.RANDOM, gettext_lazy("Drawn by lot")),
    (first_round.BY_RATING, gettext_lazy("Seeded by rating")),
    (first_round.BY_NUMBER, gettext_lazy("Seeded by number")),
    (first_round.BY_HAND, gettext_lazy("As in the list")),
]
BYES = [("best", gettext_lazy("To the best seeds")), ("drawn", gettext_lazy("Drawn by lot"))]
APART = [("club", gettext_lazy("Club or town")), ("country", gettext_lazy("Country"))]
MOST_LOTS = 10**9
LONGEST_QUERY = 3_000  # characters of player ids; proxies accept 8 kB, and Referer repeats the URL
GROUP_SIZE = 4  # usual number of players in a group


class FirstRoundForm(forms.Form):
    """Draw of the first round: method, players left out, and settings of a new round."""

    method = forms.ChoiceField(label=gettext_lazy("Method"), choices=WAYS, widget=forms.RadioSelect)
    groups = forms.IntegerField(label=gettext_lazy("Number of groups"), min_value=2, max_value=64, required=False)
    order = forms.ChoiceField(label=gettext_lazy("Order"), choices=ORDERS, widget=forms.RadioSelect)
    seeds = forms.IntegerField(
        label=gettext_lazy("Number of seeds"),
        help_text=gettext_lazy("everybody if empty; the others are drawn by lot"),
        min_value=1,
        max_value=1000,
        required=False,
    )
    byes = forms.ChoiceField(label=gettext_lazy("Byes of a knockout"), choices=BYES, widget=forms.RadioSelect)
    apart = forms.MultipleChoiceField(
        label=gettext_lazy("Keep apart where possible"),
        choices=APART,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    length = forms.IntegerField(label=gettext_lazy("Points"), min_value=1, max_value=LONGEST_MATCH)
    rules = forms.ChoiceField(label=gettext_lazy("Rules"), choices=RULES)
    into = forms.ChoiceField(label=gettext_lazy("For"))
    # Translators: the name of one event within the tournament, such as “Main” or “Consolation”.
    name = NameField(label=gettext_lazy("Name of this event"), max_length=40, required=False)
    out = forms.MultipleChoiceField(
        label=gettext_lazy("Leave out"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(
        self, tournament: Tournament, players: Sequence[Player], data: Mapping[str, Any] | None, into: str
    ) -> None:
        new = like_the_last(tournament)
        empty = [(str(each.number), str(each)) for each in first_round.empty_rounds(tournament)]
        made = (str(new.number), _("New round"))
        wanted = into if into in dict(empty) else (empty or [made])[0][0]
        rated = any(first_round.rating(each) for each in players)
        initial = {
            "method": Section.Method.KNOCKOUT,
            "order": first_round.BY_RATING if rated else first_round.RANDOM,
            "byes": "best",
            "groups": max(2, -(-len(players) // GROUP_SIZE)),
            "length": new.length,
            "rules": new.rules,
            "into": wanted,
        }
        super().__init__(data, initial=initial)
        self.fields["into"].choices = [*empty, made]  # type: ignore[attr-defined]
        self.fields["out"].choices = [(str(each.pk), each.name) for each in players]  # type: ignore[attr-defined]
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "placeholder": _("Main")}
        self.new = int(made[0])
        self.fills = bool(empty)  # there is a round without a draw to fill

    def wish(self, lot: int) -> first_round.Wish:
        """Settings of the draw; `lot` seeds its random numbers."""
        given = self.cleaned_data
        drawn = given["byes"] == "drawn"
        return first_round.Wish(given["method"], given["order"], given["seeds"], drawn, tuple(given["apart"]), lot)

    @property
    def groups_given(self) -> int:
        """Number of groups; 0 if the draw has none."""
        given = self.cleaned_data
        return (given["groups"] or self.initial["groups"]) if given["method"] == first_groups.METHOD else 0

    def draw(self, playing: Sequence[Player], lot: int) -> list[Pair]:
        """Pair the players; `lot` seeds the random numbers. Raises Refused if impossible."""
        wish = self.wish(lot)
        if self.groups_given:
            return first_groups.draw(playing, wish, self.groups_given)
        return first_round.draw(playing, wish)

    @property
    def setting(self) -> dict[str, Any]:
        """Number of the round, with length and rules if it is new."""
        number = int(self.cleaned_data["into"])
        own = {name: self.cleaned_data[name] for name in ("length", "rules")} if number == self.new else {}
        return {"number": number, **own}


class Side(NamedTuple):
    """A player in the preview; `picked` if marked for a swap."""

    player: Player
    picked: bool


class Line(NamedTuple):
    """A pairing in the preview; `right` is None for a bye.

    `same` is the club or country that both players share, `group` the name of their group.
    """

    left: Side
    right: Side | None
    same: str
    group: str = ""


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
def draw_first(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask how to draw, preview the draw, and store exactly that.

    The preview's URL contains everything that it shows, unless that is too long, so Back and reload repeat no POST:
    `again` draws with another lot, `pick` marks a player or swaps two, `edit` returns to the form. Only `store` is
    always posted.
    """
    listed = first_round.in_list_order(tournament.players.filter(withdrawn=False))
    given: Mapping[str, Any] | None = posted(request)
    if given is None and "method" in request.GET:
        given = request.GET
    form = FirstRoundForm(tournament, listed, given, request.GET.get("into", ""))
    drawn = _already_drawn(tournament, form)
    if drawn is not None:
        back = WayOn(_("Back to the round"), reverse("round", args=[tournament.slug, drawn.number]))
        words = _("You can take back the whole draw there until a match has begun.")
        status = 409 if request.method == "POST" else 200  # a GET is the Back button's, and no error
        return problem(request, status, _("%(round)s is already drawn") % {"round": drawn}, words, back)
    if given is None or not form.is_valid() or "edit" in given:
        return _form(request, tournament, form, listed)
    left_out = set(form.cleaned_data["out"])
    playing = {str(each.pk): each for each in listed if str(each.pk) not in left_out}
    if len(playing) < 2:
        form.add_error(None, _("A draw needs at least two players."))
        return _form(request, tournament, form, listed)
    picked = ""
    try:
        if "pairs" not in given or "again" in given:
            pairs = form.draw(list(playing.values()), _lot(given))
        else:
            pairs = first_round.read(given["pairs"], playing)
        if request.method == "POST" and "store" in request.POST:
            return _store(request, tournament, form, pairs, playing)
        if "pick" in given:
            pairs, picked = _picked(pairs, given.get("picked", ""), given["pick"], playing)
        return _preview(request, tournament, form, pairs, playing, picked)
    except Refused as refused:
        form.add_error(None, said(refused.words))
        return _form(request, tournament, form, listed, 409)


def _already_drawn(tournament: Tournament, form: FirstRoundForm) -> Round | None:
    """Round that the submitted form chose, if it has been drawn since; else None."""
    into = str(form.data.get("into", ""))
    if "into" not in form.errors or not re.fullmatch(r"\d{1,4}", into, re.ASCII):
        return None
    return tournament.rounds.select_related("section").filter(number=int(into)).first()


def _form(
    request: HttpRequest, tournament: Tournament, form: FirstRoundForm, players: Sequence[Player], status: int = 200
) -> HttpResponse:
    """Page with the form, and a new lot for the draw that follows."""
    method = _method("", [str(each.pk) for each in players], 2 * LONGEST_QUERY)  # if all are left out
    last = None if form.fills else tournament.rounds.select_related("section").order_by("number").last()
    more = {"players": players, "lot": _new_lot(), "drawn": last, "method": method}
    return page(request, tournament, "first-round", form, status, **more)


def _method(pairs: str, out: Sequence[str], longest: int) -> str:
    """HTTP method of a form with these pairs and players left out."""
    return "get" if len(pairs) + sum(len(f"&out={each}") for each in out) < longest else "post"


def _new_lot() -> int:
    return secrets.randbelow(MOST_LOTS)


def _lot(given: Mapping[str, Any]) -> int:
    """Random seed of the draw (its lot) from the form, or a new one."""
    lot = str(given.get("again") or given.get("lot", ""))
    return int(lot) if re.fullmatch(r"\d{1,9}", lot, re.ASCII) else _new_lot()


def _preview(
    request: HttpRequest,
    tournament: Tournament,
    form: FirstRoundForm,
    pairs: Sequence[Pair],
    playing: Mapping[str, Player],
    picked: str,
) -> HttpResponse:
    """Show the draw. Raises Refused if the pairs do not fit the number of groups."""
    lines = [
        _line(pair, playing, picked, form.cleaned_data["apart"])._replace(group=group)
        for group, pair in _grouped(pairs, form.groups_given)
    ]
    matches = sum(line.right is not None for line in lines)
    text = first_round.as_text(pairs)
    form.auto_id = False  # two forms on the page have these fields
    tables = TablesBeside(signed_in(request), tournament)
    return page(
        request,
        tournament,
        "first-round-preview",
        form,
        pairs=text,
        method=_method(text, form.cleaned_data["out"], LONGEST_QUERY),
        picked=playing.get(picked),
        lot=_new_lot(),
        lines=lines,
        matches=matches,
        byes=len(lines) - matches,
        shared=tables.shared(tables.next(matches)),
    )


def _grouped(pairs: Sequence[Pair], groups: int) -> list[tuple[str, Pair]]:
    """Group name and pair, for each pair; the name is "" in a draw without groups."""
    if not groups:
        return [("", pair) for pair in pairs]
    split = first_groups.split(pairs, groups)
    return [(first_groups.name(number), pair) for number, group in enumerate(split) for pair in group]


def _picked(pairs: list[Pair], marked: str, chosen: str, playing: Mapping[str, Player]) -> tuple[list[Pair], str]:
    """Mark the chosen player, swap with the marked one, or unmark it."""
    if chosen not in playing:
        return pairs, ""
    if marked not in playing or marked == chosen:
        return pairs, "" if marked == chosen else chosen
    return first_round.swap(pairs, marked, chosen), ""


def _line(pair: Pair, playing: Mapping[str, Player], picked: str, apart: Sequence[str]) -> Line:
    left, right = playing[pair[0]], playing[pair[1]] if pair[1] else None
    shared = [getattr(left, each) for each in apart if right and _shares(left, right, each)]
    sides = [Side(each, str(each.pk) == picked) for each in (left, right) if each]
    return Line(sides[0], sides[1] if right else None, ", ".join(shared))


def _shares(left: Player, right: Player, name: str) -> bool:
    one, other = (name_key(getattr(each, name)) for each in (left, right))
    return one == other != ""


def _store(
    request: HttpRequest,
    tournament: Tournament,
    form: FirstRoundForm,
    pairs: Sequence[Pair],
    playing: Mapping[str, Player],
) -> HttpResponse:
    """Store the draw. Raises Refused if it cannot be stored."""
    names = [(playing[left].name, playing[right].name if right else None) for left, right in pairs]
    if form.groups_given:
        split = first_groups.split(names, form.groups_given)
        first_groups.store(tournament, split, form.cleaned_data["name"], form.setting, signed_in(request))
        messages.success(request, _("The first round of each group is drawn."))
        return redirect("rounds", tournament.slug)
    section = (form.cleaned_data["method"], form.cleaned_data["name"])
    round_, planned = first_round.store(tournament, names, section, form.setting, signed_in(request))
    bad = [f"{each.line.names}: {each.words}" for each in planned if each.act == Act.BAD]
    if bad:
        for words in bad[:10]:
            form.add_error(None, words)
        return _form(request, tournament, form, list(playing.values()), 409)
    made = sum(each.makes for each in planned)
    words = ngettext("%(number)s match of %(round)s drawn.", "%(number)s matches of %(round)s drawn.", made)
    messages.success(request, words % {"number": made, "round": round_})
    return redirect("round", tournament.slug, round_.number)


@require_POST
@access.to(Action.ARRANGE)
def take_back(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Take back the whole draw of a round or of all groups, unless a match has begun."""
    round_ = find(tournament, number)
    try:
        taken = " · ".join(map(str, first_groups.take_back(round_, signed_in(request))))
    except Refused as refused:
        back = WayOn(_("Back to the round"), reverse("round", args=[tournament.slug, number]))
        title = _("The draw of %(round)s cannot be taken back") % {"round": round_}
        return problem(request, 409, title, said(refused.words), back)
    messages.success(request, _("The draw of %(round)s has been taken back.") % {"round": taken})
    return redirect("round", tournament.slug, number)
