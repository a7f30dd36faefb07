"""Command dispatch: let a due flag fall, then decide the command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.closed_sets import Official, Party
from clocks.engine.decide import proposals, resuming, tables, turn_commands
from clocks.engine.decide.flags import consequence
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.refusals import Refused, Why

DECIDE: dict[type[c.Command], Callable[[Match, Any, Party, int], Sequence[e.Event]]] = {
    c.Confirm: turn_commands.decide_confirm,
    c.Hit: turn_commands.decide_hit,
    c.Stop: turn_commands.decide_stop,
    c.Resume: resuming.decide_resume,
    c.StopAll: turn_commands.decide_stop_all,
    c.ResumeAll: resuming.decide_resume_all,
    c.Double: turn_commands.decide_double,
    c.Take: turn_commands.decide_take,
    c.Pass: turn_commands.decide_pass,
    c.Propose: proposals.decide_propose,
    c.Agree: proposals.decide_agree,
    c.Decline: proposals.decide_decline,
    c.Withdraw: proposals.decide_withdraw,
    c.Call: turn_commands.decide_call,
    c.AnswerCall: turn_commands.decide_answer,
    c.Look: turn_commands.decide_nothing,
    c.Expire: turn_commands.decide_nothing,
    c.TakeSeat: tables.decide_take_seat,
    c.ReleaseSeat: tables.decide_release_seat,
    c.GrantSeat: tables.decide_grant_seat,
    c.Move: tables.decide_move,
    c.ReplaceCode: tables.decide_replace_code,
    c.CorrectNames: tables.decide_correct_names,
    c.RemoveNames: tables.decide_remove_names,
    c.HandOver: tables.decide_hand_over,
}
# Commands that the server itself may issue, such as a stop after an outage or the removal of old names.
THE_SERVERS = (c.Look, c.Expire, c.Stop, c.TakeSeat, c.ReleaseSeat, c.CorrectNames, c.RemoveNames)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a command: its events, the match after them, and the refusal, if any.

    A rejected command has no events of its own, but a flag may have fallen before it.
    """

    match: Match
    events: tuple[e.Event, ...]
    refusal: Refused | None = None


def perform(match: Match, command: c.Command, by: Party, at: int, flags: bool = True) -> Outcome:
    """Let a due flag fall, then perform the command of `by` at time `at`.

    If `flags` is False no flag falls, because the shared phone is silent and may hold a press made in time.
    The flag is judged at `at - credit_ms` for a press of the running clock, and at the end of the lag allowance for
    `Expire`. `at` must not be before the last event.
    """
    events: list[e.Event] = []
    judged_at = at
    if isinstance(command, c.Press):
        at_most = min(command.credit_ms, match.lag_credit_ms)
        judged_at = at - at_most if _presses_own_clock(match, by) else at
    elif isinstance(command, c.Expire):
        judged_at = at - match.lag_credit_ms
    fallen = due_flag(match, judged_at) if flags else None
    if fallen is not None:
        events.append(fallen)
        match = evolve(match, fallen)
    try:
        decided = decide(match, command, by, at)
    except Refused as refusal:
        return Outcome(match, tuple(events), refusal.with_traceback(None))  # a traceback would form a reference cycle
    for event in decided:
        match = evolve(match, event)
    return Outcome(match, (*events, *decided))


def _presses_own_clock(match: Match, by: Party) -> bool:
    """True if a press could end the running turn.

    Only then is the flag judged as of a time before the press arrived.
    """
    return match.turn is not None and by == match.turn


def due_flag(match: Match, at: int) -> e.FlagFell | None:
    """Flag due by `at`, timestamped with its deadline, or None."""
    deadline = match.flag_at
    if deadline is None or at < deadline:
        return None
    assert match.turn is not None
    return e.FlagFell(deadline, match.turn, consequence(match, match.turn, deadline))


def decide(match: Match, command: c.Command, by: Party, at: int) -> Sequence[e.Event]:
    """Return the events of a command, none if it changes nothing. Raises Refused."""
    if by == Official.SERVER and type(command) not in THE_SERVERS:
        raise Refused(Why.BAD_MESSAGE, "The server itself cannot ask for that.")
    return DECIDE[type(command)](match, command, by, at)
