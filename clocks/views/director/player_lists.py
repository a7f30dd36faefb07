"""Lists of players: a preview of every line, and storing what it shows."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clocks.engine.refusals import Refused
from clocks.interchange import tournament_files
from clocks.models import Tournament
from clocks.tournament import player_list
from clocks.tournament.player_columns import CHOICES
from clocks.tournament.player_list import Effect, Line, PlayerList
from clocks.views.access import signed_in
from clocks.views.forms.posted import file_or_text
from clocks.views.forms.refusals import refusals_as_errors
from clocks.views.forms.renderer import DROP
from clocks.views.page import page
from clocks.wording.language import said

COLUMNS = {
    "": _("not used"),
    "name": _("Name"),
    "first": _("First name"),
    "last": _("Last name"),
    "number": _("Number"),
    "club": _("Club or town"),
    "rating": _("Rating"),
    "country": _("Country"),
}
EXAMPLES = 3  # cells shown of a column


class PlayersForm(forms.Form):
    """Players as a file or lines of text. `listed` and `text` are set once valid."""

    pasted = forms.CharField(
        label=_("One player per line: name, number, club, rating"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )
    file = forms.FileField(label=_("Or drop a file here, or choose it"), required=False, template_name=DROP)  # type: ignore[call-arg]

    listed: PlayerList
    text: str

    def clean(self) -> dict[str, Any] | None:
        """Read the file or, without one, the text."""
        given = super().clean() or self.cleaned_data
        self.text = file_or_text(given)
        if not self.text.strip():
            raise forms.ValidationError(gettext("Enter at least one name, or choose a file."))
        with refusals_as_errors():
            self.text = tournament_files.players_of(self.text)
        columns = self.data.getlist("column") if isinstance(self.data, QueryDict) else []
        chosen = [name if name in CHOICES else "" for name in columns]
        self.listed = player_list.parse(self.text, chosen)
        if self.listed.faults:
            raise forms.ValidationError(list(self.listed.faults)[:20])
        return given


class Column(NamedTuple):
    """A column of a list: its number from 1, its title or first cells, its meaning."""

    number: int
    title: str
    chosen: str


def store_or_preview(request: HttpRequest, tournament: Tournament, listed: PlayerList, text: str) -> HttpResponse:
    """Store a list as its preview showed it; otherwise show the preview."""
    of_lines, of_columns = listed.stamps
    shown = request.POST.get("stamp", "")
    seen = shown == f"{of_lines}-{of_columns}"
    chosen = {int(each) for each in request.POST.getlist("out") if re.fullmatch(r"\d{1,6}", each, re.ASCII)}
    out = chosen if shown.startswith(f"{of_lines}-") else listed.out
    taken = listed.taken(out)
    faults = listed.faults_of(taken)
    if "store" in request.POST and seen and taken and not faults:
        try:
            stored = player_list.store(tournament, [line.player for line in taken], signed_in(request))
        except Refused as refused:
            faults = [said(refused.words)]
        else:
            _say(request, stored)
            return redirect("players", tournament.slug)
    if "store" in request.POST and not seen:
        messages.warning(request, gettext("The list has changed since the preview. Check it, then add the players."))
    asked = "store" in request.POST or "again" in request.POST
    return page(
        request,
        tournament,
        "players-preview",
        text=text,
        stamp=f"{of_lines}-{of_columns}",
        notes=listed.columns.notes,
        out=out,
        lines=[
            (line, line.fault or (effect and _words(effect))) for line, effect in _effects(tournament, listed, taken)
        ],
        columns=_columns(listed),
        choices=COLUMNS.items(),
        number=len(taken),
        left_out=len(listed.lines) - len(taken),
        faults=faults[:20],
        status=400 if faults and asked else 200,
    )


def _effects(tournament: Tournament, listed: PlayerList, taken: Sequence[Line]) -> list[tuple[Line, Effect | None]]:
    found = {each.line.number: each for each in player_list.effects(tournament, taken)}
    return [(line, found.get(line.number)) for line in listed.lines]


def _words(effect: Effect) -> str:
    """Outcome of a line, in words."""
    if effect.known is None:
        if not effect.alike:
            return gettext("new")
        return gettext("new, but like %(names)s") % {"names": ", ".join(effect.alike)}
    if not effect.changes:
        return gettext("already in the list")
    changed = [
        f"{COLUMNS[name]} {before} → {after}" if before else f"{COLUMNS[name]} {after}"
        for name, before, after in effect.changes
    ]
    return gettext("changes %(player)s: %(details)s") % {"player": effect.known.name, "details": ", ".join(changed)}


def _columns(listed: PlayerList) -> list[Column]:
    """Columns of a list with more than one."""
    names, titles, rows, *_rest = listed.columns
    if len(names) < 2:
        return []
    found = []
    for i, (name, title) in enumerate(zip(names, titles, strict=True)):
        cells = [cells[i] for number, cells in rows if number not in listed.out and cells[i : i + 1] > [""]][:EXAMPLES]
        found.append(Column(i + 1, title or ", ".join(cells), name))
    return found


def _say(request: HttpRequest, stored: player_list.Stored) -> None:
    added = ngettext("%(number)s player added.", "%(number)s players added.", stored.added)
    changed = ngettext("%(number)s player changed.", "%(number)s players changed.", stored.changed)
    said_of = [added % {"number": stored.added}, changed % {"number": stored.changed}]
    shown = [words for words, count in zip(said_of, stored, strict=True) if count]
    for words in shown or [gettext("Nothing has changed.")]:
        messages.success(request, words)
