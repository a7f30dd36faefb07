"""Import a list of players: preview every line, then store exactly that."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
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
from clocks.tournament import player_list, same_players
from clocks.tournament.player_columns import CHOICES
from clocks.tournament.player_list import Effect, Line, PlayerList
from clocks.tournament.players import Players
from clocks.tournament.same_players import Alike, Joined
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
EXAMPLES = 3  # cells shown per column without a title
MOST_ROWS = 12  # of the text field when it is prefilled


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

    def fill(self, lines: str) -> None:
        """Fill in these lines, for the director to edit."""
        self.initial["pasted"] = lines
        self.fields["pasted"].widget.attrs["rows"] = MOST_ROWS

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


class Row(NamedTuple):
    """A line of the preview: what happens, and perhaps a suggestion.

    `stamp` is "" without a suggestion.
    """

    line: Line
    words: str
    gone: bool = False
    suggestion: str = ""
    stamp: str = ""
    accepted: bool = False


@dataclass(frozen=True)
class Choices:
    """The director's choices in a preview: lines left out, and accepted suggestions.

    `seen` is True if the preview showed this list and these suggestions; `stamps` maps the form value of each
    suggestion to its line number.
    """

    out: Collection[int]
    alike: Mapping[int, Alike]
    stamps: Mapping[str, int]
    accepted: Collection[int]
    seen: bool
    joined: Joined

    @classmethod
    def of(cls, posted: QueryDict, known: Players, listed: PlayerList) -> "Choices":
        """Choices as posted; for a new list, the lines in `PlayerList.out` are left out."""
        of_lines, of_columns = listed.stamps
        shown, same = posted.get("stamp", ""), set(posted.getlist("same"))
        chosen = {int(each) for each in posted.getlist("out") if re.fullmatch(r"\d{1,6}", each, re.ASCII)}
        out = chosen if shown.startswith(f"{of_lines}-") else listed.out
        taken = listed.taken(out)
        alike = same_players.likenesses(known, taken)
        stamps = {each.stamp(number): number for number, each in alike.items() if each.sure}
        accepted = {number for stamp, number in stamps.items() if stamp in same or "accept" in posted}
        seen = shown == f"{of_lines}-{of_columns}" and same <= set(stamps)
        return cls(out, alike, stamps, accepted, seen, same_players.join(taken, alike, accepted))


def store_or_preview(request: HttpRequest, tournament: Tournament, listed: PlayerList, text: str) -> HttpResponse:
    """Store a list as its preview showed it; otherwise show the preview."""
    known = Players(tournament)
    choices = Choices.of(request.POST, known, listed)
    lines = choices.joined.lines
    faults = listed.faults_of(lines)
    if "store" in request.POST and choices.seen and lines and not faults:
        try:
            stored = player_list.store(tournament, [line.player for line in lines], signed_in(request))
        except Refused as refused:
            faults = [said(refused.words)]
        else:
            _say(request, stored)
            return redirect("players", tournament.slug)
    if "store" in request.POST and not choices.seen:
        messages.warning(request, gettext("The list has changed since the preview. Check it, then add the players."))
    effects = {each.line.number: each for each in player_list.effects(known, lines)}
    return page(
        request,
        tournament,
        "players-preview",
        text=text,
        stamp="-".join(listed.stamps),
        notes=listed.columns.notes,
        rows=[_row(line, choices, effects) for line in listed.lines],
        suggestions=len(choices.stamps),
        accepted=len(choices.accepted),
        columns=_columns(listed),
        choices=COLUMNS.items(),
        number=len(lines),
        left_out=sum(line.number in choices.out for line in listed.lines),
        faults=faults[:20],
        status=400 if faults and ("store" in request.POST or "again" in request.POST) else 200,
    )


def _row(line: Line, choices: Choices, effects: Mapping[int, Effect]) -> Row:
    if line.number in choices.out:
        return Row(line, line.out or gettext("left out"), gone=True)
    alike, into = choices.alike.get(line.number), choices.joined.into.get(line.number)
    if into is not None:
        row = Row(line, gettext("one player with line %(number)s") % {"number": into})
    elif line.fault:
        row = Row(line, line.fault)
    else:
        effect = effects[line.number]
        row = Row(effect.line, _words(effect, alike))
    if alike is None or not alike.sure:
        return row
    words = gettext("the same player as %(name)s")
    if alike.earlier:
        words = gettext("the same player as %(name)s in line %(number)s")
    suggestion = words % {"name": alike.name, "number": alike.earlier}
    accepted = line.number in choices.accepted
    return row._replace(suggestion=suggestion, stamp=alike.stamp(line.number), accepted=accepted)


def _words(effect: Effect, alike: Alike | None) -> str:
    """Describe the outcome of a line."""
    if effect.known is None:
        if alike is None:
            return gettext("new")
        return gettext("new, but like %(names)s") % {"names": ", ".join(alike.names)}
    if not effect.changes:
        return gettext("already in the list")
    changed = [
        f"{COLUMNS[name]} {before} → {after}" if before else f"{COLUMNS[name]} {after}"
        for name, before, after in effect.changes
    ]
    return gettext("changes %(player)s: %(details)s") % {"player": effect.known.name, "details": ", ".join(changed)}


def _columns(listed: PlayerList) -> list[Column]:
    """Columns of a list, or [] if it has only one."""
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
