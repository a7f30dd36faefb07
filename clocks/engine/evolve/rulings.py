"""Apply proposals, answers, corrections, calls and administrative events."""

from dataclasses import replace

from clocks.engine import events as e
from clocks.engine.clock import Seat, with_seat
from clocks.engine.closed_sets import Fate, Official, Party, Status
from clocks.engine.evolve.reopening import ruled, without_last_hit
from clocks.engine.frozen import changed
from clocks.engine.match import Cube, Halt, Match, Rejection
from clocks.engine.proposals import EndMatch, GiveTime, Proposal, Reopen


def apply_proposed(match: Match, event: e.Proposed) -> Match:
    return changed(numbered(match, Proposal(event.by, event.terms)), at=event.at)


def numbered(match: Match, proposal: Proposal) -> Match:
    """Return the match with a new or changed proposal, under the next number."""
    return changed(match, proposal=proposal, proposals=match.proposals + 1)


def apply_agreed(match: Match, event: e.Agreed) -> Match:
    assert match.proposal is not None
    if event.settled:
        # Players who settle a dispute themselves no longer need the director.
        settled = attended(match, Official.DIRECTOR if match.proposal.disputed else event.by)
        return changed(settled, at=event.at, proposal=None)
    agreed = (*match.proposal.agreed, Seat(event.by))
    return changed(numbered(match, changed(match.proposal, agreed=agreed)), at=event.at)


def apply_declined(match: Match, event: e.Declined) -> Match:
    proposal = match.proposal
    assert proposal is not None
    rejection = None if event.left == Fate.WITHDRAWN else Rejection(event.by, proposal, event.at)
    match = changed(match, declined=rejection)
    if event.left == Fate.STANDING:
        agreed = tuple(seat for seat in proposal.agreed if seat != event.by)
        disputed = changed(proposal, agreed=agreed, disputed=True)
        return called_director(changed(numbered(match, disputed), at=event.at), event.by, event.at, event.note)
    status = Status.STOPPED if match.status == Status.FLAGGED else match.status
    owed_hit = event.owed_hit or match.owed_hit
    return changed(
        attended(match, event.by), at=event.at, status=status, proposal=None, flagged=None, owed_hit=owed_hit
    )


def apply_agreement_withdrawn(match: Match, event: e.AgreementWithdrawn) -> Match:
    assert match.proposal is not None
    agreed = tuple(seat for seat in match.proposal.agreed if seat != event.by)
    return changed(numbered(match, changed(match.proposal, agreed=agreed)), at=event.at)


def attended(match: Match, by: Party) -> Match:
    """Mark a call as answered if the director acted or the match has no director."""
    taken = by == Official.DIRECTOR or not match.setup.director
    return changed(match, called=False, call_note="") if taken else match


def apply_delay_forfeited(match: Match, event: e.DelayForfeited) -> Match:
    return _with_forfeit(match, event.at, event.seat, True)


def apply_forfeit_dropped(match: Match, event: e.ForfeitDropped) -> Match:
    return _with_forfeit(match, event.at, event.seat, False)


def _with_forfeit(match: Match, at: int, seat: Seat, pending: bool) -> Match:
    """Return the match with a forfeit set or dropped."""
    return changed(ruled(match, lambda held: {"forfeit": with_seat(held.forfeit, seat, pending)}), at=at)


def apply_cube_set(match: Match, event: e.CubeSet) -> Match:
    cube = Cube(event.value, event.owner, None, match.cube.frozen)
    set_aside = without_last_hit(match.set_aside)
    return changed(match, at=event.at, cube=cube, last_hit=None, set_aside=set_aside)


def apply_time_given(match: Match, event: e.TimeGiven) -> Match:
    return changed(ruled(match, lambda held: {"clock": held.clock.give(event.seat, event.by_ms)}), at=event.at)


def apply_director_called(match: Match, event: e.DirectorCalled) -> Match:
    return called_director(changed(match, at=event.at), event.by, event.at, event.note)


def called_director(match: Match, by: Party, at: int, note: str) -> Match:
    """Return the match with the director called."""
    return changed(match, called=True, called_by=by, called_at=at, call_note=note)


def apply_call_answered(match: Match, event: e.CallAnswered) -> Match:
    waits = event.kept and match.status != Status.RUNNING
    return changed(match, at=event.at, called=False, call_note=match.call_note if waits else "")


def apply_beside_the_rules(match: Match, event: e.Event) -> Match:
    """Update only the timestamp: administrative events do not affect play."""
    return changed(match, at=max(match.at, event.at))


def apply_names_corrected(match: Match, event: e.NamesCorrected) -> Match:
    return changed(match, at=max(match.at, event.at), setup=replace(match.setup, names=event.names))


def apply_names_removed(match: Match, event: e.NamesRemoved) -> Match:
    """Return the match with replaced names and without notes."""
    proposal, declined, last_end = match.proposal, match.declined, match.last_end
    if proposal is not None:
        proposal = _without_terms_note(proposal)
    if declined is not None:
        declined = replace(declined, proposal=_without_terms_note(declined.proposal))
    if last_end is not None:
        last_end = changed(last_end, halt=_without_note(last_end.halt))
    return changed(
        match,
        at=max(match.at, event.at),
        setup=replace(match.setup, names=event.names),
        halt=_without_note(match.halt),
        call_note="",
        proposal=proposal,
        declined=declined,
        last_end=last_end,
    )


def _without_terms_note(proposal: Proposal) -> Proposal:
    if not isinstance(proposal.terms, GiveTime | EndMatch | Reopen):
        return proposal
    return changed(proposal, terms=replace(proposal.terms, note=""))


def _without_note(halt: Halt | None) -> Halt | None:
    return None if halt is None else replace(halt, note="")
