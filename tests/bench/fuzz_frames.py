"""Frames as real clients send them, repeated, reordered and mutated (seeded).

The director moves matches and replaces codes, but frees no seat: a phone without a seat can send little.
"""

import json
import random
import time
from collections import deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.bench.play import new_id

Frame = dict[str, Any]

SEATS = ("left", "right")
SEAT_COMMANDS = ("hit", "stop", "resume", "double", "take", "pass", "propose", "agree", "decline", "withdraw", "call")
DIRECTOR_COMMANDS = (*SEAT_COMMANDS, "answer", "confirm", "hand-over", "look", "expire", "take-seat")
INSTANTS_MS = (-31_536_000_000, -3_600_000, -60_000, -5_000, -1_000, -20, 20, 1_000, 5_000, 3_600_000, 31_536_000_000)
ODD = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "\x00",
    "\u202e",
    "\ud800",
    "é" * 300,
    "x" * 65,
    [],
    {},
    1 << 53,
    1 << 63,
    10**30,
)
KEPT = 400  # earlier frames kept for repetition, per match and overall


class Fuzzer:
    """Generates frames for all parties of many matches, partly from earlier ones."""

    def __init__(self, seed: int, elsewhere: int) -> None:
        """`elsewhere` is the number of a match to which no party has access."""
        self._dice = random.Random(seed)
        self._elsewhere = elsewhere
        self._said: dict[int, deque[Frame]] = {}  # by match number
        self._all: deque[Frame] = deque(maxlen=KEPT)
        self._held_back: list[Frame] = []

    def frames(self, party: str, match: Frame) -> list[bytes]:
        """Next frames from a party (a seat, `both` or `director`), given a match snapshot."""
        dice = self._dice
        own = self._said.setdefault(match["match"], deque(maxlen=KEPT))
        drawn = dice.random()
        if drawn < 0.4 or not own:
            frame = self._real(party, match)
        elif drawn < 0.52:
            frame = dice.choice(own)
        elif drawn < 0.6:
            frame = dice.choice(self._all)
        elif drawn < 0.66 and self._held_back:
            frame = self._held_back.pop(dice.randrange(len(self._held_back)))
        elif drawn < 0.94:
            frame = self._mutated(dice.choice([self._real(party, match), dice.choice(own), dice.choice(self._all)]))
        else:
            return self._spoilt(_encoded(self._real(party, match)))
        if dice.random() < 0.05:
            self._held_back.append(frame)
            return []
        own.append(frame)
        self._all.append(frame)
        return [_encoded(frame)] * (2 if dice.random() < 0.04 else 1)

    # --- valid frames ---------------------------------------------------------------------------------------------

    def _real(self, party: str, match: Frame) -> Frame:
        """Random valid frame that this party's page could send now."""
        dice = self._dice
        drawn = dice.random()
        if drawn < 0.03:
            return {"t": "ping", "c": dice.randrange(10**6)}
        if drawn < 0.04:
            return {"t": "probe", "p": dice.randrange(9)}
        if drawn < 0.05:
            return {"t": "seat", "id": new_id(), "ask": dice.randrange(1, 50), "give": dice.random() < 0.5}
        if drawn < 0.06:
            return {"t": "take", "id": new_id(), "alert": f"{match['match']}:flag:{dice.randrange(10**6)}"}
        frame = {"t": "do", "id": new_id(), "match": match["match"], **self._command(party, match)}
        if party == "both" and drawn < 0.2:
            return {"t": "do", "id": new_id(), "match": match["match"], "do": "hand-over", "kept": self._kept(match)}
        if party != "director":
            of_seat = frame["do"] == "propose" and frame["what"] in ("time", "drop-forfeit")
            frame["by" if of_seat else "seat"] = (match["turn"] or "left") if party == "both" else party
            frame["at"] = self._now() - dice.choice((0, 0, 5, 40, 300))
        return frame

    def _command(self, party: str, match: Frame) -> Frame:
        dice, status, turn = self._dice, match["status"], match["turn_number"]
        if party == "director" and dice.random() < 0.03:
            return self._of_the_director(match)
        if match.get("proposal") and dice.random() < 0.6:
            return {
                "do": dice.choice(("agree", "agree", "decline", "withdraw")),
                "proposal": match["proposal"]["number"],
            }
        if status == "over":
            return {"do": "propose", "what": "reopen", "note": "again"}
        if status == "ready" and dice.random() < 0.2:
            return {"do": "stop", "reason": "break"}
        if status in ("setup", "ready"):
            return {"do": dice.choice(("confirm", "hit"))}
        if match["cube"]["offered_by"] and dice.random() < 0.8:
            return {"do": dice.choice(("take", "take", "pass")), "turn_number": turn}
        if status == "stopped" and dice.random() < 0.7:
            return {"do": "resume", **dice.choice(({}, {"turn_of": dice.choice(SEATS)}, {"fresh_delay": True}))}
        if party != "director" and dice.random() < 0.6:
            return {"do": "hit", "turn_number": turn}
        return dice.choice((self._other, self._proposed))(match)

    def _of_the_director(self, match: Frame) -> Frame:
        dice = self._dice
        return dice.choice(
            (
                {"do": "grant-seat", "seat": dice.choice(SEATS), "note": "it is hers"},
                {"do": "move", "to": f"F{dice.randrange(500)}", "note": "a draught"},
                {"do": "replace-code", "note": "it was read out"},
            )
        )

    def _other(self, match: Frame) -> Frame:
        dice = self._dice
        return dice.choice(
            (
                {"do": "stop", "reason": dice.choice(("other", "dice", "break", "dice-picked-up", "director"))},
                {"do": "double", "turn_number": match["turn_number"]},
                {"do": "call", "note": dice.choice(("", "a dice is cocked", "¿qué?"))},
                {"do": "answer"},
            )
        )

    def _proposed(self, match: Frame) -> Frame:
        dice, seat = self._dice, self._dice.choice(SEATS)
        terms: tuple[Frame, ...] = (
            {"what": "game", "winner": seat, "points": dice.choice((1, 2, 4))},
            {"what": "offer", "winner": seat, "outcome": dice.choice(("single", "gammon"))},
            {"what": "dice-penalty", "against": seat},
            {"what": "drop-forfeit", "seat": seat},
            {"what": "undo"},
            {"what": "score", "score": [dice.randrange(26), dice.randrange(26)]},
            {"what": "cube", "value": dice.choice((1, 2, 4)), "owner": dice.choice((None, seat))},
            {"what": "time", "seat": seat, "by_ms": dice.choice((-20_000, 30_000, 60_000)), "note": "spilt tea"},
            {"what": "end", "winner": seat, "note": "a train"},
        )
        return {"do": "propose", **dice.choice(terms)}

    def _kept(self, match: Frame) -> list[Frame]:
        dice, number = self._dice, self._dice.randrange(1, 7)
        first = SEATS.index(match["turn"] or "left")
        at = self._now() - dice.choice((500, 4_000, 60_000))
        kept: list[Frame] = []
        for place in range(number):
            at += dice.randrange(1, 900)
            kept.append({"do": "hit", "seat": SEATS[(first + place) % 2], "at": at})
            if dice.random() < 0.3:
                kept[-1]["id"] = new_id()
        return kept

    def _now(self) -> int:
        return int(time.time() * 1000)

    # --- invalid frames -------------------------------------------------------------------------------------------

    def _mutated(self, frame: Frame) -> Frame:
        frame = deepcopy(frame)
        for _ in range(self._dice.choice((1, 1, 2, 3))):
            self._dice.choice(self._MUTATIONS)(self, frame)
        return frame

    def _another_id(self, frame: Frame) -> None:
        other = self._dice.choice(self._all)
        frame["id"] = self._dice.choice(
            (other.get("id"), f"{other.get('id')}.0", "x" * 64, "x" * 65, "", new_id()[:8], new_id() * 2)
        )

    def _move_instant(self, frame: Frame) -> None:
        for each in (frame, *_parts(frame)):
            if type(each.get("at")) is int:
                each["at"] += self._dice.choice(INSTANTS_MS)

    def _another_seat(self, frame: Frame) -> None:
        name = self._dice.choice(("seat", "by", "turn_of", "winner", "against"))
        frame[name] = self._dice.choice((*SEATS, "director", "middle", None))

    def _another_turn(self, frame: Frame) -> None:
        name = self._dice.choice(("turn_number", "proposal", "points", "value", "hall"))
        number = _number(frame.get(name))
        frame[name] = self._dice.choice((0, 1, -1, number + 1, number - 1, 1 << 40))

    def _another_match(self, frame: Frame) -> None:
        next_one = _number(frame.get("match")) + 1
        frame["match"] = self._dice.choice((self._elsewhere, 0, 1, -1, 1 << 53, next_one, None))

    def _another_command(self, frame: Frame) -> None:
        frame["do"] = self._dice.choice(DIRECTOR_COMMANDS)

    def _another_note(self, frame: Frame) -> None:
        long = (sign * 400 for sign in ("x", "é", "😀"))
        frame["note"] = self._dice.choice((*long, "\x00", "a\nb", "\u202e", "\udfff", 7, "=1+1"))

    def _another_shape(self, frame: Frame) -> None:
        key = self._dice.choice([*frame, "new"])
        if self._dice.random() < 0.5:
            frame.pop(key, None)
        else:
            frame[key] = deepcopy(self._dice.choice(ODD))

    def _other_parts(self, frame: Frame) -> None:
        dice = self._dice
        kept = _parts(frame)
        if not kept:
            earlier = [parts for other in self._all if (parts := _parts(other))]
            frame |= {"do": "hand-over", "kept": deepcopy(dice.choice(earlier)) if earlier else []}
            return
        frame["kept"] = kept
        drawn = dice.randrange(6)
        if drawn == 0:
            dice.shuffle(kept)
        elif drawn == 1:
            kept.append(dict(kept[-1]))
        elif drawn == 2:
            kept[0]["id"] = kept[-1]["id"] = new_id()
        elif drawn == 3:
            kept[0]["id"] = frame.get("id")
        elif drawn == 4:
            kept[0]["id"] = f"{frame.get('id')}.{len(kept) - 1}"
        else:
            kept[0] |= self._mutated({key: value for key, value in dice.choice(self._all).items() if key != "kept"})

    _MUTATIONS: tuple[Callable[["Fuzzer", Frame], None], ...] = (
        _another_id,
        _another_id,
        _move_instant,
        _move_instant,
        _another_seat,
        _another_turn,
        _another_match,
        _another_command,
        _another_note,
        _another_shape,
        _other_parts,
        _other_parts,
    )

    def _spoilt(self, text: bytes) -> list[bytes]:
        """Frame text, truncated, doubled, padded or otherwise spoilt, in a list."""
        dice = self._dice
        return [
            dice.choice(
                (
                    text[: dice.randrange(len(text))],
                    text + text,
                    text[:-1] + b',"note":"' + b"x" * dice.choice((3_900, 4_096, 9_000)) + b'"}',
                    text.replace(b'"', b"'"),
                    b" " * 3_000 + text,
                    text.replace(b'"do"', b'"do":"hit","do"', 1),
                )
            )
        ]


def _encoded(frame: Frame) -> bytes:
    """Frame as JSON; unlike orjson, allows huge integers and lone surrogates."""
    return json.dumps(frame).encode()


def _parts(frame: Frame) -> list[Frame]:
    """Stored commands in a hand-over; empty for other frames."""
    kept = frame.get("kept")
    return [part for part in kept if type(part) is dict] if type(kept) is list else []


def _number(value: object) -> int:
    return value if type(value) is int else 0
