"""Journal entries: written as rows, read back, counted and deleted."""

import hashlib
from typing import Any

import orjson
import pytest
from django.contrib.auth.models import User
from django.db import connection

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit
from clocks.engine.events import BESIDE_THE_RULES, ClockHit, Event, FlagFell, HandedOver, Took
from clocks.engine.proposals import Consequence, ConsequenceKind
from clocks.engine.refusals import Why
from clocks.engine.setup import Setup
from clocks.host import slices
from clocks.journal import chain, entries
from clocks.journal.entries import FirstAnswer
from clocks.journal.rows import Row
from clocks.models import Device, JournalEntry, Match, Membership, Tournament
from clocks.tournament import tables
from tests.server.house import US_2013, make_match, running_match

LEFT, RIGHT = Seat
FLAG = FlagFell(5, RIGHT, Consequence(next(iter(ConsequenceKind)), 1, (0, 0), False))


def asked(command_id: str | None = None, by: str = "left", **more: Any) -> Request:
    """A press; only its author and columns matter."""
    return Request(7, Hit(), by, 6, command_id, **more)


def append(match: Match, events: list[Event], request: Request) -> None:
    """Append events to a journal, bypassing the desk."""
    seq = JournalEntry.objects.filter(match=match).count()
    before = JournalEntry.objects.get(match=match, seq=seq).hash
    entries.append(entries.event_rows(match.pk, seq, events, request), {match.pk: before or ""})


def test_the_first_event_carries_its_command_but_a_flag_is_the_servers() -> None:
    hit, took = ClockHit(6, LEFT, 60), Took(6, RIGHT, 0)
    request = asked("one", device_id=2, user_id=3, claimed_at=4, credit_ms=60, heard_at=1)
    text = orjson.dumps({"do": "hit", "credit_ms": 0, "alone": True}).decode()
    flag, first, second = (orjson.dumps(event.to_dict()).decode() for event in (FLAG, hit, took))
    given = Row(7, 5, 6, "left", 2, 3, "hit", first, text, "one", 4, 60, 1)
    assert entries.event_rows(7, 3, [FLAG, hit, took], request, {"alone": True}) == [
        Row(7, 4, 5, "server", None, None, "flag_fell", flag, None, None, None, 0, None),
        given,
        Row(7, 6, 6, "left", 2, 3, "took", second, None, None, None, 0, None),
    ]
    assert entries.event_rows(7, 4, [hit, FLAG], request, {"alone": True})[0] == given


def test_the_first_entry_of_a_match_is_its_setup() -> None:
    setup = Setup.parse(US_2013)
    data = orjson.dumps(setup.to_dict()).decode()
    row = entries.setup_row(7, setup, 5, entries.Asker("left", 2, 3))
    assert row == Row(7, 1, 5, "left", 2, 3, "setup", data, None, None, None, 0, None)


def test_only_a_hit_may_have_texts_without_seals() -> None:
    hit = Row(7, 2, 6, "left", None, None, "hit", '{"note":"Ann"}', None, None, None, 0, None)
    hashed = orjson.dumps(("", *hit[:7], {"note": "Ann"}, *hit[8:]), option=orjson.OPT_SORT_KEYS)
    assert chain.link("", hit, {}) == hashlib.sha256(hashed).hexdigest()
    with pytest.raises(KeyError):
        chain.link("", hit._replace(event="stopped"), {})
    with pytest.raises(KeyError):
        chain.link("", hit, {"command/note": {"salt": "1"}})
    stripped = chain.Entry(1, {}, "0" * 64, hit._replace(event="stopped"))
    assert list(chain.breaks([stripped])) == [stripped]


def test_matches_are_chained_in_groups_of_2000_entries_or_more() -> None:
    assert list(chain._slices({1: 1_500, 2: 499, 3: 1, 4: 2_000, 5: 1_999, 6: 1})) == [[1, 2, 3], [4], [5, 6]]
    assert list(chain._slices({})) == []


