"""NUL, lone surrogates and overlong strings never reach the database.

SQLite would store all of them, so this is also run on PostgreSQL.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks.api import gate
from clocks.engine.refusals import Refused
from clocks.host.ratelimit import RateLimiter
from clocks.live import do_frame
from clocks.models import Match, Pairing, Tournament
from tests.server.api.test_api_document import OPERATIONS, tournament
from tests.server.programs import Program

__all__ = ["tournament"]

pytestmark = pytest.mark.django_db(transaction=True)

ODD = ("a\x00b", "\ud800", "x\udfff", "x" * 5_000, "😀" * 500, "\u202e", "")
WIRE = [
    {"do": "call", "note": ""},
    {"do": "agree", "note": "", "proposal": 1},
    {"do": "propose", "what": "time", "seat": "left", "by_ms": 5, "note": ""},
    {"do": "propose", "what": "end", "winner": "left", "note": ""},
    {"do": "move", "to": "", "note": ""},
    {"do": "release-seat", "seat": "left", "note": ""},
    {"do": "hand-over", "kept": [{"do": "call", "seat": "left", "at": 1, "note": "", "id": ""}]},
]

BODIES = {operation: body for operation, (_, body) in OPERATIONS.items() if body is not None}


def with_odd(value: Any) -> Iterator[Any]:
    """Yield copies of JSON, each with a string replaced or a key added from `ODD`."""
    if isinstance(value, str):
        yield from ODD
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        for other in with_odd(part):
            changed = deepcopy(value)
            changed[key] = other
            yield changed
    if isinstance(value, dict):
        yield from ({**value, odd: 1} for odd in ODD)


@pytest.mark.parametrize("operation", BODIES, ids=" ".join)
def test_an_odd_string_in_a_body_is_answered_in_words(
    operation: tuple[str, str], tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "LIMITS", RateLimiter(1_000_000, 1_000_000.0))
    program, (method, path), body = Program(tournament), operation, BODIES[operation]
    of = {"slug": "open", "number": 2, "pairing_id": Pairing.objects.get(round__number=2).pk}
    address = f"/api/v1{path.format(**of, match_id=Match.objects.get().pk)}"
    asked = [(one, "") for one in with_odd(body)] + [(body, key) for key in ("a\x00b", "é", "x" * 300)]
    for one, key in asked:
        answer = program.ask(method, address, one, **({"Idempotency_Key": key} if key else {}))
        assert answer.status_code < 500, (one, key, answer.content)


@pytest.mark.parametrize("command", WIRE, ids=lambda command: command["do"])
def test_an_odd_string_on_the_wire_is_refused_or_fits(command: dict[str, Any]) -> None:
    for id_ in ("x", "y" * 64):
        for asked in with_odd(command):
            try:
                do = do_frame.read_do({"t": "do", "id": id_, **asked})
            except Refused:
                continue
            assert not any("\x00" in text or len(text) > 400 for text in texts(do.command))


@pytest.mark.parametrize(
    "path",
    [
        "/t/X78GVM/record/{}.csv",
        "/director/open/match/{}/export.csv",
        "/director/open/match/{}/turns.csv",
        "/director/open/match/{}/transcript.sgf",
    ],
)
def test_a_number_too_long_for_python_is_that_of_no_match(client: Client, tournament: Tournament, path: str) -> None:
    client.force_login(User.objects.create_superuser("director"))
    assert client.get(path.format("9" * 5_000)).status_code == 404


def texts(value: Any) -> Iterator[str]:
    """Yield all strings in a command."""
    if isinstance(value, str):
        yield value
        value.encode()  # raises for a lone surrogate
    elif isinstance(value, tuple):
        for part in value:
            yield from texts(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from texts(getattr(value, name))
