"""The wire: JSON to command, match to snapshot, close codes. Every message is documented here.

One JSON object a frame, at most 4 KiB to the server. `=>` to the server, `<-` to the sender, `<=` to all on the match.

    => {"t":"ping","c":123.4}                    <- {"t":"pong","c":123.4,"now":1700000000123,"v":42}
    => {"t":"do","id":"uuid","do":"hit","turn_number":17,"at":1700000000100,"seat":"left"}
                                                 <- {"t":"ack","id":"uuid","v":43,"credit_ms":0}
                                                 <- {"t":"refused","id":"uuid","code":"not-your-turn","v":42,
                                                     "words":"It is Bob's turn."}
    <= {"t":"match","match":17,"v":43,"now":...}    the whole match, see `snapshot`
    <- {"t":"probe","p":5}                       => {"t":"probe","p":5}
    <- {"t":"restart","after_ms":1200}              then close 1012: come back after that time
    <- {"t":"program","version":"3f2a…"}            once, after the first snapshot: a page of another version
                                                     reloads when no clock runs
    <= {"t":"message","now":..,"id":7,"text":"Lunch at one.","at":..,"until":..}    what the director tells the phones,
                                                     to be shown until then; `id` 0: nothing now

Every command has the shape of the `do` frame, its arguments beside `do`. `at` is the press in server time as the phone
estimates it. `seat` says which seat asks, needed only on a device that holds both; where `seat` is an argument of the
command (`propose` `time` and `drop-forfeit`, `grant-seat`), `by` says it instead. `match` is required of the director;
a phone that names it is not heard by the next match at its table.

`turn_number` in a press or a `propose` says which turn it is meant for; in another it is refused as `stale`. A player
who has stopped the clocks with {"do":"stop"} gives the reason by a second one with `reason`. {"do":"withdraw"} takes
back an `agree` to what a flag leads to, until the other player has agreed.
`agree` and `decline` carry `proposal`, the `proposal.number` of the snapshot that was read; without it, or with
another, they are refused as `stale`. `do_frame` says when a proposal gets a new number.

`not-stored` in a refusal means that the command was not at fault: the server failed, or players' own matches sent too
much from there. It may be sent again with the same id. `do_frame` says what a repeated `call` and a long note lead to.

`lent_at` in a snapshot says of each seat since when it is held by a phone that took it from a silent one (null: it is
not). That phone may press, stop and call; the rest waits for the director's `grant-seat` or for the seat's own phone.
In a casual match, which has no director, the other player's phone grants it, or the phone that holds both seats: not
within two minutes of the last sign of the seat's own phone.

`lag_used_ms` in a snapshot is what each seat's presses of this game were credited for the network, `lag_presses` at how
many of them and `game_presses` how many there were. The round trip is measured by WebSocket control pings, which no
script sees; `probe` is sent only where the server has none.

`won_by` in a snapshot says what a match that is over was won by: a `single` game, a `gammon`, a `backgammon`, a `pass`,
the `time` of the other player, or that it was `ended` by a ruling or an agreement; null where a corrected score won it.

`between` in a snapshot says that one phone lies between the players. That phone alone gets `alone` with it: the whole
state of the match and what its rules prescribe, by which it goes on while it has no network. What it was asked
meanwhile it sends as the first frames of its next socket, at most 64 commands in each, until they are answered:

    => {"t":"do","id":"uuid","do":"hand-over","match":17,"kept":[{"do":"hit","seat":"left","at":1700000000100},
        {"do":"double","seat":"right","at":1700000009000,"id":"uuid"}]}

Each has the shape of a `do` frame, `at` later than in the one before; `id` only where it may have been sent already.
Each counts at its `at`, after the last event and not after now, or the refusal says `overruled` or `bad-value` and ends
it: `v` says what was taken before. An `at` before the phone fell silent counts as that instant, on a phone that was
online as the arrival. While it is silent no flag falls: not until a frame or the answer to a later ping is heard.

A snapshot has `by_players` only where the players entered the match themselves: the seats whose names were nobody's.

A snapshot with another `code` than the page's means that the match was moved to another table: the page follows it.
`round` is the round's name in English; `round_number` the number of a round without a name of its own (else null), so
that a page says it in its reader's language.

Four commands are the director's alone and outside the rules, each with a `note`: {"do":"release-seat","seat":"left"},
{"do":"grant-seat","seat":"left"} (the phone in that seat may do everything, answer for both where it holds both),
{"do":"move","to":"14"} (a table's name) and {"do":"replace-code"}.

Under a rule set that hides times from spectators (Michigan 3.11) whoever neither holds a seat nor directs gets the same
frames with all times left out: reserves and delays, `since`, `used_ms`, `flag_at`, `wait_until`, `late` are null.

    <- {"t":"seen","now":..,"seats":{"<match>":[left_at, right_at]}}    to the phones that play it, when one of them
                                                     has been silent for 10 s, and when it is back (null: seat free)

A phone that wants a seat whose phone is online asks on the table's page (`takeover`). Whoever holds that seat, and
every director, is told what is waiting, again at each change, and answers; `give` makes the claim.

    <- {"t":"asks","now":..,"asks":[{"id":3,"match":17,"seats":["left"],"phone":9,"at":..,"until":..}]}
    => {"t":"seat","id":"uuid","ask":3,"give":true}                  <- {"t":"ack","id":"uuid","v":44,"credit_ms":0}

A director's or hall socket first gets all tables' matches, `{"t":"boards","now":..,"version":"3f2a…","boards":[match,
...]}`: `version` is that of the program, so that a screen nobody touches reloads. Then what changed, at most
four times a second: one match as its `match` frame, several together as

    <- {"t":"matches","now":..,"matches":[match, ...],"seats":{...}}

and every few seconds who was heard when, `{"t":"seen","now":..,"seats":{"<match>":[left_at, right_at]}}` (null: seat
free), which `matches` may carry along. A hall socket is sent the director's `message` to all tables as well.
Its matches have no `code`. Matches that no table plays any more, though no other took their place, are named within a
second, and a director's page is told when rounds start and what being late costs, at first and when it changes:

    <- {"t":"gone","now":..,"matches":[17]}
    <- {"t":"starts","now":..,"starts":{"Round 1":1700000000000},"lateness":[[10,"1"],[30,"match"]]}

A page that comes back says in its address which seats of which match it holds: `?match=17&seats=left,right`. Where its
phone has lost one of them meanwhile, the socket is closed as it would have been then: with 4409, or with 4403 where the
seat is free.

A socket is closed with 4404 where there is no such match or tournament, or no more, and with 4410 where the tournament
is in the archive: phones and screens are told so in a sentence and do not come back by themselves.

Besides `do` a director's socket has a frame for taking an alert, which changes nothing in the match. `alert` is the
name by which the pages know it; all directors' pages hear who is coming, and one that joins hears it of all alerts.

    => {"t":"take","id":"uuid","alert":"17:flag:1700000000123"}       <- {"t":"ack","id":"uuid","v":0,"credit_ms":0}
    <- {"t":"taken","taken":{"17:flag:1700000000123":{"by":"dora","at":1700000000500}}}

It is told what is known of copies, when it joins and at each change: when the last good one was taken (null: none is
known), from when on further ones are overdue (null: none are due), how many bytes are free on the disk, to a tenth of a
gigabyte, and whether that is little.

    <- {"t":"kept","at":1700000000123,"overdue_at":1700000900123,"free":71200000000,"little":false}
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from clocks.engine.books.carried import carried
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal.stored import StoredMatch

LONGEST_FRAME = 4096  # bytes
LONGEST_ID = 64
FREE_STEP = 100_000_000  # bytes: a smaller change of the room on the disk is not worth a frame
LARGEST_INSTANT = 1 << 53  # what a browser's number holds exactly

NOT_SIGNED_IN = 4401
REVOKED = 4403
NO_SUCH_MATCH = 4404
TAKEN_OVER = 4409
PUT_AWAY = 4410
TOO_MANY_MESSAGES = 4429
RESTARTING = 1012

TIMES = (
    "reserve_ms",
    "delay_ms",
    "turn_reserve_ms",
    "since",
    "used_ms",
    "flag_at",
    "wait_until",
    "late",
    "lag_used_ms",
)


def read_frame(text: str | None) -> dict[str, Any]:
    """Return the JSON object in a frame; None stands for a binary one. Raises Refused(Why.BAD_MESSAGE)."""
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
    """Return the id that a refusal of this frame names; None where it has none that could be used."""
    given = frame.get("id")
    if type(given) is str and 0 < len(given) <= LONGEST_ID and given.isprintable():
        return given
    return None


def required_id(frame: Mapping[str, Any]) -> str:
    """Return the id of a command. Raises Refused where it has none that could be used."""
    id_ = frame_id(frame)
    if id_ is None:
        raise Refused(
            Why.BAD_MESSAGE, Words("Every command carries an id of 1 to %(most)s characters.", most=LONGEST_ID)
        )
    return id_


def read_ping(frame: Mapping[str, Any]) -> float:
    """Return the phone's time in a ping. Raises Refused(Why.BAD_VALUE) when it is not a number."""
    given = frame.get("c")
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise Refused(Why.BAD_VALUE, "c must be a number.")
    return given


