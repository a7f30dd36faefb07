"""WebSocket protocol: all messages, snapshots and close codes.

One JSON object per frame, at most 4 KiB to the server. `=>` goes to the server, `<-` to the sender, `<=` to all sockets
of a match.

    => {"t":"ping","c":123.4}                    <- {"t":"pong","c":123.4,"now":1700000000123,"v":42}
    => {"t":"do","id":"uuid","do":"hit","turn_number":17,"at":1700000000100,"seat":"left"}
                                                 <- {"t":"ack","id":"uuid","v":43,"credit_ms":0}
                                                 <- {"t":"refused","id":"uuid","code":"not-your-turn","v":42,
                                                     "words":"It is Bob's turn."}
    <= {"t":"match","match":17,"v":43,"now":...}    the whole match, see `snapshot`
    <- {"t":"probe","p":5}                       => {"t":"probe","p":5}
    <- {"t":"restart","after_ms":1200}              then close 1012: reconnect after that time
    <- {"t":"program","version":"3f2a…"}            once, after the first snapshot: a page of another version
                                                     reloads when no clock runs
    <= {"t":"message","now":..,"id":7,"text":"Lunch at one.","at":..,"until":..}    the director's message to phones,
                                                     shown until `until`; `id` 0: no message

Every command has the shape of the `do` frame, with its arguments next to `do`. `at` is the time of the press, in server
time as the phone estimates it. `seat` is the sending seat, needed only from a phone that holds both; if `seat` is an
argument of the command (`propose` `time` and `drop-forfeit`, `grant-seat`), `by` is the sending seat instead. The
director must send `match`; if a phone sends it, its command cannot reach the next match at its table.

`turn_number` in a press or a `propose` names its turn; in another turn it is rejected as `stale`. A player who has
stopped the clocks with {"do":"stop"} may give the reason with a second one that has `reason`. {"do":"withdraw"} takes
back an `agree` to the consequence of a flag, until the other player has agreed.
`agree` and `decline` carry `proposal`, the `proposal.number` of the snapshot that was read; without it, or with
another, they are rejected as `stale`. `do_frame` describes when a proposal gets a new number.

`not-stored` in a rejection means that the command was not at fault: the server failed, or the address reached the limit
for players' own matches. It may be sent again with the same id. `do_frame` covers repeated calls and long notes.

`lent_at` in a snapshot is when each seat was borrowed, usually by a phone that took it over from a silent one (null:
not borrowed). That phone may press, stop and call; anything else needs the director's `grant-seat` or the seat's own
phone. In a casual match, which has no director, the other player's phone grants it, or the phone that holds both seats,
once the seat's own phone has not been heard from for two minutes.

`lag_used_ms` in a snapshot is the lag credit that each seat has used in this game, `lag_presses` the number of presses
with credit and `game_presses` of all presses. WebSocket control pings, which JavaScript does not see, measure the round
trip; only a server without them sends `probe`.

`declined` in a snapshot is the last declined proposal, with who declined it, until the next press, proposal or ruling.

`won_by` in a snapshot says how a match was won: by a `single` game, a `gammon`, a `backgammon`, a `pass`, the other
player's `time`, or `ended` by a ruling or an agreement; null if a corrected score decided it.

`between` in a snapshot means that the players share one phone. Only that phone gets `alone`: the whole state and the
rules, so that it can continue offline. It sends its offline commands in the first frames of its next socket, at most 64
in each, until they are answered:

    => {"t":"do","id":"uuid","do":"hand-over","match":17,"kept":[{"do":"hit","seat":"left","at":1700000000100},
        {"do":"double","seat":"right","at":1700000009000,"id":"uuid"}]}

Each has the shape of a `do` frame, with `at` later than in the one before, and `id` if it may have been sent already.
It counts at its `at`, which must be after the last event and not in the future, to within a second; otherwise it is
rejected as `overruled` or `bad-value`, the rest is dropped, and `v` says how much was stored. An `at` before the phone
went silent counts as the start of that silence, later by the time since its return if that is more than three seconds;
on a phone that was online, as the arrival. While the phone is silent, and after its return until it sends another frame
or has answered pings for a minute, no flag falls.

A snapshot has `by_players`, the seats with new names, only if the players entered the match themselves.

A snapshot whose `code` differs from the page's means that the director moved the match: the page follows it.
`round` is the round's name in English; `round_number` is set for a round without a name of its own (else null), so
that a page can translate it.

Four administrative commands are the director's, each with a `note`: {"do":"release-seat","seat":"left"},
{"do":"grant-seat","seat":"left"} (the phone in that seat may do everything, and settle its own proposals if it holds
both), {"do":"move","to":"14"} (a table's name) and {"do":"replace-code"}.

Under a rule set that hides times from spectators (Michigan 3.11), spectators get the same frames without times:
reserves and delays, `since`, `used_ms`, `flag_at`, `wait_until`, `late`, `lag_used_ms` are null.

    <- {"t":"seen","now":..,"seats":{"<match>":[left_at, right_at]}}    to the phones that play it, when one of them
                                                     has been silent for 10 s, and when it is back (null: seat free)

On the table's page, a phone can request a seat whose phone is online (`takeover`). The seat's phone and all directors
get the pending requests at each change, and can answer; with `give` true, the claim is made.

    <- {"t":"asks","now":..,"asks":[{"id":3,"match":17,"seats":["left"],"at":..,"until":..}]}
    => {"t":"seat","id":"uuid","ask":3,"give":true}                  <- {"t":"ack","id":"uuid","v":44,"credit_ms":0}

A director's or hall socket first gets all tables' matches, `{"t":"boards","now":..,"version":"3f2a…","boards":[match,
...]}`: `version` is the program's, so that an unattended screen reloads. Then changes, at most four times a
second: one match as its `match` frame, several together as

    <- {"t":"matches","now":..,"matches":[match, ...],"seats":{...}}

and every few seconds the last contact with each phone, `{"t":"seen","now":..,"seats":{"<match>":[left_at, right_at]}}`
(null: seat free), which `matches` may include. A hall socket also gets the director's `message` to all tables, and its
matches have no `code` and empty notes. Matches that left their tables without a successor are announced within 1 s.
A director's page gets start times and lateness penalties, at first and when they change; a table socket gets only the
start times, once there is one:

    <- {"t":"gone","now":..,"matches":[17]}
    <- {"t":"starts","now":..,"starts":{"Round 1":1700000000000},"lateness":[[10,"1"],[30,"match"]]}

A page that reconnects names its match and seats in the query: `?match=17&seats=left,right`. If its phone has lost one
of them meanwhile, the socket closes as it would have then: with 4409, or with 4403 if the seat is free.

A socket closes with 4404 if the match or tournament no longer exists, and with 4410 if the tournament is archived:
phones and screens show this and do not reconnect. After any close frame the server waits up to 3 s for the client's,
and then closes the connection without a reset; only a flood of frames closes it at once.

A director's socket also accepts a frame for claiming an alert, which does not change the match. `alert` is the name
that pages give it, which begins with the match's id. All directors' pages get the claim, and a new page gets all
claims.

    => {"t":"take","id":"uuid","alert":"17:flag:1700000000123"}       <- {"t":"ack","id":"uuid","v":0,"credit_ms":0}
    <- {"t":"taken","taken":{"17:flag:1700000000123":{"by":"dora","at":1700000000500}}}

It gets the state of the backups when it joins and at each change: the time of the last good one (null: none is known),
when the next becomes overdue (null: none is due), the free bytes on the disk, rounded down to a tenth of a gigabyte,
and whether that is too little.

    <- {"t":"kept","at":1700000000123,"overdue_at":1700000900123,"free":71200000000,"little":false}
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from clocks.engine.books.carried import carried
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal.stored import StoredMatch
from clocks.live import frames

LONGEST_FRAME = 4096  # bytes
LONGEST_ID = 64
FREE_STEP = 100_000_000  # bytes; free space is rounded down to a multiple, so that few changes send a frame
LARGEST_INSTANT = 1 << 53  # JavaScript integers are exact up to this

NOT_SIGNED_IN = 4401
REVOKED = 4403
NO_SUCH_MATCH = 4404
TAKEN_OVER = 4409
PUT_AWAY = 4410
TOO_MANY_MESSAGES = 4429
RESTARTING = 1012

# Fields hidden from spectators under some rule sets: of a match, and of a proposal.
TIMES = tuple("reserve_ms delay_ms turn_reserve_ms since used_ms flag_at wait_until late lag_used_ms".split())
TIMES_OF_TERMS = ("by_ms", "reserve_ms")


def read_frame(text: str | None) -> dict[str, Any]:
    """Parse a frame; `text` is None if it is binary. Raises Refused(Why.BAD_MESSAGE)."""
    if text is None:
        raise Refused(Why.BAD_MESSAGE, "Messages are text, not binary.")
    if len(text) > LONGEST_FRAME or (not text.isascii() and len(text.encode(errors="surrogatepass")) > LONGEST_FRAME):
        raise Refused(Why.BAD_MESSAGE, Words("A message may have at most %(most)s bytes.", most=LONGEST_FRAME))
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Refused(Why.BAD_MESSAGE, "A message is one JSON object.") from None
    if type(frame) is not dict:
        raise Refused(Why.BAD_MESSAGE, "A message is one JSON object.")
    return frame


def frame_id(frame: Mapping[str, Any]) -> str | None:
    """Id of a frame, or None if it has no valid one."""
    given = frame.get("id")
    if type(given) is str and 0 < len(given) <= LONGEST_ID and given.isprintable():
        return given
    return None


def required_id(frame: Mapping[str, Any]) -> str:
    """Id of a command. Raises Refused(Why.BAD_MESSAGE) if it has no valid one."""
    id_ = frame_id(frame)
    if id_ is None:
        raise Refused(
            Why.BAD_MESSAGE, Words("Every command carries an id of 1 to %(most)s characters.", most=LONGEST_ID)
        )
    return id_


def read_ping(frame: Mapping[str, Any]) -> float:
    """Client's time in a ping. Raises Refused(Why.BAD_VALUE) unless it is a number."""
    given = frame.get("c")
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise Refused(Why.BAD_VALUE, "c must be a number.")
    return given


