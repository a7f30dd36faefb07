"""Endless malformed frames and forms, reproducible from a seed."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

ANYTHING: list[Any] = [None, True, False, 0, -1, 1.5, "", "x", "\x00", "é" * 70, [], ["hit"], {}, {"t": "do"}, 1 << 62]
WRONG: dict[str, list[Any]] = {  # invalid values by field
    "id": [None, 5, True, "", "x" * 65, "a\x00b", "\u202e", [], {}],
    "do": [None, 5, True, "", "win", "look", "expire", "take-seat", "HIT", "hit ", [], ["hit"], {"do": "hit"}],
    "at": ["now", "1", 1.5, True, -1, 1 << 54, [], {}],
    "seat": ["middle", "", "LEFT", 0, 1, True, [], ["left"], {}],
    "match": ["1", 0, -1, 1.5, True, 1 << 54, [], {}],
    "turn_number": ["1", -1, 1.5, True, 1 << 40, [], {}],
}
COMMANDS: list[dict[str, Any]] = [  # commands with invalid arguments
    {"do": "stop", "reason": "lunch"},
    {"do": "stop", "reason": "outage"},
    {"do": "resume", "turn_of": "nobody"},
    {"do": "resume", "fresh_delay": "yes"},
    {"do": "propose"},
    {"do": "propose", "what": "peace"},
    {"do": "propose", "what": "game", "winner": "nobody", "points": 1},
    {"do": "propose", "what": "score", "score": [1]},
    {"do": "propose", "what": "cube", "value": 3},
    {"do": "propose", "what": "time", "seat": "left", "by_ms": "5"},
    {"do": "propose", "what": "offer", "winner": "left", "outcome": "triple"},
    {"do": "call", "note": 7},
    {"do": "call", "note": "a\x00b"},
    {"do": "decline", "note": []},
    {"do": "agree", "proposal": "1"},
    {"do": "hand-over"},
    {"do": "hand-over", "kept": []},
    {"do": "hand-over", "kept": {}},
    {"do": "hand-over", "kept": ["hit"]},
    {"do": "hand-over", "kept": [{"do": "hit", "at": 1}]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left"}]},
    {"do": "hand-over", "kept": [{"do": "win", "seat": "left", "at": 1}]},
    {"do": "hand-over", "kept": [{"do": "hand-over", "seat": "left", "at": 1, "kept": []}]},
    {"do": "hand-over", "kept": [{"do": "expire", "seat": "left", "at": 1}]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": 1, "id": ""}]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": 2}, {"do": "hit", "seat": "right", "at": 2}]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": at} for at in range(65)]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": at, "id": "same"} for at in range(2)]},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": 1, "id": "outer"}], "id": "outer"},
    {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": at} for at in range(2)], "id": "x" * 64},
]
PARTS = [
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "null",
    "true",
    "1e9",
    "-",
    "\\u",
    "\\",
    "\x00",
    "é",
    "😀",
    "do",
    "hit",
    " ",
]


def frames(seed: int) -> Iterator[str | None]:
    """Yield malformed frames as text; None stands for a binary frame."""
    dice = random.Random(seed)
    kinds: list[Callable[[random.Random], str | None]] = [
        _cut,
        _no_object,
        _parts,
        _wrong_field,
        _wrong_arguments,
        _wrong_kind,
        _too_long,
        lambda dice: None,
    ]
    weights = [4, 3, 4, 6, 4, 3, 0.2, 0.5]
    while True:
        yield dice.choices(kinds, weights)[0](dice)


def _hit(dice: random.Random) -> dict[str, Any]:
    return {"t": "do", "id": f"{dice.getrandbits(64):x}", "do": "hit", "at": dice.getrandbits(40), "turn_number": 1}


def _cut(dice: random.Random) -> str:
    text = json.dumps(_hit(dice))
    return text[: dice.randrange(len(text))]


def _no_object(dice: random.Random) -> str:
    return dice.choice(
        ["", "null", "17", '"do"', "[]", "[" * dice.randrange(1, 4000), "NaN", "hello", "\x00", "\ufeff{}"]
    )


def _parts(dice: random.Random) -> str:
    """Random JSON tokens that are not valid JSON."""
    return "".join(dice.choices(PARTS, k=dice.randrange(1, 60))) + "]{"


def _wrong_field(dice: random.Random) -> str:
    name = dice.choice(list(WRONG))
    return json.dumps(_hit(dice) | {name: dice.choice(WRONG[name])}, ensure_ascii=dice.random() < 0.5)


def _wrong_arguments(dice: random.Random) -> str:
    return json.dumps(_hit(dice) | {"turn_number": None} | dice.choice(COMMANDS))


def _wrong_kind(dice: random.Random) -> str:
    wrong = dice.choice([value for value in ANYTHING if value not in ("ping", "do")])
    return json.dumps(
        dice.choice(
            [{"t": wrong}, {"t": "ping", "c": [wrong]}, {"t": "ping"}, {"t": "probe", "p": [wrong]}, {"t": "match"}]
        )
    )


def _too_long(dice: random.Random) -> str:
    return json.dumps(_hit(dice) | {"note": "x" * dice.randrange(4_096, 12_000)})


ANY_VALUES = [  # invalid in all fields except names
    "",
    " ",
    "\n\t",
    "\x00",
    "a\x00b",
    "x" * 5_000,
    "é" * 300,
    "😀" * 40,
    "\u202e",
    "-1",
    "0",
    "1.5",
    "1e3",
    "NaN",
    "9" * 40,
    "١٢x",
    "../etc",
    "on",
    "None",
    "[]",
    "{}",
    "<b>",
    "=1+1",
    "2026-13-45",
    "table,left,right\n,,\n\x00,a,b\n",
]
PLAIN_TYPES = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "b" * 300,
    "application/json",
    "nonsense",
    "",
]
ODD_TYPES = [  # only the server's own request class rejects these with a message
    "application/x-www-form-urlencoded; charset=utf-7",
    "multipart/form-data; boundary=b; charset=hex",
    "text/plain; charset=nonsense",
]


def forms(seed: int) -> Iterator[dict[str, str]]:
    """Yield form data for casual matches, each with one error."""
    dice = random.Random(seed)
    right = {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"}
    wrong = {
        "left": ["x" * 500, "\x00", "Bob"],
        "right": ["é" * 300, "a\x00b", "Ann"],
        "length": ["", "0", "-1", "1.5", "x", "9" * 40, "١٢x", "1e3", "\x00"],
        "rules": ["", "none", "US-2013", "../etc", "\x00"],
        "format": ["triples", "\x00", "x" * 5_000],
        "left_score": ["-1", "x", "7", "9" * 30],
    }
    while True:
        name = dice.choice(list(wrong))
        yield right | {name: dice.choice(wrong[name])}


def spoilt(fields: Mapping[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """Yield form data with some fields replaced, omitted, repeated or unknown."""
    dice = random.Random(seed)
    names = [*fields, "unknown", "csrfmiddlewaretoken"]
    while True:
        form = dict(fields)
        for name in dice.choices(names, k=dice.randrange(1, 4)):
            form[name] = dice.choice([dice.choice(ANY_VALUES), dice.choices(ANY_VALUES, k=3)])
        if dice.random() < 0.2 and form:
            del form[dice.choice(list(form))]
        yield form


def bodies(seed: int, types: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield malformed form bodies, each with a content type from `types`."""
    dice = random.Random(seed)
    part = b'--b\r\nContent-Disposition: form-data; name="left"\r\n\r\nx\r\n--b--\r\n'
    kinds: list[Callable[[], bytes]] = [
        lambda: dice.randbytes(dice.randrange(300)),
        lambda: part[: dice.randrange(len(part))],
        lambda: part.replace(b"name", dice.choice([b"name*=hex''x;", b"filename", b"\xff", b""])),
        lambda: b"&".join([b"a=%ff%00"] * dice.randrange(1, 1_500)),
        lambda: b"left=%zz&right&=&&;",
        lambda: b"{" * dice.randrange(100),
    ]
    while True:
        yield dice.choice(types), dice.choice(kinds)()
