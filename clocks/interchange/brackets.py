"""Import and export brackets in the JSON format of the brackets-model library.

The tables are participant, stage, group, round and match; `opponent1` sits left. Other contents of a file are
reported and ignored.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import orjson

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

TABLES = ("participant", "stage", "group", "round", "match", "match_game")
_KNOWN = {
    "participant": {"id", "tournament_id", "name"},
    "stage": {"id", "tournament_id", "name", "type", "number", "settings"},
    "group": {"id", "stage_id", "number"},
    "round": {"id", "stage_id", "group_id", "number"},
    "match": {"id", "stage_id", "group_id", "round_id", "number", "child_count", "status", "opponent1", "opponent2"},
}
_READ = ("participant", "round", "match")
MOST_ROWS = 10_000
LONGEST_ID = 64

LOCKED, READY, RUNNING, COMPLETED = 0, 2, 3, 4  # status codes of brackets-model; a bye is locked

Winner = Literal["left", "right", ""]


class Line(NamedTuple):
    """A match. A name is "" if not known yet; `right` is None for a bye."""

    left: str
    right: str | None
    winner: Winner = ""
    score: tuple[int, int] | None = None
    running: bool = False


class Brackets(NamedTuple):
    """A parsed file: pairings by round number, and the names of ignored contents.

    A pairing is (left, right), with None for a bye.
    """

    rounds: Mapping[int, Sequence[tuple[str, str | None]]]
    ignored: tuple[str, ...]


def write(name: str, rounds: Sequence[tuple[int, Sequence[Line]]]) -> dict[str, Any]:
    """Build the tables for numbered rounds, as one stage with one group.

    Two or more rounds, each with at most half as many matches as the one before it, are a single elimination; anything
    else is a round robin, the only stage type of the library in which any two players may meet.
    """
    players: dict[str, int] = {}
    for _number, lines in rounds:
        for line in lines:
            for player in filter(None, (line.left, line.right)):
                players.setdefault(player, len(players))
    sizes = [len(lines) for _number, lines in rounds if lines]
    halves = len(sizes) > 1 and all(2 * after <= before for before, after in pairwise(sizes))
    matches = [
        {
            "stage_id": 0,
            "group_id": 0,
            "round_id": at,
            "number": number,
            "child_count": 0,
            "status": _status(line),
            "opponent1": _opponent(line, 0, players),
            "opponent2": None if line.right is None else _opponent(line, 1, players),
        }
        for at, (_number, lines) in enumerate(rounds)
        for number, line in enumerate(lines, 1)
    ]
    settings = {} if halves else {"groupCount": 1, "roundRobinMode": "simple"}
    type_ = "single_elimination" if halves else "round_robin"
    return {
        "participant": [{"id": id_, "tournament_id": 0, "name": player} for player, id_ in players.items()],
        "stage": [{"id": 0, "tournament_id": 0, "name": name, "type": type_, "number": 1, "settings": settings}],
        "group": [{"id": 0, "stage_id": 0, "number": 1}],
        "round": [{"id": at, "stage_id": 0, "group_id": 0, "number": each[0]} for at, each in enumerate(rounds)],
        "match": [{"id": id_, **match} for id_, match in enumerate(matches)],
        "match_game": [],
    }


def _status(line: Line) -> int:
    if line.winner:
        return COMPLETED
    if line.running:
        return RUNNING
    return READY if line.left and line.right else LOCKED


def _opponent(line: Line, seat: int, players: Mapping[str, int]) -> dict[str, Any]:
    name = (line.left, line.right)[seat]
    opponent: dict[str, Any] = {"id": players[name] if name else None}
    if line.score is not None:
        opponent["score"] = line.score[seat]
    if line.winner:
        opponent["result"] = "win" if line.winner == ("left", "right")[seat] else "loss"
    return opponent


def is_brackets(text: str) -> bool:
    """True if the text looks like a brackets file (a JSON object)."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def parse(text: str) -> Brackets:
    """Parse a file. Raises Refused(Why.BAD_VALUE) if it is not JSON or not brackets."""
    try:
        tables = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise Refused(Why.BAD_VALUE, "This is not JSON.") from None
    return read(tables)