def encode(frame: Mapping[str, Any]) -> str:
    """Return a frame's text."""
    return orjson.dumps(frame).decode()


def pong(c: float, now: int, v: int) -> str:
    """Return the answer to a ping."""
    return encode({"t": "pong", "c": c, "now": now, "v": v})


def ack(id_: str, v: int, credit_ms: int) -> str:
    """Return the answer to a command that was stored as version `v`."""
    return encode({"t": "ack", "id": id_, "v": v, "credit_ms": credit_ms})


def refused(id_: str | None, code: str, words: str, v: int) -> str:
    """Return the answer to what changed nothing."""
    return encode({"t": "refused", "id": id_, "code": code, "v": v, "words": words})


def message(now: int, id_: int = 0, text: str = "", at: int = 0, until: int = 0) -> str:
    """Return what the director tells the phones; without `id_` that there is nothing to tell."""
    return encode({"t": "message", "now": now, "id": id_, "text": text, "at": at, "until": until})


def program(version: str) -> str:
    """Return which version of the program a phone talks to."""
    return encode({"t": "program", "version": version})


def boards(now: int, version: str, texts: Sequence[str]) -> str:
    """Return the first frame of a page that shows a whole tournament, of encoded `match` frames."""
    head = encode({"t": "boards", "now": now, "version": version})
    return f'{head[:-1]},"boards":[{",".join(texts)}]}}'


