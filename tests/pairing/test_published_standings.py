"""Standings compared with the published table of a Swiss event with 220 players.

`tests/vectors/published/moscow-2018.txt` names its source. We found no published table of 103 players with tie-breaks:
the Minor of Bunratty, in `test_standings.py`, has 103 players but only scores. That file also compares the median.
"""

import re
from pathlib import Path
from typing import NamedTuple

from clocks.pairing.standings import HALF, WIN, Line, Played, TieBreak, standings

TABLE = Path(__file__).parents[1] / "vectors" / "published" / "moscow-2018.txt"
SCORES = {"+": WIN, "=": HALF, "-": 0}
CELL = re.compile(r"(\d*)([-+=])(x?)")


class Cell(NamedTuple):
    """A player's result in one round; the opponent is "" for a bye or absence."""

    opponent: str
    score: int
    played: bool


class Row(NamedTuple):
    """A player's row of the table; score and Buchholz are in half points."""

    name: str
    score: int
    buchholz: int
    cells: list[Cell]

    @property
    def whole(self) -> bool:
        """True if the player played in all rounds."""
        return all(cell.played for cell in self.cells)


def table() -> list[Row]:
    """Rows of the published table, best player first."""
    rows = []
    for line in TABLE.read_text().splitlines():
        if line.startswith("#"):
            continue
        place, score, buchholz, *rounds = line.split()
        found = [CELL.fullmatch(each) for each in rounds]
        cells = [Cell(each[1], SCORES[each[2]], bool(each[1]) and not each[3]) for each in found if each]
        rows.append(Row(place, int(float(score) * WIN), int(float(buchholz) * WIN), cells))
    return rows


def ours(rows: list[Row]) -> list[Line]:
    """Our standings, with Buchholz as the only tie-break."""
    played = {
        row.name: [Played(cell.opponent if cell.played else None, cell.score) for cell in row.cells] for row in rows
    }
    return standings(played, [TieBreak.BUCHHOLZ])


def test_the_published_table_agrees_with_itself() -> None:
    """Opponents list each other in the same round and share its point."""
    rows = table()
    assert [row.name for row in rows] == [str(place) for place in range(1, 221)]
    assert {len(row.cells) for row in rows} == {9}
    cells = {(row.name, number): cell for row in rows for number, cell in enumerate(row.cells)}
    for (name, number), cell in cells.items():
        if cell.opponent:
            assert cells[cell.opponent, number] == (name, WIN - cell.score, cell.played)


def test_who_played_all_rounds_in_moscow_has_the_published_buchholz() -> None:
    """Compares the scores of all 220, and Buchholz and order of these 182.

    Byes, absences and forfeits of their opponents count half a point, both there and here.
    """
    rows = table()
    lines = ours(rows)
    assert {line.name: line.score for line in lines} == {row.name: row.score for row in rows}
    whole = {row.name: (row.buchholz,) for row in rows if row.whole}
    assert len(whole) == 182
    assert [(line.name, line.values) for line in lines if line.name in whole] == list(whole.items())


def test_who_missed_a_round_in_moscow_has_a_virtual_opponent_more() -> None:
    """The only difference: the FIDE Handbook C.07 of 2018 counts a virtual opponent.

    Its score is the player's score before the missed round, plus the point not won in that round, plus half a point per
    later round. We follow the rules of US Chess, which count 0.
    """
    rows = table()
    own = {line.name: line.values[0] for line in ours(rows)}
    assert {row.name: own[row.name] + virtual(row) for row in rows} == {row.name: row.buchholz for row in rows}


def virtual(row: Row) -> int:
    """Sum of the scores of a player's virtual opponents."""
    return sum(
        sum(each.score for each in row.cells[:number]) + WIN - cell.score + HALF * (len(row.cells) - number - 1)
        for number, cell in enumerate(row.cells)
        if not cell.played
    )
