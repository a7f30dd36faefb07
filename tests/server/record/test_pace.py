"""Expected end times of matches and rounds: estimates, pages and API."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clocks.engine.setup import Setup
from clocks.host import server_time
from clocks.models import FeedEvent, JournalEntry, Match, Round
from clocks.record import expected_ends, pace
from clocks.record.pace import POINTS, SETTING_WEIGHS, Game, Left, Pace
from clocks.tournament import results
from clocks.tournament.hall import resume_all, stop_all
from tests.server import hall
from tests.server.programs import Program, owner_of

MINUTE = 60_000
SEVEN = Setup.parse({"rules": "us-2013", "length": 7})


def minutes(left: Left) -> tuple[int, int]:
    return round(left.ms / MINUTE), round(left.spread_ms / MINUTE)


# --- estimates -----------------------------------------------------------------------------------------------------


def test_before_the_first_game_the_setting_is_the_estimate() -> None:
    assert minutes(Pace.of([]).left(SEVEN, (0, 0))) == (54, 25)
    slow = Setup.parse({"rules": "us-2013", "length": 7, "options": {"delay_ms": 20_000, "reserve_ms": 1_200_000}})
    assert minutes(Pace.of([]).left(slow, (0, 0))) == (82, 39)
    assert minutes(Pace.of([]).left(SEVEN, (6, 6))) == (9, 6)
    assert Pace.of([]).left(SEVEN, (7, 2)) == Left(0.0, 0.0)


def test_the_number_of_games_equals_a_simulation() -> None:
    chance, counts = random.Random(7), []
    values, shares = zip(*POINTS, strict=True)
    for _ in range(20_000):
        needs, games = [5, 3], 0
        while min(needs) > 0:
            needs[chance.randrange(2)] -= chance.choices(values, shares)[0]
            games += 1
        counts.append(games)
    mean = sum(counts) / len(counts)
    squared = sum(count**2 for count in counts) / len(counts)
    assert pace._games((5, 3), POINTS) == (pytest.approx(mean, rel=0.02), pytest.approx(squared, rel=0.04))


def test_longer_games_mean_a_slower_pace() -> None:
    usual = pace.by_setting_ms(SEVEN)
    slow = Pace.of([Game(round(2 * usual), usual, 1)] * 15)
    assert slow.factor == pytest.approx((SETTING_WEIGHS + 30) / (SETTING_WEIGHS + 15))
    assert dict(slow.points)[1] == pytest.approx((SETTING_WEIGHS * 0.55 + 15) / (SETTING_WEIGHS + 15))
    assert sum(dict(slow.points).values()) == pytest.approx(1)
    assert slow.left(SEVEN, (0, 0)).ms > Pace().left(SEVEN, (0, 0)).ms
    night = Pace.of([Game(10 * 3_600_000, usual, 1)])
    assert night == Pace.of([Game(round(pace.MOST * usual), usual, 1)]), "a night between two games was no game"


def test_the_spread_narrows_with_each_game() -> None:
    usual = pace.by_setting_ms(SEVEN)
    even = [Game(round(usual), usual, 1)] * 30
    assert Pace.of(even).left(SEVEN, (0, 0)).spread_ms < Pace().left(SEVEN, (0, 0)).spread_ms
    spreads = [Pace().left(SEVEN, score).spread_ms for score in ((0, 0), (3, 3), (5, 5), (6, 6))]
    assert spreads == sorted(spreads, reverse=True)


def test_a_current_game_always_has_some_time_left() -> None:
    game = pace.by_setting_ms(SEVEN)
    at_the_start, later, long_after = (Pace().left(SEVEN, (6, 6), at).ms for at in (0, game / 2, 10 * game))
    assert (at_the_start, later, long_after) == pytest.approx((game, game / 2, pace.REST * game))


def test_a_round_ends_when_the_last_of_its_matches_does() -> None:
    assert pace.last([Left(100.0, 0.0)]) == Left(100.0, 0.0)
    alone = pace.last([Left(50.0, 10.0)])
    assert (alone.ms, alone.spread_ms) == (pytest.approx(50, abs=0.1), pytest.approx(10, abs=0.1))
    both = pace.last([Left(50.0, 10.0)] * 2)  # maximum of two equal normal distributions: mean + spread / √π
    assert both.ms == pytest.approx(50 + 10 * 0.5642, abs=0.1)
    assert pace.last([Left(10.0, 5.0), Left(500.0, 5.0)]).ms == pytest.approx(500, abs=0.5)


def test_every_score_and_length_has_an_estimate() -> None:
    for length, left, right in product((1, 2, 5, 25), (0, 1, 4), (0, 1, 24)):
        if max(left, right) < length:
            found = Pace().left(replace(SEVEN, length=length), (left, right))
            assert found.ms > 0 and found.spread_ms > 0


def test_an_expected_end_is_told_with_its_spread_in_minutes() -> None:
    end = expected_ends.End(1_800_000_000_000, 25 * MINUTE)
    assert (end.instant.isoformat(), end.spread_minutes) == ("2027-01-15T08:00:00+00:00", 25)


# --- tournaments ---------------------------------------------------------------------------------------------------


def lay(match: Match, *ended: float) -> int:
    """Set when games ended, in minutes after the first press; return its time (ms)."""
    entries = JournalEntry.objects.filter(match=match)
    first = entries.filter(event="hit").order_by("seq")[0]
    for entry, minute in zip(entries.filter(event="game_ended").order_by("seq"), ended, strict=True):
        JournalEntry.objects.filter(pk=entry.pk).update(at=first.at + round(minute * MINUTE))
    return first.at


def won(match: Match, winner: str, points: int) -> None:
    """Play a game, starting it if necessary."""
    if Match.objects.get(pk=match.pk).status == "ready":
        hall.do(match, "left", do="hit")
    hall.win(match, winner, points)


def end_after(left: Left, now: int) -> expected_ends.End:
    """Expected end with this time left, rounded to whole minutes."""
    at, spread_ms = (round(ms / MINUTE) * MINUTE for ms in (now + left.ms, left.spread_ms))
    return expected_ends.End(at, spread_ms)


def about(figures: tuple[int, int]) -> object:
    """Minutes within a tolerance of one, because ends are rounded to the minute."""
    return pytest.approx(figures, abs=1)


def from_now(end: expected_ends.End, now: int) -> tuple[int, int]:
    return round((end.at - now) / MINUTE), end.spread_ms // MINUTE


@pytest.mark.django_db(transaction=True)
def test_expected_ends_follow_from_the_games_played() -> None:
    round_ = hall.summer_open(length=7)
    tournament = round_.tournament
    drawn = hall.drawn(round_, "1,Ann,Bob", "2,Eva,Finn")
    (waiting,) = hall.drawn(hall.next_round(round_), "1,Chi,Dov")
    match = drawn[0].match
    hall.begin(match)
    now = lay(match)
    ends = expected_ends.of_tournament(tournament, now)
    assert from_now(ends.matches[match.pk], now) == about((54, 25))
    assert from_now(ends.pairings[drawn[1].pk], now) == about((54, 25))
    assert from_now(ends.pairings[waiting.pk], now) == about((108, 35)), "it waits for the table"
    assert (from_now(ends.rounds[1], now)[0] > 54, from_now(ends.rounds[2], now)) == (True, about((108, 35)))
    won(match, "left", 1)
    won(match, "right", 1)
    now = lay(match, 25, 50) + 50 * MINUTE
    slow = Pace.of([Game(25 * MINUTE, pace.by_setting_ms(SEVEN), 1)] * 2)
    ends = expected_ends.of_tournament(tournament, now)
    assert ends.matches[match.pk] == end_after(slow.left(SEVEN, (1, 1)), now)
    assert ends.pairings[drawn[1].pk] == end_after(slow.left(SEVEN, (0, 0)), now)


@pytest.mark.django_db(transaction=True)
def test_hall_stops_and_reopened_games_do_not_count() -> None:
    round_ = hall.summer_open(length=7)
    (pairing,) = hall.drawn(round_, "1,Ann,Bob")
    hall.begin(pairing.match)
    owner = owner_of(round_.tournament)
    assert stop_all(round_.tournament, owner, "Lunch") == 1 and resume_all(round_.tournament, owner).number == 1
    won(pairing.match, "left", 1)
    start = lay(pairing.match, 70)
    for event, minute in (("stopped_all", 5), ("resumed", 65)):
        JournalEntry.objects.filter(event=event).update(at=start + minute * MINUTE)
    now = start + 70 * MINUTE
    known = Pace.of([Game(10 * MINUTE, pace.by_setting_ms(SEVEN), 1)])
    ends = expected_ends.of_tournament(round_.tournament, now)
    assert ends.matches[pairing.match.pk] == end_after(known.left(SEVEN, (1, 0)), now)
    hall.do(pairing.match, "director", do="propose", what="reopen", note="Wrong")
    ends = expected_ends.of_tournament(round_.tournament, now)
    assert ends.matches[pairing.match.pk] == end_after(Pace().left(SEVEN, (0, 0), 70 * MINUTE), now)


@pytest.fixture
def behind() -> Round:
    """Round of three matches: two nearly over, one just begun."""
    round_ = hall.summer_open(length=7)
    drawn = hall.drawn(round_, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    for pairing in drawn[:2]:
        won(pairing.match, "left", 4)
        won(pairing.match, "left", 2)
        lay(pairing.match, 8, 16)
    hall.begin(drawn[2].match)
    return round_


@pytest.mark.django_db(transaction=True)
def test_the_match_that_holds_up_its_round_is_shown(behind: Round) -> None:
    late = behind.pairings.get(table__name="3").match_id
    told = hall.client_of("viewer").get("/director/open/pace.json").json()["matches"]
    assert [pk for pk, end in told.items() if end["holds_up"]] == [str(late)] and len(told) == 3
    program = Program(behind.tournament, "viewer")
    match = program.get(f"/matches/{late}")
    assert {**match["expected_end"], "holds_up": match["holds_up_round"]} == told[str(late)]
    assert [each["holds_up_round"] for each in program.get("/matches")["items"]] == [False, False, True]
    assert program.get("/rounds/1")["expected_end"] == program.get("/rounds")[0]["expected_end"]
    assert program.get("/rounds/1")["expected_end"]["at"] >= match["expected_end"]["at"]
    page = hall.client_of("director").get("/director/open/rounds/1/").content.decode()
    assert page.count("until about ") == 3 and page.count("holds up the round") == 1 and "expected end " in page


@pytest.mark.django_db(transaction=True)
def test_the_only_match_of_a_round_holds_up_nobody() -> None:
    round_ = hall.summer_open(length=7)
    (final,) = hall.drawn(round_, "1,Ann,Bob")
    hall.begin(final.match)
    ends = expected_ends.of_tournament(round_.tournament, server_time.now_ms())
    assert (set(ends.matches), ends.holding_up) == ({final.match_id}, frozenset())


@pytest.mark.django_db(transaction=True)
def test_a_finished_match_has_no_expected_end(behind: Round) -> None:
    first, second, late = (pairing.match for pairing in behind.pairings.order_by("table__name"))
    won(first, "left", 1)
    ends = expected_ends.of_tournament(behind.tournament, server_time.now_ms())
    assert set(ends.matches) == {second.pk, late.pk} and ends.holding_up == {late.pk}
    won(second, "left", 1)
    ends = expected_ends.of_tournament(behind.tournament, server_time.now_ms())
    assert set(ends.matches) == {late.pk} and ends.holding_up == {late.pk}
    won(late, "left", 7)
    ends = expected_ends.of_tournament(behind.tournament, server_time.now_ms())
    assert (dict(ends.matches), dict(ends.pairings), dict(ends.rounds), ends.holding_up) == ({}, {}, {}, frozenset())
    page = hall.client_of("director").get("/director/open/rounds/1/").content.decode()
    assert "until about" not in page and "expected end" not in page


@pytest.mark.django_db(transaction=True)
def test_a_round_that_starts_later_ends_later() -> None:
    later = timezone.now() + timedelta(minutes=90)
    round_ = hall.summer_open(length=7, starts_at=later)
    hall.drawn(round_, "1,Ann,Bob")
    hall.drawn(hall.next_round(round_, policy="on-request", starts_at=None), "2,Chi,Dov")
    now = server_time.now_ms()
    ends = expected_ends.of_tournament(round_.tournament, now)
    assert {number: from_now(end, now) for number, end in ends.rounds.items()} == {1: about((144, 25))}


@pytest.mark.django_db(transaction=True)
def test_the_number_of_queries_does_not_grow_with_matches(behind: Round) -> None:
    now = server_time.now_ms()

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            expected_ends.of_tournament(behind.tournament, now)
        return len(asked)

    before = count()
    hall.drawn(behind, *(f"{table},A{table},B{table}" for table in range(4, 10)))
    assert count() == before


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL reads a table as small as this as it is")
@pytest.mark.django_db(transaction=True)
def test_expected_ends_and_results_do_not_read_hits(behind: Round) -> None:
    plans: list[str] = []

    def explain(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if JournalEntry._meta.db_table in sql and not sql.startswith("EXPLAIN"):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                plans.append(str(cursor.fetchall()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        expected_ends.of_tournament(behind.tournament, server_time.now_ms())
        results.of_tournament(behind.tournament, server_time.now_ms())
    newest, first_hits, *others = plans
    assert "SEARCH" in newest and "CORRELATED SCALAR SUBQUERY" in first_hits
    assert ["entries_but_hits" in plan for plan in others] == [True] * 3


@pytest.mark.django_db(transaction=True)
def test_expected_ends_are_cached_for_ten_seconds_or_until_an_event(behind: Round) -> None:
    now = server_time.now_ms()
    ends = expected_ends.cached(behind.tournament, now)
    assert expected_ends.cached(behind.tournament, now + 9_999) is ends
    later = expected_ends.cached(behind.tournament, now + 10_000)
    assert later is not ends
    FeedEvent.objects.create(tournament=behind.tournament, number=1, at=now, kind="game-ended", data={})
    assert expected_ends.cached(behind.tournament, now + 10_001) is not later


@pytest.mark.django_db(transaction=True)
def test_a_new_draw_has_expected_ends_at_once() -> None:
    program = Program(hall.summer_open().tournament)
    assert program.get("/rounds/1")["expected_end"] is None
    for pairs in ([("Ann", "Bob")], [("Ann", "Bob"), ("Chi", "Dov")], []):
        draw = {"pairings": [{"left": left, "right": right} for left, right in pairs]}
        assert program.ask("put", "/rounds/1/pairings", draw).status_code == 200
        assert (program.get("/rounds/1")["expected_end"] is None) == (not pairs)
        assert [match["expected_end"] is None for match in program.get("/matches")["items"]] == [False] * len(pairs)


@pytest.mark.django_db(transaction=True)
def test_incremental_reading_equals_reading_everything() -> None:
    round_ = hall.summer_open(length=7)
    tournament, owner = round_.tournament, owner_of(round_.tournament)
    first, second = (pairing.match for pairing in hall.drawn(round_, "1,Ann,Bob", "2,Chi,Dov"))
    now = server_time.now_ms()

    def happens(*steps: Callable[[], object]) -> None:
        nonlocal now
        for step in steps:
            step()
            now += 10_000
            assert expected_ends.cached(tournament, now) == expected_ends.of_tournament(tournament, now)

    happens(
        lambda: hall.begin(first),
        lambda: won(first, "left", 1),
        lambda: hall.drawn(hall.next_round(round_), "1,Eva,Finn"),
        lambda: won(first, "right", 2),
        lambda: stop_all(tournament, owner, "Lunch"),
        lambda: hall.begin(second),
        lambda: resume_all(tournament, owner),
        lambda: hall.do(first, "director", do="propose", what="reopen", note="Wrong"),
        lambda: won(second, "left", 7),
        lambda: won(first, "left", 4),
    )
    assert expected_ends.cached(tournament, now).matches.keys() == {first.pk} | {
        match.pk for match in Match.objects.exclude(pk__in=[first.pk, second.pk])
    }