def encode(frame: frames.ServerFrame | frames.Alone) -> str:
    """JSON text of a frame or of a part of one."""
    return orjson.dumps(frame).decode()


def pong(c: float, now: int, v: int) -> str:
    """Reply to a ping."""
    return encode({"t": "pong", "c": c, "now": now, "v": v})


def ack(id_: str, v: int, credit_ms: int) -> str:
    """Reply to a command that was stored as version `v`."""
    return encode({"t": "ack", "id": id_, "v": v, "credit_ms": credit_ms})


def refused(id_: str | None, code: str, words: str, v: int) -> str:
    """Rejection of a frame."""
    return encode({"t": "refused", "id": id_, "code": Why(code), "v": v, "words": words})


def message(now: int, id_: int = 0, text: str = "", at: int = 0, until: int = 0) -> str:
    """Director's message to phones or hall screens; `id_` 0 removes it."""
    return encode({"t": "message", "now": now, "id": id_, "text": text, "at": at, "until": until})


def program(version: str) -> str:
    """Frame with the program's version."""
    return encode({"t": "program", "version": version})


def boards(now: int, version: str, texts: Sequence[str]) -> str:
    """First frame of a tournament's page, from encoded `match` frames."""
    head = encode({"t": "boards", "now": now, "version": version, "boards": []})
    return f"{head[:-2]}{','.join(texts)}]}}"


