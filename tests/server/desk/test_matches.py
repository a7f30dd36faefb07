"""New matches: at an occupied table, as a rematch, on request, and at a new table."""

from typing import Any

import pytest
from django.db import IntegrityError

from clocks import desk
from clocks.desk import changes
from clocks.desk.changes import Change
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.commands import Command, Confirm, Expire, Hit, Stop
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.journal.tenure import Tenure
from clocks.models import Device, JournalEntry, Match, Pairing, Place, Table
from clocks.seats import devices, presence
from clocks.tournament import tables
from tests.server.hall import drawn, summer_open
from tests.server.house import US_2013, make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

SETUP = Setup.parse(US_2013)


def test_a_new_match_is_current_at_its_table_and_published(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[Change] = []
    monkeypatch.setattr(changes, "_listeners", [published.extend])
    table = tables.add_table(tables.casual_tournament())
    before = now_ms()
    casual = desk.make_match(table, SETUP)
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    at_tournament = desk.make_match(pairing.table, SETUP, by="director", at=5, replace=True)
    assert [change.stored.id for change in published] == [casual.pk, pairing.match_id, at_tournament.pk]
    table.refresh_from_db()
    assert table.current_id == casual.pk
    made = Match.objects.get(pk=casual.pk)
    assert (made.table, made.round_id, made.version, made.status) == (table, None, 1, "setup")
    directed = [Setup.from_dict(Match.objects.get(pk=each.pk).setup).director for each in (casual, at_tournament)]
    assert directed == [False, True]
    assert (made.struck_out, made.state) == (False, MatchState.begin(Setup.from_dict(made.setup)).to_dict())
    first = JournalEntry.objects.get(match=casual)
    assert (first.seq, first.event, first.by, first.data) == (1, "setup", "server", made.setup)
    assert before <= first.at <= now_ms()
    other = JournalEntry.objects.get(match=at_tournament)
    assert (other.by, other.at) == ("director", 5)


def test_a_drawn_match_belongs_to_its_pairing_and_round() -> None:
    round_ = summer_open()
    for pairing in drawn(round_, "1,Ann,Bob", "2,Chi,Dov"):
        assert pairing.match is not None
        assert (pairing.match.round, pairing.match.table, pairing.match.setup) == (round_, pairing.table, pairing.setup)
        assert pairing.table.current_id == pairing.match_id


def test_a_table_with_a_running_match_gets_no_new_one() -> None:
    match = running_match()
    with pytest.raises(Refused, match="is playing Ann – Bob"):
        desk.make_match(match.table, SETUP, replace=True)
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("status", "options", "then"),
    [("ready", {}, ()), ("stopped", {}, (Hit(), Stop())), ("flagged", {"reserve_ms": [600_000, 1]}, (Hit(),))],
)
def test_replacing_an_unfinished_match_needs_confirmation(
    status: str, options: dict[str, Any], then: tuple[Command, ...]
) -> None:
    match = make_match(rules="us-2007", options=options)
    desk.submit_and_wait(desk.Request(match.pk, Confirm(), "director"))
    for command in then:
        desk.submit_and_wait(desk.Request(match.pk, command, "left"))
    desk.submit_and_wait(desk.Request(match.pk, Expire(), "server", at=now_ms() + 1_000))
    match.refresh_from_db()
    assert match.status == status
    with pytest.raises(Refused, match="Ann – Bob has begun at table"):
        desk.make_match(match.table, SETUP)
    new = desk.make_match(match.table, SETUP, replace=True)
    assert Table.objects.get().current_id == new.pk


@pytest.mark.parametrize("status", [Status.SETUP, Status.OVER])
def test_a_match_that_has_not_begun_or_is_over_gives_way(status: Status) -> None:
    match = make_match()
    Match.objects.filter(pk=match.pk).update(status=status)
    assert Table.objects.get().current_id == match.pk
    new = desk.make_match(match.table, SETUP)
    assert Table.objects.get().current_id == new.pk