def matches(now: int, texts: Sequence[str], seats: Mapping[str, Any] | None) -> str:
    """Return many encoded `match` frames as one, and with them who was seen when."""
    head = encode({"t": "matches", "now": now} | ({} if seats is None else {"seats": seats}))
    return f'{head[:-1]},"matches":[{",".join(texts)}]}}'


def seen(now: int, seats: Mapping[str, Any]) -> str:
    """Return when each seat's phone was last heard, by match."""
    return encode({"t": "seen", "now": now, "seats": seats})


def gone(now: int, match_ids: Sequence[int]) -> str:
    """Return which matches are played at no table any more."""
    return encode({"t": "gone", "now": now, "matches": match_ids})


def starts(now: int, starts_at: Mapping[str, int], lateness: Sequence[Any]) -> str:
    """Return when the rounds of a tournament start, by what boards call them, and what being late costs."""
    return encode({"t": "starts", "now": now, "starts": starts_at, "lateness": lateness})


def read_claim(frame: Mapping[str, Any]) -> tuple[str, str]:
    """Return the id of a `take` frame and the alert that it names. Raises Refused(Why.BAD_MESSAGE or Why.BAD_VALUE)."""
    id_, alert = required_id(frame), frame.get("alert")
    if type(alert) is not str or not alert.isprintable() or not 0 < len(alert) <= LONGEST_ID:
        raise Refused(
            Why.BAD_VALUE, Words("alert must be the name of an alert: 1 to %(most)s characters.", most=LONGEST_ID)
        )
    return id_, alert