def matches(now: int, texts: Sequence[str], seats: Mapping[str, frames.SeenAt] | None) -> str:
    """Several encoded `match` frames in one, with `seen` times."""
    frame: frames.MatchesFrame = {"t": "matches", "now": now, "matches": []}
    head = encode(frame if seats is None else {"t": "matches", "now": now, "seats": seats, "matches": []})
    return f"{head[:-2]}{','.join(texts)}]}}"


def seen(now: int, seats: Mapping[str, frames.SeenAt]) -> str:
    """Frame with the times when each seat's phone was last heard from, by match."""
    return encode({"t": "seen", "now": now, "seats": seats})


def gone(now: int, match_ids: Sequence[int]) -> str:
    """Matches that are no longer at any table."""
    return encode({"t": "gone", "now": now, "matches": match_ids})


def starts(now: int, starts_at: Mapping[str, int], lateness: Sequence[Any]) -> str:
    """Start times of rounds, by the name on their boards, and lateness penalties."""
    return encode({"t": "starts", "now": now, "starts": starts_at, "lateness": lateness})


def read_claim(frame: Mapping[str, Any]) -> tuple[str, str]:
    """Id and alert of a `take` frame. Raises Refused unless they are valid."""
    id_, alert = required_id(frame), frame.get("alert")
    if type(alert) is not str or not alert.isprintable() or not 0 < len(alert) <= LONGEST_ID:
        raise Refused(
            Why.BAD_VALUE, Words("alert must be the name of an alert: 1 to %(most)s characters.", most=LONGEST_ID)
        )
    return id_, alert


