"""Run a match from JSON lines, with one result for each non-blank line. Pure."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clocks.engine.closed_sets import PARTIES, Official
from clocks.engine.codec import encode
from clocks.engine.commands import Look, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import Resumed, event_from_dict
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup


class BadLine(ValueError):
    """Invalid input; the message gives the line number and what is wrong."""

    def __init__(self, number: int, words: str) -> None:
        super().__init__(f"line {number}: {words}")


def run(
    lines: Iterable[str], on_refusal: Callable[[int, Refused], None] = lambda number, refusal: None
) -> Iterator[dict[str, Any]]:
    """Yield the result of each line, `{at, ok, code, ...}`, in plain JSON values.

    Blank lines are skipped. `on_refusal` is called with the line number and the exception for each rejected command.
    Raises BadLine for an invalid line, for an `at` before the last one, and if there is no setup.
    """
    match: Match | None = None
    at = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        line = _object(number, text)
        if match is None:
            match = _begin(number, line)
            yield _shown(match, at, None)
            continue
        at = _instant(number, line, at)
        match, refusal = _step(number, line, match, at)
        if refusal is not None:
            on_refusal(number, refusal)
        yield _shown(match, at, refusal)
    if match is None:
        raise BadLine(1, 'there is no setup: the first line must be {"setup": {...}}')


def _object(number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError as error:
        raise BadLine(number, f"not JSON ({error})") from None
    except RecursionError:
        raise BadLine(number, "not JSON that can be read (nested too deeply)") from None
    if not isinstance(line, dict):
        raise BadLine(number, "not a JSON object")
    return line


def _begin(number: int, line: dict[str, Any]) -> Match:
    if "setup" not in line:
        raise BadLine(number, 'the first line must be {"setup": {...}}')
    try:
        return Match.begin(Setup.from_dict(line["setup"]))
    except Refused as refusal:
        raise BadLine(number, refusal.words) from None


def _instant(number: int, line: dict[str, Any], last: int) -> int:
    at = line.get("at")
    if isinstance(at, bool) or not isinstance(at, int) or at < 0:
        raise BadLine(number, "at must be a whole number of milliseconds")
    if at < last:
        raise BadLine(number, f"at {at} is before the last one, {last}")
    return at


def _step(number: int, line: dict[str, Any], match: Match, at: int) -> tuple[Match, Refused | None]:
    if line.get("do") == "look":
        return perform(match, Look(), Official.SERVER, at).match, None
    if "recorded" in line:
        return _recorded(number, line, perform(match, Look(), Official.SERVER, at).match)
    by = line.get("by")
    if not isinstance(by, str) or by not in PARTIES:
        raise BadLine(number, f"by must be one of {', '.join(PARTIES)}")
    try:
        command = parse_command(line)
    except Refused as refusal:
        if refusal.code == Why.BAD_MESSAGE:
            raise BadLine(number, refusal.words) from None
        return perform(match, Look(), Official.SERVER, at).match, refusal
    outcome = perform(match, command, PARTIES[by], at, flags=line.get("flags") is not False)
    return outcome.match, outcome.refusal


def _recorded(number: int, line: dict[str, Any], match: Match) -> tuple[Match, None]:
    """Apply a resume as recorded by an earlier version, whose rules differed."""
    try:
        event = event_from_dict(Resumed.name, line["recorded"])
        return evolve(match, event), None
    except (AssertionError, KeyError, TypeError, AttributeError):
        raise BadLine(number, "recorded must be a resume as an earlier version wrote it") from None


def _shown(match: Match, at: int, refusal: Refused | None) -> dict[str, Any]:
    return {
        "at": at,
        "ok": refusal is None,
        "code": None if refusal is None else refusal.code,
        **encode(match.look(at)),
    }
