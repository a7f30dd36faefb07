"""TypeScript protocol types match the server's."""

import re
from typing import Any

import pytest

from clocks.engine.commands import Command
from clocks.live import do_frame, frames, protocol
from tests import script_types
from tests.browser.scripted import ScriptedServer

# A value for each argument that some command requires.
GIVEN = {
    "against": "left",
    "by_ms": 1000,
    "kept": [{"do": "hit", "seat": "left", "at": 1}],
    "outcome": "gammon",
    "points": 1,
    "score": [1, 0],
    "seat": "left",
    "to": "14",
    "turn_of": "left",
    "value": 2,
    "winner": "left",
}
WRITTEN = script_types.FILE.read_text()


def test_the_types_are_as_they_would_be_written_now() -> None:
    assert script_types.written() == WRITTEN, "run make format"


def test_a_snapshot_has_the_fields_of_its_type() -> None:
    server = ScriptedServer()
    server.begin("left")
    snapshot = server.snapshot()
    assert set(snapshot) == frames.Snapshot.__required_keys__
    assert set(snapshot["features"]) == frames.Features.__required_keys__


def required(form: str) -> dict[str, Any]:
    """Required arguments of a form, with values."""
    words = dict(re.findall(r"\b(do|what): '([\w-]+)'", form))
    return words | {name: GIVEN[name] for name in re.findall(r"\b(\w+): ", form) if name in GIVEN}


def forms() -> list[tuple[type[Command], str]]:
    """Each command with its forms, one pair per form."""
    found = []
    for kind in script_types.of_frames():
        writer = script_types.Writer()
        form = writer.command(kind).replace("Command & KeptAt", "").replace("Proposable", writer.proposable())
        own, *terms = re.findall(r"\{ .*? \}", form)
        found += [(kind, f"{own} {each}") for each in terms] or [(kind, own)]
    return found


@pytest.mark.parametrize(("kind", "form"), forms())
def test_a_frame_with_what_its_type_requires_is_read(kind: type[Command], form: str) -> None:
    assert type(do_frame.read_do({"t": "do", "id": "1", **required(form)}).command) is kind


@pytest.mark.parametrize("kind", sorted(set(re.findall(r"\bt: '(\w+)'", WRITTEN))))
def test_every_typed_frame_is_documented_in_the_protocol(kind: str) -> None:
    assert f'"t":"{kind}"' in str(protocol.__doc__)
