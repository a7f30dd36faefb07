"""Parse a draw from a file or pasted text, with faults per line.

Lenient about format, because spreadsheets differ; strict about content, which `Setup.parse` validates.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from clocks.engine.books.published import RULESETS
from clocks.engine.parsing import refuse_hidden
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.models import Round, Table
from clocks.tournament import bracket_list, draw_columns, pasted, places, spreadsheet
from clocks.tournament.draw_columns import is_bye
from clocks.tournament.places import Reference
from clocks.tournament.players import name_key, respell, team
from clocks.wording.language import said

MOST_LINES = 1_000
LONGEST_TABLE = Table._meta.get_field("name").max_length or 0

SAMPLE = (
    "table,left,right,length,rules,format,score_left,score_right,options\r\n"
    "1,Ann,Bob,,,,,,\r\n"
    "2,Chi,Dov,9,,,,,\r\n"
    "3,Eva,Finn,,unified-2001,,2,1,\r\n"
    "4,Gus,Hana,,,,,,delay_ms=10000 reserve_ms=600000/480000\r\n"
)


class DrawLine(NamedTuple):
    """A line of a draw: its number in the text, cells by column, setup and faults.

    `setup` is None for a bye, or if a fault prevents it.
    """

    number: int
    cells: Mapping[str, str]
    setup: Setup | None
    faults: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        """Name of the table."""
        return self.cells["table"]

    @property
    def names(self) -> str:
        """Both names, joined by a dash."""
        return f"{self.cells['left']} – {self.cells['right']}"

    @property
    def is_bye(self) -> bool:
        """True if the line gives a player a bye."""
        return is_bye(self.cells["left"]) or is_bye(self.cells["right"])

    @property
    def references(self) -> dict[str, Reference]:
        """References to other matches, by the seat that their winner or loser takes."""
        read = {seat: places.read(self.cells[seat]) for seat in ("left", "right")}
        return {seat: reference for seat, reference in read.items() if reference}

    @property
    def player(self) -> str:
        """Player who has the bye."""
        return self.cells["right" if is_bye(self.cells["left"]) else "left"]

    @property
    def seats(self) -> list[str]:
        """Names in the line: of both seats, or of the player with the bye."""
        return [self.player] if self.is_bye else [self.cells["left"], self.cells["right"]]

    @property
    def players(self) -> list[str]:
        """All players in the line, each member of a team; references count as names."""
        return [name for seat in self.seats if seat for name in team(seat, self.cells["format"])]

    def at_table(self, table: str) -> "DrawLine":
        """Copy of the line at another table."""
        return self._replace(cells={**self.cells, "table": table})

    def with_name(self, seat: str, name: str) -> "DrawLine":
        """Copy of the line with another name for a seat."""
        line = self._replace(cells={**self.cells, seat: name})
        if line.setup is None:
            return line
        try:
            return line._replace(
                setup=Setup.parse(line.setup.to_dict() | {"names": [line.cells["left"], line.cells["right"]]})
            )
        except Refused as refused:
            return line.with_fault(said(refused.words))

    def with_fault(self, fault: str) -> "DrawLine":
        """Copy of the line with one more fault."""
        return self._replace(faults=(*self.faults, fault))


class Sheet(NamedTuple):
    """A parsed draw: lines, general faults, and notes on ignored or guessed parts."""

    lines: tuple[DrawLine, ...]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """True if there are no faults."""
        return not self.faults and not any(line.faults for line in self.lines)


def parse(text: str, round_: Round, spelling: Mapping[str, str] | None = None) -> Sheet:
    """Parse a draw; empty cells take the settings of the round.

    The table is "" if the line has none. In a list with one name per line, adjacent names are paired. `spelling` maps
    names to their correct spelling.
    """
    text = pasted.with_tabs(text)
    numbered, faults = spreadsheet.rows(text)
    if faults:
        return Sheet((), faults)
    columns = bracket_list.identify(text, numbered, spelling or {}) or draw_columns.identify(numbered)
    if columns.faults:
        return Sheet((), columns.faults)
    rows, faults = _of_round(columns, round_)
    if faults:
        return Sheet((), faults)
    if not rows:
        return Sheet((), (_("There are no lines below the one that names the columns."),))
    if len(rows) > MOST_LINES:
        return Sheet(
            (),
            (
                _("A draw may have at most %(most)s lines, and this one has %(number)s.")
                % {"most": MOST_LINES, "number": len(rows)},
            ),
        )
    lines = [_line_of_row(number, row, columns.names, round_, spelling or {}) for number, row in rows]
    notes = columns.notes
    if any(line.cells.get(detail) for line in lines for detail in draw_columns.DETAILS):
        notes += (_("Numbers, clubs, countries and ratings go to the list of players, where it has none yet."),)
    return Sheet(tuple(mark_duplicates(lines)), (), notes)


def _of_round(columns: draw_columns.Columns, round_: Round) -> tuple[Sequence[spreadsheet.Row], tuple[str, ...]]:
    """Rows of this round (all rows unless a column names several rounds), and faults."""
    if "round" not in columns.names:
        return columns.rows, ()
    at = columns.names.index("round")
    named = [row[at] if at < len(row) else "" for _number, row in columns.rows]
    if len(set(named)) < 2:
        return columns.rows, ()
    own = (str(round_).casefold(), str(round_.number), f"round {round_.number}")
    rows = [row for row, name in zip(columns.rows, named, strict=True) if name.casefold() in own]
    if not rows:
        words = _("The lines belong to several rounds (%(names)s), and none of them is %(round)s.")
        return (), (words % {"names": ", ".join(dict.fromkeys(filter(None, named))), "round": round_},)
    return rows, ()


def _line_of_row(
    number: int, row: list[str], columns: list[str], round_: Round, spelling: Mapping[str, str]
) -> DrawLine:
    cells = {column: cell for column, cell in zip(columns, row, strict=False) if column}
    cells["table"] = str(_number(cells.get("table", "")))
    found = check_line(number, cells, round_, spelling)
    if any(row[len(columns) :]):
        words = _("This line has more cells than there are columns. Put quotes around text that contains a delimiter.")
        return found._replace(faults=(words, *found.faults))
    return found


def check_line(
    number: int,
    given: Mapping[str, str],
    round_: Round,
    spelling: Mapping[str, str],
    options: Mapping[str, Any] | None = None,
) -> DrawLine:
    """Check the cells of a line. `options` override those of the cell and the round."""
    cells = dict.fromkeys(draw_columns.NAMES, "") | dict(given)
    format_ = cells["format"].lower() or round_.format
    cells |= {"format": format_} | {seat: respell(cells[seat], format_, spelling) for seat in ("left", "right")}
    found = DrawLine(number, cells, None)
    try:
        for name in ("table", "left", "right"):
            refuse_hidden(name, cells[name])
        if found.is_bye:
            return found
        if len(cells["table"]) > LONGEST_TABLE:
            found = found.with_fault(
                _("table must be a name of at most %(number)s characters.") % {"number": LONGEST_TABLE}
            )
        setup = setting(round_, cells)
        setup["options"] |= options or {}
        return found._replace(setup=Setup.parse(setup))
    except Refused as refused:
        return found.with_fault(said(refused.words))


def setting(round_: Round, given: Mapping[str, str]) -> dict[str, Any]:
    """Settings of a match: its line's cells, or the round's settings where empty.

    The round's options apply only under its rule set. Raises Refused(Why.BAD_VALUE) if the options cannot be parsed.
    """
    rules = _rules(given["rules"]) or round_.rules
    options = dict(round_.options) if rules == round_.rules else {}
    return {
        "rules": rules,
        "format": given["format"].lower() or round_.format,
        "length": _number(given["length"]) if given["length"] else round_.length,
        "score": [_number(given[name]) if given[name] else 0 for name in ("score_left", "score_right")],
        "names": [given["left"], given["right"]],
        "options": options | read_options(given["options"]),
    }


def read_options(text: str) -> dict[str, Any]:
    """Parse options such as `delay_ms=10000 reserve_ms=600000/480000` (left/right)."""
    options: dict[str, Any] = {}
    for part in re.split(r"[\s,;]+", text):
        name, equals, value = part.partition("=")
        if part and not (name and equals and value):
            words = Words("options must be written as name=value, separated by spaces, not “%(part)s”.", part=part)
            raise Refused(Why.BAD_VALUE, words)
        if part:
            left, slash, right = value.partition("/")
            options[name.lower()] = [_number(left), _number(right)] if slash else _number(value)
    return options


def _rules(text: str) -> str:
    """Key of a rule set given by key or name; `Setup.parse` rejects unknown ones."""
    by_name = {rules.name.lower(): key for key, rules in RULESETS.items()}
    return by_name.get(text.lower(), text.lower().replace(" ", "-"))


def _number(text: str) -> int | str:
    """Parse a whole number, also 7.0 or 7,0; other text is returned unchanged."""
    return int(text.split(".")[0].split(",")[0]) if re.fullmatch(r"[0-9]{1,9}([.,]0+)?", text) else text


def mark_duplicates(lines: Iterable[DrawLine]) -> Iterable[DrawLine]:
    """Add a fault to each line that repeats a table, player or team member."""
    tables: dict[str, int] = {}
    players: dict[str, int] = {}
    for line in lines:
        if line.table and not line.is_bye and tables.setdefault(line.table.casefold(), line.number) != line.number:
            words = _("Table %(table)s is already in line %(number)s.")
            line = line.with_fault(words % {"table": line.table, "number": tables[line.table.casefold()]})
        names = line.players
        for name in dict.fromkeys(names):
            twice = line.setup is not None and names.count(name) > 1
            if players.setdefault(name_key(name), line.number) != line.number or twice:
                words = _("%(name)s is already in line %(number)s.")
                line = line.with_fault(words % {"name": name, "number": players[name_key(name)]})
        yield line
