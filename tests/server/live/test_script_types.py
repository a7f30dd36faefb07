"""The shapes that the scripts are checked against are those that the server sends."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from clocks.live import protocol
from tests.browser.scripted import ScriptedServer

TYPES = (Path(settings.BASE_DIR) / "static" / "clocks" / "match" / "types.js").read_text()


def described(name: str) -> set[str]:
    """Return the fields that a typedef of match/types.js has always."""
    block = TYPES[TYPES.index(f"@typedef {{object}} {name} ") :].split(" *\n")[0]
    return set(re.findall(r"@property \{.+\} (\w+)", block))


@pytest.mark.django_db
def test_a_snapshot_has_the_fields_that_its_type_names() -> None:
    server = ScriptedServer()
    server.begin("left")
    snapshot = server.snapshot()
    assert described("Snapshot") == set(snapshot)
    assert described("Features") == set(snapshot["features"])


@pytest.mark.parametrize("kind", sorted(set(re.findall(r"\bt: '(\w+)'", TYPES))))
def test_a_frame_that_has_a_type_is_one_of_the_protocol(kind: str) -> None:
    assert f'"t":"{kind}"' in str(protocol.__doc__)
