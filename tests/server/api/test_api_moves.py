"""API moves of drawn matches to other tables."""

import pytest

from clocks import desk
from clocks.api import idempotency
from clocks.models import Pairing
from tests.server.hall import drawn, next_round, summer_open
from tests.server.programs import Program
from tests.server.tournament.test_consequences import settle

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_refused_move_can_be_corrected_under_its_key() -> None:
    first = summer_open()
    moved, _other = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    program, path = Program(first.tournament), f"/rounds/1/pairings/{moved.pk}/move"
    refused = program.ask("post", path, {"table": "2"}, Idempotency_Key="a")
    assert (refused.status_code, refused.json()["detail"]) == (422, "Table 2 is taken: Chi – Dov is not over.")
    corrected = program.ask("post", path, {"table": "3"}, Idempotency_Key="a")
    assert (corrected.status_code, corrected.json()["table"]) == (200, "3")


def test_a_move_that_took_too_long_is_not_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    first = summer_open()
    (moved,) = drawn(first, "1,Ann,Bob")
    program, path = Program(first.tournament), f"/rounds/1/pairings/{moved.pk}/move"
    with monkeypatch.context() as patched, pytest.raises(TimeoutError):
        patched.setattr(desk, "WAIT_S", 0.0)
        program.ask("post", path, {"table": "2"}, Idempotency_Key="a")
    settle()
    assert program.ask("post", path, {"table": "3"}).status_code == 200
    monkeypatch.setattr(idempotency, "WAIT_S", 0.0)
    answer = program.ask("post", path, {"table": "2"}, Idempotency_Key="a")
    assert (answer.status_code, answer.json()["table"]) == (200, "3")


def test_no_match_moves_to_a_table_whose_match_waits_for_its_players() -> None:
    first = summer_open()
    drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    halves = ("1,winner of table 1,winner of table 2", "2,winner of table 3,winner of table 4")
    _there, moved = drawn(next_round(first), *halves)
    answer = Program(first.tournament).ask("post", f"/rounds/2/pairings/{moved.pk}/move", {"table": "1"})
    words = "Table 1 is drawn for winner of table 1, round 1 – winner of table 2, round 1."
    assert (answer.status_code, answer.json()["detail"]) == (422, words)
    assert Pairing.objects.get(pk=moved.pk).table.name == "2"
