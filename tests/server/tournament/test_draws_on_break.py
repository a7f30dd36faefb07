"""A match on a break has begun: no draw, correction or result slip replaces it."""

import pytest
from django.contrib.auth.models import User

from clocks.desk import pairings
from clocks.engine.refusals import Refused
from clocks.models import Match, Pairing, Table
from clocks.tournament import draw_plan, drawing, events, results
from clocks.tournament.draw_fingerprint import Fingerprint
from clocks.views.director.slips import Slip
from tests.server.hall import begin, do, drawn, next_round, summer_open, win
from tests.server.tournament.test_draw_import import told

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["before the first game", "between games"])
def resting(request: pytest.FixtureRequest) -> Pairing:
    """Pairing of round 1 at table 1 whose match is on a break."""
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    if request.param == "between games":
        begin(pairing.match)
        win(pairing.match, points=1)
    else:
        do(pairing.match, "director", do="confirm")
    do(pairing.match, "left", do="stop", reason="break")
    assert Match.objects.get(pk=pairing.match.pk).status == "setup"
    return Pairing.objects.get(pk=pairing.pk)


def test_a_draw_waits_for_a_match_on_a_break(resting: Pairing) -> None:
    waits = [("wait", "Waits until Ann – Bob (Round 1) is over.")]
    assert told(next_round(resting.round), "1,Eva,Finn", give_way=True) == waits


def test_drawing_its_round_again_keeps_a_match_on_a_break(resting: Pairing) -> None:
    assert draw_plan.has_begun(resting)
    assert told(resting.round, "1,Ann,Cyd") == [("bad", "Ann is already drawn in this round, at table 1.")]
    with pytest.raises(Refused) as refused:
        drawing.take_back(resting.round, User.objects.create(username="director"))
    assert str(refused.value.words) == "Ann – Bob has begun and must stay in the draw."


def test_a_break_changes_the_fingerprint_of_a_draw() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    before = Fingerprint.of(pairing.round)
    do(pairing.match, "director", do="confirm")
    do(pairing.match, "left", do="stop", reason="break")
    assert Fingerprint.of(pairing.round) != before


def test_no_table_is_freed_of_a_match_on_a_break(resting: Pairing) -> None:
    assert resting.match is not None
    pairings.set_aside([resting.match.pk])
    assert Table.objects.get(pk=resting.table_id).current == resting.match


def test_results_and_slips_count_a_match_on_a_break_as_begun(resting: Pairing) -> None:
    (result,) = results.of_round(resting.round, 0)
    ((_, game),) = events._matches(resting.round.tournament)
    assert (result.state, game.begun, Slip(resting).open) == ("between games", True, False)
