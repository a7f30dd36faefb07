"""Maximum length of notes on pages and in the API."""

import pytest

from clocks.models import Round
from tests.server import hall
from tests.server.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)

NOTE = "🎲" * 310
WORDS = "The note is too long: it may have at most 1200 bytes, and an emoji takes four or more. Shorten it."


@pytest.fixture
def round_() -> Round:
    """A round with one match."""
    round_ = hall.summer_open(policy="on-request")
    hall.drawn(round_, "1,Ann,Bob")
    return round_


def test_310_emoji_are_too_long_for_a_note_400_letters_are_not(round_: Round) -> None:
    owner, table = hall.client_of("owner"), round_.tournament.tables.get()
    path, code = f"/director/open/tables/{table.pk}/code/", table.code
    refused = owner.post(path, {"note": NOTE})
    assert (refused.status_code, WORDS in refused.content.decode()) == (400, True)
    table.refresh_from_db()
    assert table.code == code
    assert owner.post(path, {"note": "ö" * 400}).status_code == 302


def test_310_emoji_are_too_long_for_a_reason_in_the_api(round_: Round) -> None:
    path = f"/rounds/1/pairings/{round_.pairings.get().pk}/result"
    program = Program(round_.tournament)
    assert program.ask("put", path, {"winner": "left"}).status_code == 200
    refused = program.ask("put", path, {"winner": "right", "reason": NOTE})
    (error,) = refused.json()["errors"]
    assert (refused.status_code, error["pointer"], WORDS in error["detail"]) == (422, "/reason", True)
