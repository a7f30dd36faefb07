"""Handing over a match that a shared phone continued offline.

Any accepted sequence of commands leads to the same match, whether sent live or handed over later, in pieces of any size
and any number of times.
"""

import json
import random
from typing import Any

import pytest

from clocks import desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Confirm, Expire, HandOver, Hit, Kept, Propose, Stop, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match as MatchState
from clocks.engine.proposals import GiveTime
from clocks.engine.replay import run
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.models import Device, JournalEntry, Match
from clocks.seats import presence
from tests.browser.test_engine_module import OPTIONS, asked
from tests.server.house import make_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

RULES = [("us-2013", {}), ("aba-2003-standard", {}), *((key, one) for key, all_ in OPTIONS.items() for one in all_)]


class Shared:
    """Match between Ann and Bob on one phone; Bob's turn started at `began`."""

    def __init__(self, began: int, **changes: Any) -> None:
        self.match = make_match(**changes)
        self.phone = sit_down(self.match, "left", "right")[0]
        self.began = began
        assert self.settle(Confirm(), "director", began).ok
        assert self.settle(Hit(), "left", began).ok

    def settle(self, command: Any, by: Any, at: int, **more: Any) -> Reply:
        """Submit a command that arrives at `at`, and return the reply."""
        answers: list[Reply] = []
        desk._desk.settle([Request(self.match.pk, command, by, at, answered=answers.append, **more)])
        return answers[0]

    def hand_over(self, kept: list[Kept], at: int, id_: str = "first", device: Device | None = None) -> Reply:
        phone = device or self.phone
        return self.settle(HandOver(tuple(kept)), "left", at, device_id=phone.pk, command_id=id_)

    def hits(self, *after: int, first: str = "right") -> list[Kept]:
        """Alternating presses at these milliseconds after `began`."""
        seats = [first, "left" if first == "right" else "right"]
        return [Kept(seats[number % 2], Hit(), self.began + ms) for number, ms in enumerate(after)]

    @property
    def board(self) -> stored.StoredMatch:
        return stored.matches([self.match.pk])[self.match.pk]

    @property
    def state(self) -> MatchState:
        return self.board.match

    def events(self) -> list[str]:
        return list(JournalEntry.objects.filter(match=self.match).order_by("seq").values_list("event", flat=True))


@pytest.fixture
def shared() -> Shared:
    return Shared(now_ms() + 1_000)


def played(chance: random.Random, match: MatchState, at: int) -> list[Kept]:
    """Random commands of two players on one phone, all of them acceptable."""
    kept: list[Kept] = []
    while len(kept) < 40 and match.status != "over":
        at += 1 + chance.choice([0, chance.randrange(3_000), chance.randrange(15_000), chance.randrange(40_000)])
        command, by = asked(chance, match)
        if by in ("director", "server"):
            continue
        given = parse_command(command)
        outcome = perform(match, given, by, at)
        if outcome.refusal is None:
            kept.append(Kept(by, given, at))
            match = outcome.match
    return kept


