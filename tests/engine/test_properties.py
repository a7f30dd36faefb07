"""Invariants of every match, for any sequence of commands under any rule set."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Kind, Seat
from clocks.engine.closed_sets import Official, Swap, Win
from clocks.engine.commands import Command, Expire, Propose, Stop, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import (
    Event,
    ExpiryApplied,
    FlagFell,
    GameEnded,
    MatchEnded,
    Resumed,
    ScoreSet,
    TimeGiven,
    event_from_dict,
)
from clocks.engine.evolve.fold import fold
from clocks.engine.frozen import changed
from clocks.engine.match import Match
from clocks.engine.proposals import Reopen
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup

SEATS = st.sampled_from(["left", "right"])
# Fields restored by reopening; the clock and the last hit are checked separately.
AS_BEFORE = (
    "score crawford turn_number game control cube owed_hit confirmed offences graced forfeit hits freeze_next last_end"
).split()
PARTIES = st.sampled_from(["left", "right", "director"])
STEPS = st.one_of(st.integers(0, 400), st.integers(0, 20_000), st.integers(0, 900_000))


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any setup: rule set, format, length of 1 to 25, score and options."""
    rules = draw(st.sampled_from(sorted(RULESETS)))
    length = draw(st.integers(1, 25))
    points = st.integers(0, length - 1)
    given: dict[str, Any] = {"rules": rules, "length": length, "score": [draw(points), draw(points)]}
    if RULESETS[rules].doubles_per_point_ms:
        given["format"] = draw(st.sampled_from(["singles", "doubles"]))
    amounts = st.integers(1, 120_000)
    options: dict[str, Any] = {}
    choices: dict[str, st.SearchStrategy[Any]] = {
        "reserve_ms": st.one_of(amounts, st.lists(amounts, min_size=2, max_size=2)),
        "lag_credit_ms": st.integers(0, 2_000),
        "delay_ms": st.integers(0, 30_000),
        "overtime_ms": amounts,
        "reset": st.sampled_from(["add", "set"]),
        "second_control": st.sampled_from(["simple", "bronstein"]),
        "flag": st.sampled_from(["lose-match", "penalty", "next-control", "overtime"]),
        "per_point_ms": amounts,
    }
    for key in RULESETS[rules].options:
        if key in choices and draw(st.booleans()):
            options[key] = draw(choices[key])
    if rules == "custom":
        options = sensible(options)
        if "delay_ms" not in options:
            options["kind"] = draw(st.sampled_from(["none", "simple", "bronstein"]))
    bronstein = Kind.BRONSTEIN in (options.get("kind", RULESETS[rules].kind), options.get("second_control"))
    if bronstein and "bronstein" in RULESETS[rules].options and draw(st.booleans()):
        options["bronstein"] = draw(st.sampled_from(["strict", "precredited"]))
    return Setup.parse({**given, "options": options})


def sensible(options: dict[str, Any]) -> dict[str, Any]:
    """Drop options that conflict with the flag policy or reserve; add `overtime_ms`."""
    flag = options.get("flag", "lose-match")
    if flag == "overtime":
        options.setdefault("overtime_ms", 60_000)
    goes_with = {"reset": "penalty", "second_control": "next-control", "overtime_ms": "overtime"}
    amounts = {"per_point_ms"} if "reserve_ms" in options else set()
    return {k: v for k, v in options.items() if goes_with.get(k, flag) == flag and k not in amounts}


@st.composite
def proposals(draw: st.DrawFn) -> dict[str, Any]:
    kinds = ["game", "offer", "dice-penalty", "drop-forfeit", "undo", "score", "cube", "time", "reopen", "resume"]
    what = draw(st.sampled_from([*kinds, *kinds, "end"]))
    terms: dict[str, dict[str, Any]] = {
        "game": {"winner": draw(SEATS), "points": draw(st.integers(1, 3))},
        "offer": {"winner": draw(SEATS), "outcome": draw(st.sampled_from(Win))},
        "dice-penalty": {"against": draw(SEATS)},
        "drop-forfeit": {"seat": draw(SEATS)},
        "undo": {},
        "score": {"score": [draw(st.integers(0, 25)), draw(st.integers(0, 25))]},
        "cube": {"value": draw(st.sampled_from([1, 2, 4, 8])), "owner": draw(st.none() | SEATS)},
        "time": {"seat": draw(SEATS), "by_ms": draw(st.integers(-90_000, 90_000))},
        "end": {"winner": draw(SEATS)},
        "reopen": {},
        "resume": {"turn_of": draw(SEATS), "fresh_delay": draw(st.booleans())},
    }
    return {"do": "propose", "what": what, **terms[what]}


