"""Typedefs of the scripts match the frames that the server sends."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from clocks.live import protocol
from tests.browser.scripted import ScriptedServer

TYPES = (Path(settings.BASE_DIR) / "static" / "clocks" / "match" / "types.js").read_text()


def described(name: str) -> set[str]:
    """Required fields of a typedef in match/types.js."""
    block = TYPES[TYPES.index(f"@typedef {{object}} {name} ") :].split(" *\n")[0]
    return set(re.findall(r"@property \{.+\} (\w+)", block))


@pytest.mark.django_db
def test_a_snapshot_has_the_fields_of_its_type() -> None:
    server = ScriptedServer()
    server.begin("left")
    snapshot = server.snapshot()
    assert described("Snapshot") == set(snapshot)
    assert described("Features") == set(snapshot["features"])


@pytest.mark.parametrize("kind", sorted(set(re.findall(r"\bt: '(\w+)'", TYPES))))
def test_every_typed_frame_is_documented_in_the_protocol(kind: str) -> None:
    assert f'"t":"{kind}"' in str(protocol.__doc__)