@pytest.mark.django_db
def test_a_known_command_is_answered_by_its_last_entry() -> None:
    match, other = make_match(), make_match()
    hit = ClockHit(6, LEFT, 0)
    append(match, [hit, Took(6, LEFT, 0)], asked("two", credit_ms=60))
    append(match, [hit, FLAG], asked("one"))
    append(match, [FLAG, hit], asked("late"))
    append(match, [HandedOver(9, 2, 5, 8, 3, 1, Why.STALE)], asked("kept", by="server"))
    append(match, [HandedOver(9, 2, 5, 8, 3, 3)], asked("whole", by="server"))
    append(other, [hit], asked("else"))
    ids = ["two", "one", "late", "kept", "whole", "else", "never"]
    assert entries.first_answers([(match.pk, id_) for id_ in ids]) == {
        (match.pk, "two"): FirstAnswer(3, 60),
        (match.pk, "one"): FirstAnswer(4, 0),
        (match.pk, "late"): FirstAnswer(7, 0),
        (match.pk, "kept"): FirstAnswer(8, 0, "stale"),
        (match.pk, "whole"): FirstAnswer(9, 0),
    }
    assert entries.first_answers([]) == {}


@pytest.mark.django_db
def test_the_newest_entries_tell_what_has_changed() -> None:
    assert (entries.newest_entry(), entries.versions_since(3)) == (0, ({}, 3))
    device = Device.objects.create(token_hash="1")
    one, other = make_match(), make_match()
    before = entries.newest_entry()
    append(one, [ClockHit(6, LEFT, 0), Took(6, LEFT, 0)], asked(device_id=device.pk))
    newest = JournalEntry.objects.latest("pk").pk
    assert (entries.newest_entry(), entries.versions_since(0)[1]) == (newest, newest)
    assert {match: version for match, (version, _) in entries.versions_since(0)[0].items()} == {one.pk: 3, other.pk: 1}
    assert entries.versions_since(before) == ({one.pk: (3, 6)}, newest)
    assert entries.versions_since(newest) == ({}, newest)
    assert [entries.device_of(one.pk, seq) for seq in (1, 2, 3)] == [0, device.pk, device.pk]
    append(one, [ClockHit(7, RIGHT, 0)], asked())
    assert entries.first_hits([one.pk, other.pk]) == {one.pk: 6}


@pytest.mark.django_db
def test_seats_that_helpers_gave_after_the_first_press_are_found() -> None:
    tournament = Tournament.objects.create(slug="open", name="Open")
    match = desk.make_match(tables.add_table(tournament), Setup.parse(US_2013))
    olga, hugo = (User.objects.create_user(name) for name in ("olga", "hugo"))
    Membership.objects.create(tournament=tournament, user=olga, role="director")
    Membership.objects.create(tournament=tournament, user=hugo, role="helper")
    kinds = {event.name: event for event in BESIDE_THE_RULES}

    def seated(user: Any, name: str, *values: Any, by: str = "director") -> set[Seat]:
        append(match, [kinds[name](6, *values)], asked(by=by, user_id=user and user.pk))
        return entries.seats_by_helpers(match.pk)

    assert seated(hugo, "seat_released", LEFT, "") == set()
    append(match, [ClockHit(6, LEFT, 0)], asked())
    assert seated(olga, "seat_released", LEFT, "") == set()
    assert seated(None, "seat_taken", 1, (LEFT,), by="server") == set()
    assert seated(hugo, "moved", "1", "2", "") == set()
    append(match, [ClockHit(7, RIGHT, 0)], asked())
    assert seated(hugo, "seat_granted", RIGHT, "") == {RIGHT}
    assert seated(hugo, "seat_taken", 1, (LEFT, RIGHT)) == {LEFT, RIGHT}
    assert entries.names_of_user(hugo.pk) == {"hugo"}


@pytest.mark.django_db
def test_a_journal_with_a_gap_is_not_folded() -> None:
    match = make_match()
    append(match, [ClockHit(6, LEFT, 0), ClockHit(7, RIGHT, 0)], asked())
    JournalEntry.objects.filter(match=match, seq=2).delete()
    with pytest.raises(ValueError, match="gaps"):
        entries.refold(match.pk)


@pytest.mark.django_db(transaction=True)
def test_a_journal_is_folded_to_its_version_and_state() -> None:
    match = running_match()
    version, state = entries.refold(match.pk)
    assert (version, state.to_dict()) == (3, match.state)


@pytest.mark.django_db
@pytest.mark.parametrize("delete", [entries.delete, entries.delete_in_slices])
def test_the_journals_of_matches_are_deleted_and_overwritten(delete: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "ROWS", 2)
    *gone, kept = (make_match().pk for _ in range(4))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA secure_delete = OFF")
        delete(gone)
        assert list(JournalEntry.objects.values_list("match", flat=True)) == [kept]
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA secure_delete")
            assert cursor.fetchone() == (1,)