class AnyMatch(RuleBasedStateMachine):
    """State machine that plays random matches and checks each step."""

    @initialize(setup=setups(), confirmed=st.integers(0, 9))
    def begin(self, setup: Setup, confirmed: int) -> None:
        self.setup = setup
        self.match = Match.begin(setup)
        self.events: list[Event] = []
        self.at = 0
        if confirmed:
            self.ask(parse_command({"do": "confirm"}), "director")

    @precondition(lambda self: self.match.status == "over")
    @rule(setup=setups())
    def the_next_match_begins(self, setup: Setup) -> None:
        self.begin(setup, 1)

    def ask(self, command: Command, by: str) -> None:
        before, at = self.match, self.at
        outcome = perform(before, command, by, at)
        if outcome.refusal is not None and outcome.events:
            assert [type(event) for event in outcome.events] == [FlagFell]
        elif outcome.refusal is not None:
            assert outcome.match == before
        self.check_reserves(before, outcome.match, outcome.events, at)
        self.check_taken_back(before, outcome.match, outcome.events, at)
        self.check_numbers(before, outcome.match)
        self.match = outcome.match
        self.events.extend(outcome.events)
        assert self.match.at <= at

    def check_reserves(self, before: Match, after: Match, events: tuple[Event, ...], at: int) -> None:
        """Check the bounds of a command's effect on both reserves.

        Lag credit, Bronstein time and a new control's delay may raise them. Only restoring a turn lowers them, by the
        Bronstein time that it reverses. Given time, applied expiries and undone presses are not checked.
        """
        delay = max(before.clock.control.delay_ms, after.clock.control.delay_ms)
        bronstein = Kind.BRONSTEIN in (before.clock.control.kind, after.clock.control.kind)
        given = any(isinstance(event, TimeGiven | ExpiryApplied) for event in events)
        undone = any(event.name in ("hit_undone", "reopened") for event in events)
        if given or undone:
            return
        most = (delay if bronstein else 0) + (after.lag_credit_ms if events else 0)
        back = any(isinstance(event, Resumed) and event.swap is Swap.BACK for event in events)
        least = delay if back and bronstein else 0
        for was, now in zip(before.clock.reserves(at), after.clock.reserves(at), strict=True):
            assert (
                was - least
                <= now
                <= was + most + (delay if before.clock.precredit and not after.clock.precredit else 0)
            )

    def check_numbers(self, before: Match, after: Match) -> None:
        """Check that each proposal, and each version of one, gets a new number."""
        changes = after.proposal is not None and after.proposal != before.proposal
        assert after.proposals > before.proposals if changes else after.proposals >= before.proposals

    def check_taken_back(self, before: Match, after: Match, events: tuple[Event, ...], at: int) -> None:
        """Check that reopening at once restores the match, but with its clocks stopped."""
        ends = events and isinstance(events[-1], GameEnded | MatchEnded | ExpiryApplied | ScoreSet)
        if not ends or before.status == "over" or after.last_end is before.last_end:
            return
        back = perform(after, Propose(Reopen()), Official.DIRECTOR, at).match
        assert {name: getattr(back, name) for name in AS_BEFORE} == {name: getattr(before, name) for name in AS_BEFORE}
        credit = events[-1].credit_ms if isinstance(events[-1], GameEnded) else 0
        used = before.clock.used_ms if before.turn is None else max(0, before.clock.used(at) - credit)
        assert back.clock == changed(before.clock, used_ms=used, since=None)
        assert back.status == ("stopped" if before.turn else before.status)
        assert (back.winner, back.proposal, back.flagged) == (None, None, None)
        if before.last_hit is not None:
            assert back.last_hit == changed(before.last_hit, last_end=None)

    @rule(ms=STEPS)
    def some_time_passes(self, ms: int) -> None:
        self.time_passes(ms)

    def time_passes(self, ms: int) -> None:
        before = self.match
        shown = before.clock.reserves(self.at)
        self.at += ms
        later = before.clock.reserves(self.at)
        assert all(now <= was for was, now in zip(shown, later, strict=True))
        assert sum(shown) - sum(later) <= ms
        if before.status != "running":
            assert shown == later

    @rule(by=PARTIES)
    def confirm(self, by: str) -> None:
        self.ask(parse_command({"do": "confirm"}), by)

    @rule(by=SEATS, credit=st.integers(0, 3_000), named=st.booleans())
    def press(self, by: str, credit: int, named: bool) -> None:
        number = {"turn_number": self.match.turn_number} if named else {}
        self.ask(parse_command({"do": "hit", "credit_ms": credit, **number}), by)

    @precondition(lambda self: self.match.status in ("ready", "running"))
    @rule(opener=SEATS, turns=st.lists(STEPS, min_size=1, max_size=6))
    def they_play_some_turns(self, opener: str, turns: list[int]) -> None:
        for ms in turns:
            self.time_passes(ms)
            self.ask(parse_command({"do": "hit"}), self.match.turn or opener)

    @precondition(lambda self: self.match.status == "stopped" and self.match.proposal is None)
    @rule(by=PARTIES)
    def they_go_on(self, by: str) -> None:
        self.ask(parse_command({"do": "resume"}), by)

    @precondition(lambda self: self.match.status == "running")
    @rule(late_ms=st.integers(0, 3_000))
    def they_let_the_flag_fall(self, late_ms: int) -> None:
        if self.match.flag_at is not None:
            self.time_passes(max(0, self.match.flag_at - self.at + late_ms))
            self.ask(Expire(), "server")

    @precondition(lambda self: self.match.status == "flagged")
    @rule()
    def the_director_agrees_to_the_consequence(self) -> None:
        self.ask(parse_command({"do": "agree"}), "director")

    @precondition(lambda self: self.match.status == "running")
    @rule(takes=st.booleans())
    def they_double(self, takes: bool) -> None:
        assert self.match.turn is not None
        self.ask(parse_command({"do": "double"}), self.match.turn)
        self.ask(parse_command({"do": "take" if takes else "pass"}), self.match.turn or "left")

    @precondition(lambda self: self.match.turn is not None)
    @rule(do=st.sampled_from(["hit", "hit", "hit", "double", "take", "pass"]))
    def the_seat_on_turn_plays(self, do: str) -> None:
        assert self.match.turn is not None
        self.ask(parse_command({"do": do}), self.match.turn)

    @rule(by=PARTIES, reason=st.sampled_from(["break", "dice", "contest", "dice-picked-up", "director", "other"]))
    def stop(self, by: str, reason: str) -> None:
        self.ask(parse_command({"do": "stop", "reason": reason}), by)

    @rule(by=PARTIES, turn_of=st.none() | SEATS, fresh=st.booleans())
    def resume(self, by: str, turn_of: str | None, fresh: bool) -> None:
        self.ask(parse_command({"do": "resume", "turn_of": turn_of, "fresh_delay": fresh}), by)

    @rule(by=PARTIES, given=proposals())
    def propose(self, by: str, given: dict[str, Any]) -> None:
        try:
            command = parse_command(given)
        except Refused as refusal:
            assert refusal.code == "bad-value"
            return
        self.ask(command, by)

    @precondition(lambda self: self.match.reopens is not None)
    @rule()
    def the_director_takes_back_the_end(self) -> None:
        self.ask(Propose(Reopen()), Official.DIRECTOR)

    @precondition(lambda self: self.match.proposal is not None)
    @rule(by=PARTIES, do=st.sampled_from(["agree", "agree", "decline", "withdraw"]))
    def settle(self, by: str, do: str) -> None:
        self.ask(parse_command({"do": do}), by)

    @rule(by=PARTIES, do=st.sampled_from(["call", "answer"]))
    def call(self, by: str, do: str) -> None:
        self.ask(parse_command({"do": do}), by)

    @rule()
    def the_watch_looks(self) -> None:
        self.ask(Expire(), "server")

    @rule()
    def the_server_was_away(self) -> None:
        self.ask(Stop("outage"), "server")

    @precondition(lambda self: self.match.status == "running" and self.match.proposal is None)
    @rule(by=PARTIES, away_ms=st.integers(0, 10**9))
    def a_pause_of_any_length_leaves_every_clock_as_it_was(self, by: str, away_ms: int) -> None:
        self.ask(parse_command({"do": "stop", "reason": "break"}), by)
        if self.match.status != "stopped":
            return
        shown = (self.match.clock.reserves(self.at), self.match.clock.delays(self.at), self.match.turn_number)
        self.at += away_ms
        self.ask(parse_command({"do": "resume"}), by)
        now = (self.match.clock.reserves(self.at), self.match.clock.delays(self.at), self.match.turn_number)
        assert now == shown

    @invariant()
    def the_fold_of_the_journal_is_the_state(self) -> None:
        written = [(event.name, event.to_dict()) for event in self.events]
        assert fold(self.setup, [event_from_dict(name, plain) for name, plain in written]) == self.match
        assert Match.from_dict(self.match.to_dict()) == self.match

    @invariant()
    def what_is_shown_makes_sense(self) -> None:
        match, look = self.match, self.match.look(self.at)
        length = match.setup.length
        assert all(0 <= points <= length for points in match.score)
        assert (match.status == "over") == (match.winner is not None)
        assert (match.status == "running") == (match.clock.since is not None)
        assert (match.status == "flagged") == (match.flagged is not None)
        assert match.status not in ("running", "stopped", "flagged") or match.turn is not None
        assert match.status not in ("setup", "ready", "over") or match.turn is None
        assert match.status != "stopped" or match.halt is not None
        assert all(ms >= 0 for ms in (*look["reserve_ms"], *look["delay_ms"]))
        assert match.cube.offered_by is None or match.cube.offered_by is not match.turn
        assert (look["flag_at"] is None) == (match.status != "running" or not match.limits)
        assert look["wait_until"] is None or match.forfeit[Seat(look["turn"]).index]


AnyMatch.TestCase.settings = settings(
    max_examples=300, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyMatch = AnyMatch.TestCase