def test_a_rematch_gives_the_seats_to_their_owners() -> None:
    match = make_match()
    ann, bob, eve = (devices.join_device({})[0] for _ in range(3))
    lent = Tenure((None, bob.pk), (None, 5)).to_dict()
    Match.objects.filter(pk=match.pk).update(left_device=ann, right_device=eve, tenure=lent)
    at = now_ms() + 60_000
    new = desk.make_match(match.table, SETUP, rematch_of=match.pk, at=at)
    board = stored.matches([new.pk])[new.pk]
    assert (board.devices, board.tenure, board.version) == ((ann.pk, bob.pk), Tenure(), 3)
    written = JournalEntry.objects.filter(match=new).order_by("seq").values_list("seq", "event", "at", "device")
    assert list(written) == [(1, "setup", at, None), (2, "seat_taken", at, ann.pk), (3, "seat_taken", at, bob.pk)]
    assert entries.refold(new.pk) == (3, board.match)
    assert presence.seen_at(new.pk) == (at, at)
    with pytest.raises(Refused) as refused:
        desk.make_match(match.table, SETUP, rematch_of=match.pk)
    assert (refused.value.code, Match.objects.count()) == ("stale", 2)


@pytest.mark.parametrize("seats", [("left", "right"), ("right",), ()])
def test_in_a_rematch_a_phone_has_the_seats_it_had(seats: tuple[str, ...]) -> None:
    match = make_match()
    phone: Device | None = sit_down(match, *seats)[0] if seats else None
    new = desk.make_match(match.table, SETUP, rematch_of=match.pk)
    before, after = (stored.matches([each.pk])[each.pk] for each in (match, new))
    assert (after.devices, after.tenure) == (before.devices, before.tenure)
    assert after.seats_of(phone and phone.pk) == tuple(Seat(seat) for seat in seats)
    without = desk.make_match(match.table, SETUP)
    assert stored.matches([without.pk])[without.pk].devices == (None, None)


def on_request() -> Pairing:
    """Draw Ann against Bob in a round with clocks on request."""
    return drawn(summer_open(policy="on-request"), "1,Ann,Bob")[0]


def test_a_clock_on_request_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[Change] = []
    monkeypatch.setattr(changes, "_listeners", [published.extend])
    pairing = on_request()
    match = desk.use_clock(pairing, Setup.from_dict(pairing.setup), entries.Asker("right"))
    pairing.refresh_from_db()
    assert (pairing.match, pairing.round) == (match, Match.objects.get().round)
    assert [change.stored.id for change in published] == [match.pk]
    assert JournalEntry.objects.get().by == "right"
    with pytest.raises(Refused, match="Ann – Bob already has a clock"):
        desk.use_clock(pairing, Setup.from_dict(pairing.setup), entries.Asker("right"))


def test_a_decided_or_open_pairing_gets_no_clock() -> None:
    pairing = on_request()

    def refusal() -> str:
        with pytest.raises(Refused) as refused:
            desk.use_clock(pairing, Setup.from_dict(pairing.setup), entries.Asker("right"))
        assert Pairing.objects.get(pk=pairing.pk).match_id is None
        return str(refused.value.words)

    place = Place.objects.create(pairing=pairing, seat="left", takes="winner", words="winner", filled=False)
    assert refusal() == "The players of this match are not known yet."
    Place.objects.filter(pk=place.pk).update(filled=True)
    other = desk.make_match(pairing.table, SETUP)
    assert refusal() == "The clock at table 1 is in use by Ann – Bob until that match is over."
    Pairing.objects.filter(pk=pairing.pk).update(winner="left")
    assert refusal() == "Ann – Bob is over."
    Pairing.objects.filter(pk=pairing.pk).update(winner="")
    Match.objects.filter(pk=other.pk).update(status=Status.OVER)
    assert desk.use_clock(pairing, Setup.from_dict(pairing.setup), entries.Asker("right")).pk


def test_a_match_at_a_new_table_is_stored_by_the_desk() -> None:
    tournament = tables.casual_tournament()
    table = Table(tournament=tournament, name="", code="BCDF", pk=99)
    desk.make_at_new_table(table, SETUP)
    (match,) = Match.objects.all()
    assert (match.table.code, match.table.current_id, table.pk) == ("BCDF", match.pk, match.table_id)
    assert JournalEntry.objects.get().by == "server"
    with pytest.raises(IntegrityError):
        desk.make_at_new_table(Table(tournament=tournament, name="", code="BCDF"), SETUP)
    assert (Match.objects.count(), Table.objects.count()) == (1, 1)