def read(tables: object) -> Brackets:
    """Read the tables. Raises Refused(Why.BAD_VALUE) naming the missing or wrong part."""
    if not isinstance(tables, Mapping):
        raise Refused(Why.BAD_VALUE, "Brackets are an object with participant, round and match.")
    try:
        orjson.dumps(tables)
    except TypeError:  # lone surrogates, huge numbers or deep nesting, which json.loads accepts
        raise Refused(Why.BAD_VALUE, "This is not JSON.") from None
    rows = {table: _rows(tables, table) for table in _READ}
    if len(_rows(tables, "stage")) > 1:
        raise Refused(Why.BAD_VALUE, "The file has several stages. Send one of them.")
    names = {_id(each): _name(each) for each in rows["participant"]}
    numbers = {_id(each): each.get("number") for each in rows["round"]}
    rounds: dict[int, list[tuple[str, str | None]]] = {}
    for match in rows["match"]:
        number = numbers.get(_key(match.get("round_id")))
        if not isinstance(number, int):
            raise Refused(Why.BAD_VALUE, Words("Match %(id)s is in no round of the file.", id=_id(match)))
        sides = [_player(match.get(side), names, match) for side in ("opponent1", "opponent2")]
        known = [side for side in sides if side is not None]
        if known:
            pair = (known[0], known[1] if len(known) == 2 else None)
            rounds.setdefault(number, []).append(pair)
    ignored = [str(table)[:40] for table in tables if table not in TABLES or (table == "match_game" and tables[table])]
    ignored += [
        f"{table}.{str(column)[:40]}"
        for table, known_columns in _KNOWN.items()
        for column in dict.fromkeys(column for row in _rows(tables, table) for column in row)
        if column not in known_columns
    ]
    return Brackets(rounds, tuple(ignored))


def pairings(brackets: Brackets, round_number: int) -> list[tuple[str, str]]:
    """Pairings of a round as (left, right); a player without an opponent meets "bye".

    Raises Refused if the file does not have the round or one of its players is not known yet.
    """
    found = brackets.rounds.get(round_number)
    if not found:
        raise Refused(Why.BAD_VALUE, Words("The file has nothing for round %(number)s.", number=round_number))
    if any("" in pair for pair in found):
        words = Words("Round %(number)s has a match whose players are not known yet.", number=round_number)
        raise Refused(Why.BAD_VALUE, words)
    return [(left, "bye" if right is None else right) for left, right in found]


def _rows(tables: Mapping[str, Any], table: str) -> list[Mapping[str, Any]]:
    rows = tables.get(table) or []
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows) or len(rows) > MOST_ROWS:
        raise Refused(Why.BAD_VALUE, Words("“%(table)s” must be a list of objects.", table=table))
    if table in _READ and not rows:
        raise Refused(Why.BAD_VALUE, Words("The file has no “%(table)s”.", table=table))
    return rows


def _key(id_: object) -> str:
    """Normalise an id for lookup: brackets-model allows numbers and strings."""
    return str(id_)[:LONGEST_ID] if isinstance(id_, int | str) else ""


def _id(row: Mapping[str, Any]) -> str:
    return _key(row.get("id"))


def _name(row: Mapping[str, Any]) -> str:
    name = row.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Refused(Why.BAD_VALUE, Words("Participant %(id)s has no name.", id=_id(row)))
    return " ".join(name.split())


def _player(opponent: object, names: Mapping[str, str], match: Mapping[str, Any]) -> str | None:
    """Name of an opponent: "" if not known yet, None for a bye."""
    if opponent is None:
        return None
    id_ = opponent.get("id") if isinstance(opponent, Mapping) else ""
    if id_ is None:
        return ""
    if _key(id_) not in names:
        words = Words("Match %(id)s has an opponent who is not a participant in the file.", id=_id(match))
        raise Refused(Why.BAD_VALUE, words)
    return names[_key(id_)]