def asks(now: int, waiting: Sequence[Mapping[str, Any]]) -> str:
    """Return the requests for seats that wait for an answer."""
    return encode({"t": "asks", "now": now, "asks": waiting})


def read_seat(frame: Mapping[str, Any]) -> tuple[str, int, bool]:
    """Return the id of a `seat` frame, the request that it answers and whether the seat is given away.

    Raises Refused(Why.BAD_MESSAGE or Why.BAD_VALUE).
    """
    id_, ask, give = required_id(frame), frame.get("ask"), frame.get("give")
    if type(ask) is not int or not 0 < ask <= LARGEST_INSTANT:
        raise Refused(Why.BAD_VALUE, "ask must be the number of a request.")
    if type(give) is not bool:
        raise Refused(Why.BAD_VALUE, "give must be true or false.")
    return id_, ask, give


def taken(by_alert: Mapping[str, Any]) -> str:
    """Return who is coming to deal with which alert."""
    return encode({"t": "taken", "taken": by_alert})


def kept(at: int | None, overdue_at: int | None, free: int, little: bool) -> str:
    """Return what is known of copies and of the room on the disk."""
    free -= free % FREE_STEP
    return encode({"t": "kept", "at": at, "overdue_at": overdue_at, "free": free, "little": little})


def texts(board: StoredMatch, now: int, seen_at: tuple[int, int]) -> tuple[str, str]:
    """Return the `match` frame as players and directors get it, and as spectators do: empty where that is the same."""
    frame = snapshot(board, now, seen_at)
    return encode(frame), encode(without_times(frame)) if board.match.rules.hides_times else ""


def with_state(text: str, board: StoredMatch) -> str:
    """Return an encoded `match` frame as the phone between the players gets it, which may have to work on its own.

    Empty where there is no such phone.
    """
    if board.between is None:
        return ""
    return f'{text[:-1]},"alone":{orjson.dumps({"state": board.match, "book": carried(board.match.setup)}).decode()}}}'


def without_code(text: str, code: str) -> str:
    """Return an encoded `match` frame as the hall's screens get it: without the table's code, by which phones join."""
    return text.replace(f'"code":"{code}",', "", 1)


def without_times(frame: Mapping[str, Any]) -> dict[str, Any]:
    """Return a `match` frame that tells spectators no time, nor anything that a time could be worked out from."""
    hidden = {**frame, **dict.fromkeys(TIMES)}
    proposal = frame["proposal"]
    if proposal is not None:
        hidden["proposal"] = {**proposal, **({"by_ms": None} if "by_ms" in proposal else {})}
        if "consequence" in proposal:
            hidden["proposal"]["consequence"] = {**proposal["consequence"], "reserve_ms": None}
    return hidden


def snapshot(board: StoredMatch, now: int, seen_at: tuple[int, int]) -> dict[str, Any]:
    """Return the whole match as of `now`: the `match` frame.

    Besides the fields of a replay line and the turn (`Match.wire`): where it is played, who holds the seats and was
    heard when, and what the rule set offers.
    """
    match = board.match
    rules = match.rules
    left, right = board.devices
    return {
        "t": "match",
        "match": board.id,
        "v": board.version,
        "now": now,
        **match.wire(now),
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
        **({} if board.by_players is None else {"by_players": board.by_players}),
        "seats": [
            {"held": left is not None, "seen_at": None if left is None else seen_at[0]},
            {"held": right is not None, "seen_at": None if right is None else seen_at[1]},
        ],
    }
