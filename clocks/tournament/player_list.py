"""Parse a list of players from a file or pasted text, and store it.

The preview shows every line: as a player, or left out with the reason. Possible headings, greetings and repeated names
are left out unless the director includes them.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from clocks.engine.parsing import hidden_character
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import LONGEST_NAME
from clocks.journal import tournament_log
from clocks.journal.tournament_events import PlayersListed
from clocks.models import Player, Tournament
from clocks.tournament import draw, player_columns, spreadsheet
from clocks.tournament.draw_columns import OF_PLAYER
from clocks.tournament.draw_store import BUSY, TRIES
from clocks.tournament.player_columns import Columns
from clocks.tournament.players import Players, name_key
from clocks.tournament.stamps import stamp

LONGEST = {
    "name": LONGEST_NAME,
    "number": 12,
    "club": LONGEST_NAME,
    "rating": 12,
    "country": 40,
}  # maximum lengths, as in the model

MOST_NAMESAKES = 20  # if more lines have the same name, their details are not compared

_CHANGE = f"UPDATE {Player._meta.db_table} SET number = %s, club = %s, rating = %s, country = %s WHERE id = %s"
_ADD = (
    f"INSERT INTO {Player._meta.db_table} (tournament_id, name, number, club, rating, country, withdrawn, external_id)"
    " VALUES (%s, %s, %s, %s, %s, %s, FALSE, '')"
)


class Listed(NamedTuple):
    """A player in a list; missing details are ""."""

    name: str
    number: str = ""
    club: str = ""
    rating: str = ""
    country: str = ""


class Line(NamedTuple):
    """A line of a list, with its player.

    `out` says why it is left out, `fault` why it cannot be stored. `repeats` is the number of an earlier line with the
    same name.
    """

    number: int
    text: str
    player: Listed
    out: str = ""
    fault: str = ""
    repeats: int = 0


class PlayerList(NamedTuple):
    """A parsed list; `faults` concern the list as a whole."""

    lines: tuple[Line, ...] = ()
    columns: Columns = Columns([], [], ())
    faults: tuple[str, ...] = ()

    @property
    def out(self) -> set[int]:
        """Numbers of the lines to leave out, unless the director decides otherwise."""
        return {line.number for line in self.lines if line.out}

    def taken(self, out: Collection[int]) -> list[Line]:
        """Lines that are not left out."""
        return [line for line in self.lines if line.number not in out]

    def faults_of(self, taken: Sequence[Line]) -> list[str]:
        """Reasons why these lines cannot be stored together."""
        numbers = {line.number for line in taken}
        repeated = {line.number for line in taken if line.repeats in numbers}
        return [line.out if line.number in repeated else line.fault for line in taken if _is_bad(line, repeated)]

    @property
    def stamps(self) -> tuple[str, str]:
        """Hashes of the lines as written, and of the columns identified."""
        written, read = [(line.number, line.text) for line in self.lines], self.columns.names
        return stamp(written), stamp(read)


class Stored(NamedTuple):
    """Counts of added and changed players."""

    added: int
    changed: int


def parse(text: str, columns: Sequence[str] = ()) -> PlayerList:
    """Parse a list with one player per line.

    `columns` are the column names that the director chose, instead of those identified by title or content.
    """
    rows, faults = spreadsheet.rows(text)
    if faults:
        return PlayerList(faults=faults)
    found = player_columns.identify(rows[: 2 * draw.MOST_LINES], columns)
    if len(found.rows) > draw.MOST_LINES:
        words = _("A list may have at most %(most)s players, and this one has %(number)s.")
        number = len(found.rows) + len(rows[2 * draw.MOST_LINES :])
        return PlayerList(faults=(words % {"most": draw.MOST_LINES, "number": number},))
    words = _("This is above the names of the columns.")
    above = [Line(number, _text(cells), Listed(""), out=words, fault=words) for number, cells in found.above]
    players = {number: _listed(cells, found.names) for number, cells in found.rows}
    apart = _told_apart({number: each for number, each in players.items() if number not in found.doubtful})
    notes = [
        _("%(name)s is two people or more, because their details differ. Each name says which.") % {"name": name}
        for name in dict.fromkeys(players[number].name for number in apart)
    ]
    found = found._replace(notes=(*found.notes, *notes))
    return PlayerList((*above, *_read(found, players | apart)), found)


def _told_apart(players: Mapping[int, Listed]) -> dict[int, Listed]:
    """Add a detail to names that several people share; return these players by line."""
    called: dict[str, list[int]] = {}
    for number, listed in players.items():
        called.setdefault(name_key(listed.name), []).append(number)
    found = {}
    for numbers in (each for each in called.values() if len(each) <= MOST_NAMESAKES):
        people = list[Listed]()
        for number in numbers:
            if all(_differ(players[number], other) for other in people):
                people.append(players[number])
        if len(people) > 1:
            found.update({number: _with_detail(players[number], people) for number in numbers})
    return found


def _differ(one: Listed, other: Listed) -> bool:
    """True if a detail that both have differs."""
    return any(mine and theirs and mine != theirs for mine, theirs in zip(one[1:], other[1:], strict=True))


def _with_detail(listed: Listed, people: Sequence[Listed]) -> Listed:
    """Add to the name the first detail that tells these people apart, or all details."""
    person = next(each for each in people if not _differ(listed, each))
    for detail in ("country", "club", "number", "rating"):
        values = {getattr(each, detail) for each in people}
        if len(values - {""}) == len(people):
            return listed._replace(name=f"{listed.name} ({getattr(person, detail)})")
    return listed._replace(name=f"{listed.name} ({', '.join(filter(None, person[1:]))})")


def _read(found: Columns, players: Mapping[int, Listed]) -> list[Line]:
    lines: list[Line] = []
    named: dict[str, int] = {}
    for number, cells in found.rows:
        listed, text = players[number], _text(cells)
        if not listed.name:
            words = _("Line %(line)s has no name.") % {"line": number}
            lines.append(Line(number, text, listed, out=words, fault=words))
        elif number in found.doubtful:
            lines.append(Line(number, text, listed, out=found.doubtful[number], fault=_fault(number, listed)))
        elif named.setdefault(name_key(listed.name), number) != number:
            words = _("%(name)s is already in line %(number)s. Two people need different names.")
            first = named[name_key(listed.name)]
            out = words % {"name": listed.name, "number": first}
            lines.append(Line(number, text, listed, out=out, fault=_fault(number, listed), repeats=first))
        else:
            lines.append(Line(number, text, listed, fault=_fault(number, listed)))
    return lines


def _is_bad(line: Line, repeated: Collection[int]) -> bool:
    return bool(line.fault) or line.number in repeated


def _listed(cells: Sequence[str], columns: Sequence[str]) -> Listed:
    by_column = {name: cell for name, cell in zip(columns, cells, strict=False) if name}
    name = player_columns.name_of(cells, columns)
    by_column["number"] = player_columns.number_of(by_column.get("number", ""))
    return Listed(name, *(by_column.get(each, "") for each in OF_PLAYER))


def _text(cells: Sequence[str]) -> str:
    return ", ".join(filter(None, cells))


def _fault(number: int, listed: Listed) -> str:
    """Why a player cannot be stored, or ""."""
    too_long = [each for each, longest in LONGEST.items() if len(getattr(listed, each)) > longest]
    hidden = next(filter(None, map(hidden_character, listed)), None)
    if too_long:
        words = _("Line %(line)s: %(column)s may have at most %(number)s characters.")
        return words % {"line": number, "column": too_long[0], "number": LONGEST[too_long[0]]}
    if hidden:
        words = _("Line %(line)s contains the invisible character %(character)s. Type it again without that character.")
        return words % {"line": number, "character": hidden}
    return ""


class Effect(NamedTuple):
    """Effect of storing a line: the known player, if any, and changed details."""

    line: Line
    known: Player | None
    changes: tuple[tuple[str, str, str], ...]  # detail, before, after


def effects(known: Players, lines: Sequence[Line]) -> list[Effect]:
    """Compare lines with the tournament's players."""
    found = []
    for line in lines:
        player = known.in_any_order(line.player.name)
        changes = [] if player is None else _changes(line.player, player)
        found.append(Effect(line, player, tuple(changes)))
    return found


