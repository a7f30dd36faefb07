"""Stored matches, read with their tables, rounds and phones."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import parse_command
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.journal import entries, stored
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import Tenure
from clocks.lag.late_presses import LatePress
from clocks.models import CASUAL, Device, Match, Table
from tests.server.hall import do, drawn, summer_open
from tests.server.house import US_2013, make_match, running_match
from tests.server.journal.test_heritage import HERITAGE

LEFT, RIGHT = Seat
BOARD = StoredMatch(1, 1, MatchState.begin(Setup.parse(US_2013)), (7, 8), 2, "3", "BCDF", 4, "open")


@pytest.mark.parametrize(
    ("tournament", "by_players", "shown"),
    [
        (CASUAL, None, (True, True)),
        (CASUAL, (), (True, True)),
        ("open", (), (False, True)),
        ("open", None, (False, False)),
    ],
)
def test_players_start_casual_matches_and_those_they_enter(tournament: str, by_players: Any, shown: Any) -> None:
    board = replace(BOARD, tournament=tournament, by_players=by_players)
    assert (board.casual, board.started_by_players) == shown


@pytest.mark.parametrize(
    ("devices", "between", "shown"),
    [((7, 7), 7, 7), ((7, 7), None, None), ((7, 8), 7, None), ((8, 7), 7, None), ((None, None), None, None)],
)
def test_a_phone_lies_between_the_players_while_it_has_both_seats(devices: Any, between: Any, shown: Any) -> None:
    assert replace(BOARD, devices=devices, tenure=Tenure(between=between)).between == shown


@pytest.mark.parametrize(
    ("devices", "device", "seats"),
    [((7, 8), 7, (LEFT,)), ((8, 7), 7, (RIGHT,)), ((7, 7), 7, (LEFT, RIGHT)), ((8, 9), 7, ()), ((None, 7), None, ())],
)
def test_a_phone_has_its_seats(devices: Any, device: int | None, seats: tuple[Seat, ...]) -> None:
    assert replace(BOARD, devices=devices).seats_of(device) == seats


@pytest.mark.django_db(transaction=True)
def test_a_clock_runs_after_the_first_press() -> None:
    made, running = make_match(), running_match()
    read = stored.matches([made.pk, running.pk, 0])
    assert {pk: board.runs for pk, board in read.items()} == {made.pk: False, running.pk: True}
    assert stored.matches([]) == stored.matches_at_tables([]) == {}


@pytest.mark.django_db(transaction=True)
def test_a_known_first_state_is_taken_until_the_match_has_gone_on() -> None:
    made, running = make_match(), running_match()
    ids, read = [made.pk, running.pk], stored.matches([made.pk, running.pk])
    first = MatchState.begin(Setup.from_dict(made.setup))
    assert stored.matches(ids, {made.pk: first, running.pk: first}) == read
    assert stored.matches(ids, {made.pk: first})[made.pk].match is first


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "shown"), [("", ("Round 1", 1)), ("Final", ("Final", None))])
def test_a_match_is_read_with_its_table_round_and_phones(name: str, shown: tuple[str, int | None]) -> None:
    (pairing,) = drawn(summer_open(name=name), "5,Ann,Bob")
    match = Match.objects.get(pk=pairing.match_id)
    ann, bob = (Device.objects.create(token_hash=str(number)) for number in range(2))
    late, tenure = LatePress(LEFT, 5, 4, 3, 2), Tenure((None, ann.pk), (None, 5))
    expected = StoredMatch(
        match.pk,
        1,
        entries.refold(match.pk)[1],
        (ann.pk, bob.pk),
        pairing.table_id,
        "5",
        pairing.table.code,
        pairing.round.tournament_id,
        "open",
        late,
        *shown,
        int(match.created_at.timestamp() * 1000),
        tenure,
        ("right",),
    )
    changes = {"left_device": ann, "right_device": bob, "tenure": tenure.to_dict(), "late": late._asdict()}
    Match.objects.filter(pk=match.pk).update(**changes, by_players=["right"])
    assert stored.match_at_table(pairing.table_id) == expected
    assert stored.matches_of_tournament(pairing.round.tournament_id) == [expected]


@pytest.mark.django_db
def test_only_the_current_match_of_a_table_is_listed() -> None:
    round_ = summer_open()
    one, two = (pairing.match for pairing in drawn(round_, "1,Ann,Bob", "2,Chi,Dov"))
    tournament, first, second = round_.tournament_id, one.table, two.table
    newer = desk.make_match(two.table, Setup.parse(US_2013), replace=True)
    make_match()
    assert [board.id for board in stored.matches_of_tournament(tournament)] == [one.pk, newer.pk]
    assert {key: board.id for key, board in stored.matches_at_tables([first.pk, second.pk]).items()} == {
        first.pk: one.pk,
        second.pk: newer.pk,
    }
    assert stored.versions_of_tournament(tournament) == [
        (one.pk, 1, "1", first.code, "", 1),
        (newer.pk, 1, "2", second.code, None, None),
    ]
    assert stored.current_versions([two.pk, newer.pk]) == [(tournament, second.pk, newer.pk, 1)]
    assert stored.moved_away({one.pk: first.pk, newer.pk: first.pk}) == [newer.pk]
    boards = stored.matches([one.pk, two.pk, newer.pk])
    assert {pk: stored.is_rematch(board) for pk, board in boards.items()} == {
        one.pk: False,
        two.pk: False,
        newer.pk: True,
    }
    assert stored.match_at_table(Table.objects.create(tournament=round_.tournament, name="3", code="X").pk) is None


@pytest.mark.django_db
def test_a_phone_is_sent_to_its_newest_unfinished_match() -> None:
    round_ = summer_open()
    one, two, set_aside = (pairing.match for pairing in drawn(round_, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn"))
    casual, phone = make_match(), Device.objects.create(token_hash="1")
    seats = [(one, "left"), (two, "right"), (casual, "left"), (set_aside, "left")]
    for match, side in seats:
        Match.objects.filter(pk=match.pk).update(**{f"{side}_device": phone})
    Table.objects.filter(pk=set_aside.table_id).update(current=None)
    assert stored.match_of(phone.pk) == casual
    assert [stored.match_elsewhere(phone.pk, match.table) for match in (one, two, casual)] == [two, one, None]
    assert stored.match_elsewhere(phone.pk, set_aside.table) == two
    Match.objects.filter(pk__in=[two.pk, casual.pk]).update(status="over")
    assert (stored.match_of(phone.pk), stored.match_elsewhere(phone.pk, one.table)) == (one, None)
    assert stored.match_of(Device.objects.create(token_hash="2").pk) is None


def without(match: Match, name: str) -> StoredMatch:
    """Store a match like a version without this state field, and read it."""
    state = Match.objects.get(pk=match.pk).state
    del state[name]
    Match.objects.filter(pk=match.pk).update(state=state)
    return stored.matches([match.pk])[match.pk]


@pytest.mark.django_db(transaction=True)
def test_what_earlier_versions_did_not_store_is_read_from_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match()
    press = desk.Request(match.pk, parse_command({"do": "hit"}), "right", credit_ms=60)
    undo = desk.Request(match.pk, parse_command({"do": "propose", "what": "undo"}), "left")
    assert [answer.ok for answer in desk.submit_all_and_wait([press, undo])] == [True, True]
    full = stored.matches([match.pk])[match.pk]
    assert (full.has_last_end, full.match.proposals) == (True, 1)
    assert without(match, "proposals") == full
    assert without(match, "lag") == full
    assert without(match, "last_end").has_last_end is False
    monkeypatch.setattr(entries, "refold", lambda match_id: pytest.fail("it folded the journal"))
    over = running_match()
    do(over, "director", do="propose", what="end", winner="left")
    assert without(over, "lag").match.status == "over"


@pytest.mark.django_db(transaction=True)
def test_numbering_old_matches_takes_one_query() -> None:
    matches = [make_match() for _ in range(3)]
    for match in matches:
        without(match, "proposals")
    with CaptureQueriesContext(connection) as queries:
        stored.matches([match.pk for match in matches])
    assert len(queries) == 2


@pytest.mark.django_db(transaction=True)
def test_old_journals_are_numbered_by_counting_as_by_folding() -> None:
    call_command("loaddata", str(HERITAGE / "database.json.gz"), verbosity=0)
    every = stored.matches(list(Match.objects.values_list("pk", flat=True)))
    read = {pk: board.match.proposals for pk, board in every.items()}
    assert read == {pk: entries.refold(pk)[1].proposals for pk in read}
    assert max(read.values()) > 2
