"""Parse `do` frames: JSON to command. `protocol.py` describes the frames.

A `call` is acknowledged without effect if the director has already been called, no clock runs, and the note is empty or
unchanged. A different note from either player is recorded and replaces it.

Proposals are numbered within a match, from 1, without reuse. A proposal gets the next number when it is made (a flag
makes one), and whenever it changes: a player disputes it, agrees to the consequence of a flag before the other does, or
takes that back. So an agreement applies to exactly the proposal that was read. A part of a `hand-over` may omit the
number: it answers the result of the parts before it, and may come from an older version of the page.

A player's `resume` with `fresh_delay` starts no clock: it becomes the proposal {"do":"propose","what":"resume",
"turn_of":"left","fresh_delay":true}, which may be sent as such. Once the other seat or the director agrees, the clock
of `turn_of` runs; a decline ends it. The director's own `resume` takes effect at once.

`resumed_by` in a snapshot is the party that resumed play with the other seat's turn, until the next press. The
interrupted turn is charged as if a hit had ended it; if the turn is given back before a press, it continues with its
number and the time that it had used.

If the player whose turn it is stops the clocks for `dice-picked-up`, the other may contest that by {"do":"stop",
"reason":"contest"}: `stop` then has the reason `dice-contested` and keeps its `at`, the director is called, and a
player's `resume` becomes the proposal `resume`, until one is agreed to or the director resumes.

A `note` has at most 400 characters, and at most 1,200 bytes in UTF-8; a longer one is rejected as `bad-value`.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from clocks.engine.clock import Seat
from clocks.engine.commands import (
    Answer,
    Command,
    GrantSeat,
    HandOver,
    Kept,
    Move,
    ReleaseSeat,
    ReplaceCode,
    parse_command,
)
from clocks.engine.parsing import note_must_be_stored, parse_note, parse_seat
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.live.protocol import LARGEST_INSTANT, LONGEST_ID, required_id

LONGEST_TABLE = 20
MOST_KEPT = 64  # most commands in one hand-over
NONE_NAMED = 0  # matches no proposal; their numbers start at 1
SERVERS_OWN = ("look", "expire", "take-seat", "correct-names", "remove-names")


class Do(NamedTuple):
    """Parsed `do` frame; `claimed_at`: press time estimated by the phone (server ms)."""

    id: str
    command: Command
    seat: Seat | None
    claimed_at: int | None
    match_id: int | None


def read_do(frame: dict[str, Any]) -> Do:
    """Parse a `do` frame. Raises Refused(Why.BAD_MESSAGE or Why.BAD_VALUE)."""
    id_ = required_id(frame)
    if frame.get("do") in SERVERS_OWN:
        raise Refused(Why.BAD_MESSAGE, Words("Only the server may send “%(do)s”.", do=frame["do"]))
    note_must_be_stored(frame.get("note"))
    frame.pop("credit_ms", None)  # phones cannot grant themselves lag credit
    command = _beside_the_rules(frame) or (
        _hand_over(id_, frame) if frame.get("do") == "hand-over" else _command(frame)
    )
    claimed_at = None if frame.get("at") is None else _instant(frame)
    match_id = frame.get("match")
    if match_id is not None and (type(match_id) is not int or not 0 < match_id <= LARGEST_INSTANT):
        raise Refused(Why.BAD_VALUE, "match must be the number of a match.")
    seat = None if isinstance(command, HandOver) else _asking(frame)
    return Do(id_, command, seat, claimed_at, match_id)


def _command(frame: Mapping[str, Any]) -> Command:
    """Parse a command. An answer without a proposal number gets one that matches none."""
    command = parse_command(frame)
    if isinstance(command, Answer) and command.proposal is None:
        return replace(command, proposal=NONE_NAMED)
    return command


def _instant(frame: Mapping[str, Any]) -> int:
    at = frame.get("at")
    if type(at) is not int or not 0 <= at <= LARGEST_INSTANT:
        raise Refused(Why.BAD_VALUE, "at must be a whole number of milliseconds since 1970.")
    return at


def _hand_over(id_: str, frame: Mapping[str, Any]) -> HandOver:
    """Parse a hand-over: both seats' commands in chronological order, with unique ids."""
    given = frame.get("kept")
    if type(given) is not list or not 0 < len(given) <= MOST_KEPT or any(type(each) is not dict for each in given):
        raise Refused(Why.BAD_VALUE, Words("kept must be a list of 1 to %(most)s commands.", most=MOST_KEPT))
    kept = tuple(_kept(each) for each in given)
    if any(after.at <= before.at for before, after in pairwise(kept)):
        raise Refused(Why.BAD_VALUE, "at must be later in each command than in the one before.")
    handed_over = HandOver(kept)
    ids = handed_over.ids(id_)
    if any(len(one) > LONGEST_ID for one in ids):
        most = LONGEST_ID - len(f".{MOST_KEPT}")
        raise Refused(Why.BAD_VALUE, Words("The id of a hand-over must have at most %(most)s characters.", most=most))
    if len({id_, *ids}) <= len(ids):
        raise Refused(Why.BAD_VALUE, "Each command in kept must have an id of its own.")
    return handed_over


def _kept(frame: dict[str, Any]) -> Kept:
    """Parse a part of a hand-over: a `do` frame whose id is optional."""
    if frame.get("do") in SERVERS_OWN:
        raise Refused(Why.BAD_MESSAGE, Words("Only the server may send “%(do)s”.", do=frame["do"]))
    seat = _asking(frame)
    if seat is None:
        raise Refused(Why.BAD_VALUE, "This phone holds both seats. Say which one is asking: left or right.")
    note_must_be_stored(frame.get("note"))
    id_ = required_id(frame) if "id" in frame else None
    return Kept(seat, parse_command({**frame, "credit_ms": 0}), _instant(frame), id_)


def _beside_the_rules(frame: Mapping[str, Any]) -> Command | None:
    """Parse a director's administrative command; None for any other.

    `tables.prepare` adds what only the server knows: the current table or a new code.
    """
    match frame.get("do"):
        case "release-seat":
            return ReleaseSeat(parse_seat("seat", frame), parse_note(frame))
        case "grant-seat":
            return GrantSeat(parse_seat("seat", frame), parse_note(frame))
        case "move":
            to = frame.get("to")
            if type(to) is not str or not to.isprintable() or not 0 < len(to.strip()) <= LONGEST_TABLE:
                raise Refused(
                    Why.BAD_VALUE,
                    Words("to must be the name of a table: 1 to %(most)s characters.", most=LONGEST_TABLE),
                )
            return Move("", to.strip(), parse_note(frame))
        case "replace-code":
            return ReplaceCode("", "", parse_note(frame))
    return None


def _asking(frame: Mapping[str, Any]) -> Seat | None:
    """Seat that sends the command, or None if the frame does not name one."""
    proposes = frame.get("do") == "propose" and frame.get("what") in ("time", "drop-forfeit")
    seat_is_argument = proposes or frame.get("do") == "grant-seat"
    name = "by" if seat_is_argument else "seat"
    given = frame.get(name)
    if given is None:
        return None
    if given not in ("left", "right"):
        raise Refused(Why.BAD_VALUE, Words("%(name)s must be left or right.", name=name))
    return Seat(given)