def _changes(listed: Listed, player: Player) -> list[tuple[str, str, str]]:
    pairs = [(name, getattr(player, name), getattr(listed, name)) for name in OF_PLAYER]
    return [(name, before, after) for name, before, after in pairs if after not in ("", before)]


def store(tournament: Tournament, listed: Sequence[Listed], user: User) -> Stored:
    """Add new players and update existing ones in one short transaction.

    Raises Refused if others keep adding the same players.
    """
    for _try in range(TRIES):
        changed, added = _compared(tournament, listed)
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(_CHANGE, changed)
                cursor.executemany(_ADD, added)
                tournament_log.write(tournament, user, PlayersListed())
        except IntegrityError:  # somebody has just added one of these players
            continue
        return Stored(len(added), len(changed))
    raise Refused(Why.STALE, BUSY)


def _compared(tournament: Tournament, listed: Sequence[Listed]) -> tuple[list[Any], list[Any]]:
    """Rows to change and rows to add."""
    known = Players(tournament)
    changed, added = [], []
    for each in listed:
        player = known.in_any_order(each.name)
        if player is None:
            added.append((tournament.pk, *each))
        elif _changes(each, player):
            changed.append((*(getattr(each, name) or getattr(player, name) for name in OF_PLAYER), player.pk))
    return changed, added