@pytest.mark.parametrize(("rules", "options"), RULES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_hand_over_leads_to_the_match_that_was_played(rules: str, options: dict[str, Any], seed: int) -> None:
    chance = random.Random(f"{rules}{options}{seed}")
    setting = {"rules": rules, "length": 5, "options": {**options, "reserve_ms": 60_000}}
    began = now_ms() + 1_000
    online, offline = Shared(began, **setting), Shared(began, **setting)
    kept = played(chance, online.state, began)
    for number, one in enumerate(kept):
        assert online.settle(one.command, one.seat, one.at, device_id=online.phone.pk, command_id=f"{number}").ok
    end = kept[-1].at
    while kept:
        size = chance.randrange(1, 9)
        piece, kept = kept[:size], kept[size:]
        first = offline.hand_over(piece, end, f"piece-{len(kept)}")
        assert first.ok
        if chance.random() < 0.5:  # the reply was lost: the phone resends, perhaps to a restarted server
            if chance.random() < 0.5:
                desk.forget()
            again = offline.hand_over(piece, end + 5_000, f"piece-{len(kept)}")
            # A repeated call adds no entry, so a piece of only such calls is not in the journal.
            assert again._replace(again=True) == first._replace(again=True)
    assert offline.state == online.state
    assert entries.refold(offline.match.pk) == (offline.board.version, offline.state)
    lines = [json.dumps(line, default=str) for line in entries.replay_lines(offline.match.pk)]
    replayed = list(run(lines))[-1]
    shown = offline.state.look(replayed["at"])
    assert (replayed["reserve_ms"], replayed["score"]) == ([*shown["reserve_ms"]], [*shown["score"]])


def test_each_step_is_stored_with_its_time_and_marked_as_handed_over(shared: Shared) -> None:
    began = shared.began
    assert shared.hand_over(shared.hits(20_000, 25_000), began + 60_000) == Reply(True, 7)
    rows = JournalEntry.objects.filter(match=shared.match, seq__gt=4).order_by("seq")
    found = [(row.event, row.at, row.by, row.command, row.command_id, row.claimed_at) for row in rows]
    assert found == [
        ("hit", began + 20_000, "right", {"do": "hit", "credit_ms": 0, "alone": True}, "first.0", began + 20_000),
        ("hit", began + 25_000, "left", {"do": "hit", "credit_ms": 0, "alone": True}, "first.1", began + 25_000),
        ("handed_over", began + 25_000, "server", {"do": "hand-over", "kept": 2}, "first", None),
    ]
    assert rows[2].data == {
        "at": began + 25_000,
        "device": shared.phone.pk,
        "since": began + 20_000,
        "heard_at": began + 60_000,
        "kept": 2,
        "taken": 2,
        "code": "",
    }


def test_the_clocks_are_charged_the_elapsed_time_whatever_is_claimed() -> None:
    chance = random.Random(11)
    for _ in range(12):
        shared = Shared(now_ms() + 1_000, rules="custom", options={"kind": "none"})
        arrives = shared.began + 100_000
        before = sum(shared.state.clock.reserves(shared.began))
        claimed = sorted(chance.sample(range(-5_000, 120_000), 10))
        shared.hand_over(shared.hits(*claimed), arrives)
        assert before - sum(shared.state.clock.reserves(arrives)) == 100_000


def test_a_refusal_ends_the_hand_over_and_is_repeated(shared: Shared) -> None:
    kept = [*shared.hits(5_000, 9_000), Kept("left", Hit(), shared.began + 12_000), *shared.hits(15_000)]
    answer = shared.hand_over(kept, shared.began + 60_000)
    assert (answer.ok, answer.v, answer.code) == (False, 7, "not-your-turn")
    desk.forget()
    again = shared.hand_over(kept, shared.began + 70_000)
    assert (again.ok, again.v, again.code, again.again) == (False, 7, "not-your-turn", True)
    assert shared.state.turn_number == 3
    data = JournalEntry.objects.get(match=shared.match, event="handed_over").data
    assert (data["kept"], data["taken"], data["code"]) == (4, 2, "not-your-turn")


def test_a_directors_change_in_between_wins(shared: Shared) -> None:
    assert shared.settle(Stop("director"), "director", shared.began + 10_000).ok
    version = shared.board.version
    answer = shared.hand_over(shared.hits(5_000, 20_000), shared.began + 60_000)
    assert (answer.ok, answer.code, shared.board.version) == (False, "overruled", version)


def test_a_claim_later_than_now_is_refused(shared: Shared) -> None:
    answer = shared.hand_over(shared.hits(5_000, 70_000), shared.began + 60_000)
    assert (answer.ok, answer.code, shared.state.turn_number) == (False, "bad-value", 2)


def test_only_the_phone_between_the_players_may_hand_over(shared: Shared) -> None:
    other = sit_down(make_match(), "left", "right")[0]
    assert shared.hand_over(shared.hits(5_000), shared.began + 9_000, device=other).code == "no-seat"
    taken = shared.settle(HandOver(tuple(shared.hits(5_000))), Official.DIRECTOR, shared.began + 9_000)
    assert (taken.ok, taken.code) == (False, "no-seat")


@pytest.mark.parametrize("restarted", [False, True])
def test_a_press_that_arrived_before_the_network_failed_counts_once(shared: Shared, restarted: bool) -> None:
    began = shared.began
    # The press arrived after the next one was made, and its reply was lost.
    assert shared.settle(Hit(), "right", began + 9_000, device_id=shared.phone.pk, command_id="a-hit").ok
    if restarted:
        desk.forget()
    kept = shared.hits(5_500, 6_800, 20_000)
    kept[0] = Kept("right", Hit(), began + 5_500, "a-hit")
    assert shared.hand_over(kept, began + 60_000).ok
    assert (shared.state.turn_number, shared.state.at) == (4, began + 20_000)
    assert shared.hand_over(kept[:1], began + 60_000, "second").ok
    assert shared.events().count("handed_over") == 1


def test_a_delayed_press_of_such_a_phone_counts_from_when_it_was_made(shared: Shared) -> None:
    began = shared.began
    more = {"device_id": shared.phone.pk, "claimed_at": began + 15_000, "credit_ms": 200}
    assert shared.settle(Hit(), "right", began + 40_000, **more) == Reply(True, 5)
    assert (shared.state.at, shared.state.clock.since, shared.board.late) == (began + 15_000, began + 15_000, None)


def test_no_flag_falls_until_the_offline_phone_was_heard() -> None:
    shared = Shared(now_ms() + 1_000, rules="custom", options={"kind": "none", "reserve_ms": 30_000})
    due = shared.began + 30_000
    shared.settle(Expire(), Official.SERVER, due + 60_000)
    assert shared.state.status == "running"
    assert shared.hand_over(shared.hits(29_000), due + 60_000).ok
    presence.spoke(shared.match.pk, due + 60_000)
    shared.settle(Expire(), Official.SERVER, due + 61_000)
    assert (shared.state.flagged, shared.state.at) == ("left", shared.began + 59_000)


def test_a_directors_change_meanwhile_drops_no_flag_and_replays() -> None:
    shared = Shared(now_ms() + 1_000, rules="custom", options={"kind": "none", "reserve_ms": 30_000})
    presence._seen[shared.match.pk] = [0, 0]
    assert shared.settle(Stop("director"), "director", shared.began + 90_000).ok
    assert (shared.state.status, shared.state.clock.reserves(shared.began + 90_000)) == ("stopped", (30_000, 0))
    lines = [json.dumps(line) for line in entries.replay_lines(shared.match.pk)]
    assert [line["status"] for line in run(lines)][-1] == "stopped"


def test_play_during_an_outage_counts_as_if_the_server_had_been_up(shared: Shared) -> None:
    began = shared.began
    assert shared.settle(Stop("outage"), Official.SERVER, began + 4_000).ok
    assert shared.hand_over(shared.hits(20_000, 25_000), began + 60_000).ok
    clock = shared.state.clock
    assert (shared.state.status, clock.turn, clock.since) == ("running", "right", began + 25_000)
    assert clock.reserve_ms == (14 * 60_000, 14 * 60_000 - 8_000)


def test_a_stop_after_the_one_of_the_outage_ends_the_offline_play(shared: Shared) -> None:
    began = shared.began
    assert shared.settle(Stop("outage"), Official.SERVER, began + 4_000).ok
    assert shared.settle(Propose(GiveTime(Seat.LEFT, 60_000)), "director", began + 4_500).ok
    assert shared.hand_over(shared.hits(5_000), began + 60_000).code == "stopped"
    assert shared.state.status == "stopped"


def test_after_an_outage_a_phone_that_was_online_starts_no_clock(shared: Shared) -> None:
    began = shared.began
    assert shared.settle(Stop("outage"), Official.SERVER, began + 4_000).ok
    kept = HandOver(tuple(shared.hits(20_000)))
    answer = shared.settle(kept, "left", began + 60_000, device_id=shared.phone.pk, dated_from=began + 60_000)
    assert (answer.code, shared.state.status) == ("stopped", "stopped")
    assert shared.state.clock.reserves(began + 60_000) == (14 * 60_000, 14 * 60_000)


def test_parts_count_no_earlier_than_the_silence_of_their_phone(shared: Shared) -> None:
    began = shared.began
    kept = HandOver(tuple(shared.hits(5_000, 9_000, 30_000)))
    assert shared.settle(kept, "left", began + 60_000, device_id=shared.phone.pk, dated_from=began + 20_000).ok
    rows = JournalEntry.objects.filter(match=shared.match, seq__gt=4).order_by("seq")
    assert [(row.event, row.at - began, row.claimed_at and row.claimed_at - began) for row in rows] == [
        ("hit", 20_000, 5_000),
        ("hit", 20_000, 9_000),
        ("hit", 30_000, 30_000),
        ("handed_over", 30_000, None),
    ]
    assert [row.heard_at for row in rows] == [None, None, None, began + 20_000]


def test_time_given_by_the_director_meanwhile_ends_the_offline_play(shared: Shared) -> None:
    assert shared.settle(Propose(GiveTime(Seat.LEFT, 60_000)), "director", shared.began + 30_000).ok
    assert shared.hand_over(shared.hits(5_000), shared.began + 60_000).code == "overruled"
    assert shared.hand_over(shared.hits(35_000), shared.began + 60_000, "later").ok
    assert Match.objects.get(pk=shared.match.pk).status == "running"


# --- reused ids ----------------------------------------------------------------------------------------------------


def stored_ids(shared: Shared) -> list[str]:
    rows = JournalEntry.objects.filter(match=shared.match).exclude(command_id=None).order_by("seq")
    return list(rows.values_list("command_id", flat=True))


def test_a_part_with_the_id_of_an_earlier_hand_over_gets_its_reply(shared: Shared) -> None:
    began = shared.began
    kept = [*shared.hits(5_000), Kept("right", Hit(), began + 6_000)]
    assert shared.hand_over(kept, began + 9_000, "first").code == "not-your-turn"
    for forgotten in (False, True):
        if forgotten:
            desk.forget()
        part = Kept("left", Hit(), began + 7_000, "first")
        answer = shared.hand_over([part], began + 9_000, f"second-{forgotten}")
        assert (answer.ok, answer.code) == (False, "not-your-turn")
    assert stored_ids(shared) == ["first.0", "first"]


def test_a_part_whose_derived_id_is_used_is_not_repeated(shared: Shared) -> None:
    began = shared.began
    assert shared.settle(Hit(), "right", began + 5_000, device_id=shared.phone.pk, command_id="whole.0").ok
    assert shared.hand_over(shared.hits(5_000, 8_000), began + 9_000, "whole").ok
    assert stored_ids(shared) == ["whole.0", "whole.1", "whole"]


def test_ids_used_in_the_same_batch_are_not_stored_again(shared: Shared) -> None:
    began, answers = shared.began, list[Reply]()

    def request(command: Any, by: str, id_: str) -> Request:
        more = {"device_id": shared.phone.pk, "command_id": id_, "answered": answers.append}
        return Request(shared.match.pk, command, by, began + 60_000, **more)

    part = Kept("right", Hit(), began + 5_000, "part")
    one, other = (HandOver((part, *shared.hits(8_000 + ms, first="left"))) for ms in (0, 1_000))
    asked = [(one, "left", "one"), (Hit(), "right", "part"), (Hit(), "left", "one.1"), (other, "left", "other")]
    desk._desk.settle([request(*each) for each in asked])
    assert [(answer.ok, answer.again) for answer in answers[:3]] == [(True, False), (True, True), (True, True)]
    assert (answers[3].code, answers[3].again) == ("not-your-turn", False)
    assert stored_ids(shared) == ["part", "one.1", "one"]
