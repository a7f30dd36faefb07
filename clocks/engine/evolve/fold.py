"""Apply events: `evolve(match, event) -> match`, and `fold` a whole journal."""

from collections.abc import Callable, Iterable
from typing import Any

from clocks.engine import events as e
from clocks.engine.evolve import endings, reopening, rulings, turn_events
from clocks.engine.frozen import changed
from clocks.engine.match import Match
from clocks.engine.setup import Setup

APPLY: dict[type[e.Event], Callable[[Match, Any], Match]] = {
    e.Confirmed: turn_events.apply_confirmed,
    e.ClockHit: turn_events.apply_hit,
    e.Doubled: turn_events.apply_doubled,
    e.Took: turn_events.apply_took,
    e.Stopped: turn_events.apply_stopped,
    e.StopExplained: turn_events.apply_stop_explained,
    e.StopContested: turn_events.apply_stop_contested,
    e.StoppedAll: turn_events.apply_stopped_all,
    e.Resumed: turn_events.apply_resumed,
    e.Proposed: rulings.apply_proposed,
    e.Agreed: rulings.apply_agreed,
    e.Declined: rulings.apply_declined,
    e.AgreementWithdrawn: rulings.apply_agreement_withdrawn,
    e.GameEnded: endings.apply_game_ended,
    e.MatchEnded: endings.apply_match_ended,
    e.Reopened: reopening.apply_reopened,
    e.DelayForfeited: rulings.apply_delay_forfeited,
    e.ForfeitDropped: rulings.apply_forfeit_dropped,
    e.HitUndone: turn_events.apply_hit_undone,
    e.ScoreSet: endings.apply_score_set,
    e.CubeSet: rulings.apply_cube_set,
    e.TimeGiven: rulings.apply_time_given,
    e.FlagFell: endings.apply_flag_fell,
    e.ExpiryApplied: endings.apply_expiry_applied,
    e.DirectorCalled: rulings.apply_director_called,
    e.CallAnswered: rulings.apply_call_answered,
    e.SeatTaken: rulings.apply_beside_the_rules,
    e.SeatReleased: rulings.apply_beside_the_rules,
    e.SeatGranted: rulings.apply_beside_the_rules,
    e.Moved: rulings.apply_beside_the_rules,
    e.CodeReplaced: rulings.apply_beside_the_rules,
    e.NamesCorrected: rulings.apply_names_corrected,
    e.HandedOver: rulings.apply_beside_the_rules,
    e.NamesRemoved: rulings.apply_names_removed,
}

# A press, proposal or ruling clears the last declined proposal.
ENDS_DECLINED: frozenset[type[e.Event]] = frozenset(
    {
        e.ClockHit,
        e.Doubled,
        e.Took,
        e.Proposed,
        e.GameEnded,
        e.MatchEnded,
        e.Reopened,
        e.DelayForfeited,
        e.ForfeitDropped,
        e.HitUndone,
        e.ScoreSet,
        e.CubeSet,
        e.TimeGiven,
        e.ExpiryApplied,
    }
)


def evolve(match: Match, event: e.Event) -> Match:
    """Return the match after `event`."""
    after = APPLY[type(event)](match, event)
    if after.declined is not None and type(event) in ENDS_DECLINED:
        return changed(after, declined=None)
    return after


def fold(setup: Setup, events: Iterable[e.Event]) -> Match:
    """Return the match after the events of its journal."""
    match = Match.begin(setup)
    for event in events:
        match = evolve(match, event)
    return match
