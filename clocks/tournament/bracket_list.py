"""Draws with one name per line, as in bracket programs: adjacent names are paired."""

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from clocks.tournament import draw_columns, pasted, player_columns
from clocks.tournament.draw_columns import Columns, is_bye
from clocks.tournament.player_columns import FIGURE, is_split_name
from clocks.tournament.players import in_order
from clocks.tournament.spreadsheet import Row

_KEPT = ("club", "rating", "country")  # not the number: in such a list it only counts the lines
_DETAILS = [f"{seat}_{what}" for seat in ("left", "right") for what in _KEPT]
_BETWEEN = {"v", "v.", "vs", "vs."}
_CODE = re.compile(r"[\[(]?[A-Z]{2,3}[\])]?")
_TABLE = re.compile(r".*\d.*")


def identify(text: str, rows: Sequence[Row], known: Mapping[str, str]) -> Columns | None:
    """Pair adjacent lines of a list with one name per line; None for any other text.

    `rows` are the rows of `text`; `known` is keyed by the name keys of the tournament's players.
    """
    rows = [row for row in rows if " ".join(filter(None, row[1])).casefold() not in _BETWEEN]
    found = player_columns.identify(rows) if rows else None
    if found is None or draw_columns.names_players(rows) or not player_columns.NAMING & set(found.names):
        return None
    if not any(found.titles) and not _has_one_name(text, rows, known):
        return None
    read = [(number, cells, player_columns.name_of(cells, found.names)) for number, cells in found.rows]
    lines = [line for line in read if line[2] and (line[0] not in found.doubtful or is_bye(line[2]))]
    if len(lines) < 2:
        return None
    notes = [_("Each line is read as one name, and neighbours meet. Write a dash between two players in one line.")]
    used = {number for number, _cells, _name in lines}
    unused = ["; ".join(filter(None, cells)) for number, cells in rows if number not in used and cells != found.titles]
    if unused:
        notes.append(_("Not read as names: %(text)s.") % {"text": " / ".join(unused)})
    pairs = [(lines[i][0], _pair(lines[i : i + 2], found.names)) for i in range(0, len(lines), 2)]
    return Columns(["left", "right", *_DETAILS], pairs, tuple(notes))


def _pair(lines: Sequence[tuple[int, list[str], str]], columns: Sequence[str]) -> list[str]:
    """Cells of one pairing: two names (the second "" if there is none), then details."""
    names = [name for _number, _cells, name in lines]
    details = [_details(name, dict(zip(columns, cells, strict=False))) for _number, cells, name in lines]
    return [*names, *[""] * (2 - len(names)), *(detail for each in details for detail in each)]


def _details(name: str, cells: Mapping[str, str]) -> list[str]:
    """Details next to a name; "" for one that repeats the name in any word order."""
    found = [cells.get(detail, "") for detail in _KEPT]
    return ["" if in_order(detail) == in_order(name) else detail for detail in found]


def _has_one_name(text: str, rows: Sequence[Row], known: Mapping[str, str]) -> bool:
    """True if most lines hold one name, perhaps with a country, club or rating.

    For lists without column titles.
    """
    lines = [cells for _number, cells, _details in player_columns.split(rows)]
    columns = [[line[i] for line in lines if any(line[i : i + 1])] for i in range(max(map(len, lines)))]
    people = [i for i, cells in enumerate(columns) if 2 * len(cells) > len(lines) and _are_people(cells)]
    people = [i for i in people if i == people[0] or not _repeats(lines, people[0], i)]
    if len(people) == 1:
        return not any(pasted.has_two_players(cell) for line in lines for cell in line)
    if len(people) != 2:
        return False
    pairs = [[line[i] for i in people if i < len(line)] for line in lines]
    words = {" ".join(sorted(key.split())) for key in known}
    joined = sum(" ".join(sorted(" ".join(pair).casefold().split())) in words for pair in pairs)
    apart = sum(cell.casefold() in known for pair in pairs for cell in pair)
    if joined or apart:
        return 2 * joined > apart
    if any(is_bye(cell) for pair in pairs for cell in pair) or re.search(r"[\t;|]|,\S", text):
        return False
    return 10 * sum(is_split_name(pair) for pair in pairs) >= 7 * len(pairs)


def _are_people(cells: Sequence[str]) -> bool:
    """True if cells look like names: not numbers, tables, codes or repeated words."""
    cells = [cell for cell in cells if not is_bye(cell)]
    different = len({cell.casefold() for cell in cells})
    if not cells or all(FIGURE.fullmatch(cell) or _CODE.fullmatch(cell) for cell in cells):
        return False
    return not all(_TABLE.fullmatch(cell) for cell in cells) and (len(cells) < 3 or 3 * different > 2 * len(cells))


def _repeats(lines: Sequence[Sequence[str]], first: int, other: int) -> bool:
    """True if a column mostly repeats the names of another, in any word order."""
    pairs = [
        [sorted(re.findall(r"\w+", line[i].casefold())) for i in (first, other)] for line in lines if other < len(line)
    ]
    return 2 * sum(left == right for left, right in pairs) > len(pairs)
