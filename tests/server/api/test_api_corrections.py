"""Result corrections through the API, and their consequences for later rounds."""

import pytest

from clocks.models import Bye
from tests.server import hall
from tests.server.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_corrected_winner_changes_later_rounds_and_says_so() -> None:
    round_ = hall.summer_open(policy="on-request")
    (pairing,) = hall.drawn(round_, "1,Ann,Bob")
    program, path = Program(round_.tournament), f"/rounds/1/pairings/{pairing.pk}/result"
    program.ask("put", path, {"winner": "left"})
    (final,) = hall.drawn(hall.next_round(round_, policy="required"), "7,Ann,Chi")
    hall.begin(final.match)
    Bye.objects.create(round=hall.next_round(final.round), name="Bob")
    assert program.ask("put", path, {"winner": "right", "reason": "Read wrongly"}).json()["consequences"] == [
        {"pairing": final.pk, "round": 2, "table": "7", "names": ["Bob", "Chi"], "changed": True, "state": "plays"},
        {"pairing": None, "round": 3, "table": "", "names": ["Ann"], "changed": True, "state": None},
    ]
    final.match.refresh_from_db()
    assert (final.match.status, final.match.setup["names"], Bye.objects.get().name) == (
        "stopped",
        ["Bob", "Chi"],
        "Ann",
    )
