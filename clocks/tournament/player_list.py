"""Import a list of players from a file or pasted text: add new, update existing."""

import re
from collections.abc import Sequence
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
from clocks.tournament import draw, spreadsheet
from clocks.tournament.draw_columns import normalise_title
from clocks.tournament.draw_store import BUSY, TRIES
from clocks.tournament.players import Players, name_key
from clocks.tournament.spreadsheet import Row

DETAILS = ("number", "club", "rating", "country")
START_NUMBER = r"\d{1,3}"
LONGEST = {
    "name": LONGEST_NAME,
    "number": 12,
    "club": LONGEST_NAME,
    "rating": 12,
    "country": 40,
}  # maximum lengths, as in the model

# Column titles in use: English, then Danish, German, Spanish, French, Japanese.
_ALIASES = {
    "name": "name player fullname playername navn spiller spieler nombre jugador jugadora joueur joueuse nom 名前 氏名 "
    "選手 選手名 プレイヤー",
    "first": "firstname givenname forename fornavn vorname nombredepila prénom 名",
    "last": "lastname surname familyname efternavn nachname familienname apellido apellidos nomdefamille 姓",
    "number": "number no nr id startno startnr startnumber nummer startnummer número num numéro 番号",
    "club": "club team klub forening verein klubb equipo ciudad ville town city by ort クラブ 所属",
    "rating": "rating elo rtg wertung elozahl puntuación classement レーティング",
    "country": "country nation fed federation flag land nationalitet país federación pays fédération 国 国籍",
}
_COLUMN_OF = {normalise_title(alias): column for column, aliases in _ALIASES.items() for alias in aliases.split()}


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


class PlayerList(NamedTuple):
    """A parsed list: players, faults and notes."""

    players: tuple[Listed, ...]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Stored(NamedTuple):
    """Numbers of new players and of those with changed details."""

    added: int
    changed: int


def parse(text: str) -> PlayerList:
    """Parse a list with one player per line; columns by titles or by content."""
    rows, faults = spreadsheet.rows(text)
    if faults:
        return PlayerList((), faults)
    columns = [_COLUMN_OF.get(normalise_title(cell), "") for cell in rows[0][1]]
    notes: tuple[str, ...] = ()
    if "name" in columns or "last" in columns:
        ignored = [cell for cell, name in zip(rows[0][1], columns, strict=True) if cell and not name]
        if ignored:
            notes = (_("These columns are not used: %(names)s.") % {"names": ", ".join(ignored)},)
        rows = rows[1:]
    else:
        columns = _by_content(rows)
    if len(rows) > draw.MOST_LINES:
        words = _("A list may have at most %(most)s players, and this one has %(number)s.")
        return PlayerList((), (words % {"most": draw.MOST_LINES, "number": len(rows)},))
    found, wrong = _read(rows, columns)
    return PlayerList(tuple(found), tuple(wrong), notes)


def _read(rows: Sequence[Row], columns: Sequence[str]) -> tuple[list[Listed], list[str]]:
    found: list[Listed] = []
    faults: list[str] = []
    lines: dict[str, int] = {}
    for number, cells in rows:
        by_column = {name: cell for name, cell in zip(columns, cells, strict=False) if name}
        name = by_column.get("name", "") or " ".join(
            filter(None, (by_column.get("first", ""), by_column.get("last", "")))
        )
        listed = Listed(name, *(by_column.get(each, "") for each in DETAILS))
        hidden = next(filter(None, map(hidden_character, listed)), None)
        too_long = [each for each, longest in LONGEST.items() if len(getattr(listed, each)) > longest]
        if not name:
            faults.append(_("Line %(line)s has no name.") % {"line": number})
        elif too_long:
            words = _("Line %(line)s: %(column)s may have at most %(number)s characters.")
            faults.append(words % {"line": number, "column": too_long[0], "number": LONGEST[too_long[0]]})
        elif hidden:
            words = _(
                "Line %(line)s contains the invisible character %(character)s. Type it again without that character."
            )
            faults.append(words % {"line": number, "character": hidden})
        elif lines.setdefault(name_key(name), number) != number:
            words = _("%(name)s is already in line %(number)s.")
            faults.append(words % {"name": name, "number": lines[name_key(name)]})
        found.append(listed)
    return found, faults


def _by_content(rows: Sequence[Row]) -> list[str]:
    """Columns by content: a number before or after the name, then club, then rating."""
    width = max(len(cells) for _number, cells in rows)
    columns = [[cells[i] for _number, cells in rows if i < len(cells) and cells[i]] for i in range(width)]
    figures = [bool(cells) and all(re.fullmatch(r"[\d.,]+", cell) for cell in cells) for cells in columns]
    named: list[str] = []
    for i, cells in enumerate(columns):
        beside = (
            named[-1:] == ["name"]
            and (
                all(re.fullmatch(START_NUMBER, cell) for cell in cells)  # whereas a rating is longer
                or figures[i + 1 :] in ([False, True], [False, True, False])  # or if a club and the rating follow
            )
        )
        if not figures[i]:
            wanted = ["name", "club"]
        else:
            wanted = ["number"] if beside or "name" not in named else ["rating", "number"]
        named.append(next((name for name in wanted if name not in named), ""))
    return named


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
        player = known.of(each.name)
        if player is None:
            added.append((tournament.pk, *each))
        elif any(getattr(each, name) not in ("", getattr(player, name)) for name in DETAILS):
            changed.append((*(getattr(each, name) or getattr(player, name) for name in DETAILS), player.pk))
    return changed, added