def asks(now: int, waiting: Sequence[frames.Ask]) -> str:
    """Pending seat requests."""
    return encode({"t": "asks", "now": now, "asks": waiting})


def read_seat(frame: Mapping[str, Any]) -> tuple[str, int, bool]:
    """Id, request and answer of a `seat` frame. Raises Refused unless they are valid."""
    id_, ask, give = required_id(frame), frame.get("ask"), frame.get("give")
    if type(ask) is not int or not 0 < ask <= LARGEST_INSTANT:
        raise Refused(Why.BAD_VALUE, "ask must be the number of a request.")
    if type(give) is not bool:
        raise Refused(Why.BAD_VALUE, "give must be true or false.")
    return id_, ask, give


def taken(by_alert: Mapping[str, Any]) -> str:
    """Handled alerts, and the directors who handle them."""
    return encode({"t": "taken", "taken": by_alert})


def kept(at: int | None, overdue_at: int | None, free: int, little: bool) -> str:
    """State of the backups and of the disk."""
    free -= free % FREE_STEP
    return encode({"t": "kept", "at": at, "overdue_at": overdue_at, "free": free, "little": little})


def texts(board: StoredMatch, now: int, seen_at: tuple[int, int]) -> tuple[str, str]:
    """`match` frame for players and directors, and for spectators ("" if the same)."""
    frame = snapshot(board, now, seen_at)
    return encode(frame), encode(without_times(frame)) if board.match.rules.hides_times else ""


def with_state(text: str, board: StoredMatch) -> str:
    """Encoded `match` frame for a shared phone, with the state; "" if there is none."""
    if board.between is None:
        return ""
    return f'{text[:-1]},"alone":{encode({"state": board.match, "book": carried(board.match.setup)})}}}'


def without_times(frame: frames.Snapshot) -> frames.Snapshot:
    """`match` frame for spectators: without times or anything that reveals one."""
    terms = {name: _hidden(frame[name]) for name in ("proposal", "declined")}
    hidden: Any = {**frame, **dict.fromkeys(TIMES), **terms}
    return cast(frames.Snapshot, hidden)


def _hidden(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    return {key: None if key in TIMES_OF_TERMS else _hidden(value) for key, value in plain.items()}


def snapshot(board: StoredMatch, now: int, seen_at: tuple[int, int]) -> frames.Snapshot:
    """The `match` frame: the whole match as of `now`.

    `Match.wire` supplies the state of play; this adds the table, the phones in the seats, and the rule set's features.
    """
    match = board.match
    rules = match.rules
    left, right = board.devices
    frame: frames.Snapshot = {
        "t": "match",
        "match": board.id,
        "v": board.version,
        "now": now,
        **match.wire(now),  # type: ignore[typeddict-item]  # it has no optional fields of a snapshot
        "table": board.table,
        "code": board.code,
        "tournament": board.tournament,
        "round": board.round,
        "round_number": board.round_number,
        "made_at": board.made_at,
        "rules_name": rules.name,
        "features": rules.features,
        "lag_credit_ms": match.lag_credit_ms,
        "late": None if board.late is None else board.late._asdict(),
        "lent_at": board.tenure.lent_at,
        "between": board.between is not None,
        "seats": (
            {"held": left is not None, "seen_at": None if left is None else seen_at[0]},
            {"held": right is not None, "seen_at": None if right is None else seen_at[1]},
        ),
    }
    if board.by_players is not None:
        frame["by_players"] = board.by_players
    return frame
