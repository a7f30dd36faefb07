"""Decide proposals and their answers: propose, agree, decline, withdraw."""

from collections.abc import Sequence

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import (
    Crawford,
    DeclinedOffer,
    Fate,
    HowWon,
    OfferKind,
    Official,
    Party,
    Reason,
    Status,
    Win,
)
from clocks.engine.decide.resuming import must_be_resumable, must_be_startable, resumed
from clocks.engine.match import Match
from clocks.engine.proposals import (
    DicePenalty,
    DropForfeit,
    EndMatch,
    Expiry,
    GameResult,
    GiveTime,
    Offer,
    Proposal,
    Reopen,
    ResumePlay,
    SetCube,
    SetScore,
    Terms,
    UndoHit,
)
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import default_crawford
from clocks.engine.words import Words, clock


def decide_propose(match: Match, command: c.Propose, by: Party, at: int) -> Sequence[e.Event]:
    """Propose: a player's proposal stops a running clock and waits for an answer.

    A director's proposal takes effect at once.
    """
    terms = command.terms
    _must_be_open(match, terms, by)
    if match.proposal is not None:
        raise Refused(Why.PROPOSAL_PENDING)
    if command.turn_number is not None and command.turn_number != match.turn_number:
        raise Refused(Why.STALE, "The turn has changed since you opened this, so nothing was proposed.")
    _check(match, terms, by, at)
    if by == Official.DIRECTOR:
        return effects(match, terms, by, at)
    seat = Seat(by)
    events: list[e.Event] = []
    if match.status == Status.RUNNING:
        hits = isinstance(terms, Offer) and match.rules.declined_offer == DeclinedOffer.OPPONENT_RUNS
        if hits and match.turn is seat:
            events.append(e.ClockHit(at, seat, 0))  # Michigan 3.6: hit, then stop both clocks at once
        events.append(e.Stopped(at, by, Reason(terms.what)))
    return (*events, e.Proposed(at, by, terms))


def decide_agree(match: Match, command: c.Agree, by: Party, at: int) -> Sequence[e.Event]:
    """Agree: the proposal takes effect.

    An expiry needs the director or both seats.
    """
    proposal, note = _answered(match, command), command.note
    if by == Official.DIRECTOR:
        return _settled(match, proposal, note, by, at)
    if by == proposal.by:
        raise Refused(Why.NOT_YOURS_TO_SETTLE, "You proposed it, so the other player or the director must answer.")
    if isinstance(proposal.terms, GiveTime) and not match.rules.time_by_agreement:
        raise Refused(Why.NOT_YOURS_TO_SETTLE, "Under these rules only the director gives time back.")
    if isinstance(proposal.terms, Expiry):
        seat = Seat(by)
        if seat in proposal.agreed:
            raise Refused(
                Why.NOT_YOURS_TO_SETTLE, "You have already agreed. The other player or the director must answer."
            )
        if seat.other not in proposal.agreed:
            return (e.Agreed(at, by, note, False),)
    return _settled(match, proposal, note, by, at)


def _settled(match: Match, proposal: Proposal, note: str, by: Party, at: int) -> Sequence[e.Event]:
    return (e.Agreed(at, by, note, True), *effects(match, proposal.terms, proposal.by, at))


def decide_decline(match: Match, command: c.Decline, by: Party, at: int) -> Sequence[e.Event]:
    """Decline: the proposal ends, or is left for the director.

    Without a director a declined proposal always ends, and the player who gains by a flag may waive it.
    """
    proposal, note = _answered(match, command), command.note
    terms = proposal.terms
    if by == proposal.by:
        return (e.Declined(at, by, note, Fate.WITHDRAWN),)
    if isinstance(terms, Offer):
        return _decline_offer(match, proposal, terms, note, by, at)
    if isinstance(terms, Expiry) and by == terms.seat and not match.setup.director:
        raise Refused(Why.NOT_YOURS_TO_SETTLE, "Only the other player can let you play on.")
    stands = isinstance(terms, GameResult | DicePenalty | Expiry)
    if by != Official.DIRECTOR and stands and match.setup.director:
        return (e.Declined(at, by, note, Fate.STANDING),)
    return (e.Declined(at, by, note, Fate.ENDED),)


def decide_withdraw(match: Match, command: c.Withdraw, by: Party, at: int) -> Sequence[e.Event]:
    """Withdraw one's agreement to the consequence of a flag."""
    proposal = _pending(match)
    if by not in proposal.agreed:
        raise Refused(Why.NOT_YOURS_TO_SETTLE, "You have not agreed, so there is nothing to take back.")
    return (e.AgreementWithdrawn(at, Seat(by)),)


def _decline_offer(match: Match, proposal: Proposal, offer: Offer, note: str, by: Party, at: int) -> Sequence[e.Event]:
    """Decline an offer, by rule book (US 5.1, ABA 3.6, Unified 3.6, Michigan 3.6)."""
    rules, offerer = match.rules, Seat(proposal.by)
    concession = offer.winner is not offerer
    if by != Official.DIRECTOR and rules.top_concession_binds and concession and _is_greatest(match, offer):
        words = Words("A concession of the greatest possible number of points cannot be declined.")
        raise Refused(Why.NOT_YOURS_TO_SETTLE, words)
    ended = e.Declined(at, by, note, Fate.ENDED)
    if rules.declined_offer != DeclinedOffer.DISPUTE and by != Official.DIRECTOR and _stopped_by_director(match):
        return (ended,)  # what the director stopped only the director resumes
    if rules.declined_offer == DeclinedOffer.OFFERER_HITS:
        return (e.Declined(at, by, note, Fate.ENDED, owed_hit=offerer),)
    if rules.declined_offer == DeclinedOffer.OPPONENT_RUNS:
        # An offer completes the offerer's turn (Michigan, 3.6), so the opponent's is new.
        goes_on = resumed(match, offerer.other, match.turn is offerer, by, at)
        return (ended, goes_on) if by != Official.DIRECTOR else (ended,)
    if match.contested:
        return (ended,)  # the contested stop is still unsettled
    if by == Official.DIRECTOR or not match.setup.director:
        return (ended, e.Resumed(at, offerer))
    return (e.Declined(at, by, note, Fate.STANDING),)


def _stopped_by_director(match: Match) -> bool:
    return match.halt is not None and match.halt.by == Official.DIRECTOR


def _is_greatest(match: Match, offer: Offer) -> bool:
    """True if no offer could give more: it is a backgammon or wins the match."""
    points = match.cube.value * offer.outcome.times
    return offer.outcome == Win.BACKGAMMON or points >= match.needs(offer.winner)


def effects(match: Match, terms: Terms, by: Party, at: int) -> Sequence[e.Event]:
    """Return the events that put `terms` into effect."""
    match terms:
        case GameResult():
            return (e.GameEnded(at, terms.winner, terms.points, HowWon.GAME),)
        case Offer():
            points = match.cube.value * terms.outcome.times
            return (e.GameEnded(at, terms.winner, points, HowWon(terms.outcome)),)
        case DicePenalty():
            return (e.DelayForfeited(at, terms.against),)
        case DropForfeit():
            return (e.ForfeitDropped(at, terms.seat),)
        case UndoHit():
            return (e.HitUndone(at, by),)
        case SetScore():
            return (e.ScoreSet(at, terms.score, _crawford(match, terms), keeps=match.status == Status.OVER),)
        case SetCube():
            return (e.CubeSet(at, terms.value, terms.owner),)
        case GiveTime():
            return (e.TimeGiven(at, terms.seat, terms.by_ms, terms.note),)
        case EndMatch():
            return (e.MatchEnded(at, terms.winner, terms.note),)
        case Reopen():
            return (e.Reopened(at, terms.note, stops=True),)
        case ResumePlay():
            return (resumed(match, terms.turn_of, terms.fresh_delay, by, at, agreed=True),)
        case Expiry():
            return (e.ExpiryApplied(at, terms.seat, terms.consequence, lost_at_zero=True),)


def _pending(match: Match) -> Proposal:
    if match.proposal is None:
        raise Refused(Why.MATCH_OVER if match.status == Status.OVER else Why.NO_PROPOSAL)
    return match.proposal


def _answered(match: Match, command: c.Answer) -> Proposal:
    """Return the proposal that a command answers. Raises Refused if it names another."""
    proposal = _pending(match)
    if command.proposal not in (None, match.proposals):
        raise Refused(Why.STALE, "The proposal has changed. Read it again before you answer.")
    return proposal


def _must_be_open(match: Match, terms: Terms, by: Party) -> None:
    """Reject terms before the settings are confirmed and once the match is over.

    The director may end a match that never began. After the end the director may reopen the match, correct its score,
    or name the other player as winner if it did not end by points. Without a director the players may agree to end a
    match that has begun, or to reopen one.
    """
    directs = by == Official.DIRECTOR
    if isinstance(terms, EndMatch | Reopen) and not directs and match.setup.director:
        raise Refused(Why.NOT_DIRECTOR)
    if isinstance(terms, Reopen):
        if match.last_end is None:
            raise Refused(Why.BAD_VALUE, "There is no end to take back.")
        return
    if match.status == Status.OVER and not (directs and _corrects_the_result(match, terms)):
        raise Refused(Why.MATCH_OVER)
    if match.status == Status.SETUP and not (directs and isinstance(terms, EndMatch)):
        raise Refused(Why.SETUP_NOT_CONFIRMED)


def _corrects_the_result(match: Match, terms: Terms) -> bool:
    if isinstance(terms, EndMatch):
        return terms.winner is not match.winner and match.setup.length not in match.score
    return isinstance(terms, SetScore)


def _check(match: Match, terms: Terms, by: Party, at: int) -> None:
    """Reject terms that are impossible in this state or not open to this party."""
    match terms:
        case GameResult():
            _must_be_in_game(match)
        case Offer():
            _check_offer(match, terms, by)
        case DicePenalty():
            _check_dice_penalty(match, terms, by)
        case DropForfeit():
            _check_drop(match, terms, by)
        case UndoHit():
            if match.last_hit is None:
                raise Refused(Why.BAD_VALUE, "There is no press to take back.")
        case SetScore():
            _check_score(match, terms)
        case GiveTime():
            _check_time(match, terms, by, at)
        case ResumePlay():
            must_be_resumable(match, terms.fresh_delay, by)
            must_be_startable(match, resumed(match, terms.turn_of, terms.fresh_delay, by, at, agreed=True))


def _must_be_in_game(match: Match) -> None:
    if match.status == Status.READY:
        raise Refused(Why.NOT_RUNNING, "No game is being played.")


def _check_offer(match: Match, offer: Offer, by: Party) -> None:
    if by == Official.DIRECTOR:
        raise Refused(Why.NO_SEAT, "Only a player can make an offer. The director enters the result of the game.")
    _must_be_in_game(match)
    seat, rules = Seat(by), match.rules
    kind = OfferKind.CONCESSION if offer.winner is seat.other else OfferKind.CLAIM
    if kind not in rules.offers:
        raise Refused(Why.NO_OFFER_OF_THAT_KIND, "Under these rules a player may only concede, not claim.")
    if match.cube.offered_by is not None:
        raise Refused(Why.DOUBLE_PENDING)
    after_the_hit = rules.declined_offer != DeclinedOffer.DISPUTE and _has_just_played(match, seat)
    if match.turn is not seat and not after_the_hit:
        raise Refused(Why.NOT_YOUR_TURN, "You can only make an offer in your own turn.")


def _has_just_played(match: Match, seat: Seat) -> bool:
    """True if `seat` has just ended its own turn by a hit (Unified and Michigan, 3.6)."""
    last_hit = match.last_hit
    return last_hit is not None and last_hit.seat is seat and last_hit.clock.turn is seat


def _check_dice_penalty(match: Match, terms: DicePenalty, by: Party) -> None:
    if not match.rules.dice_penalty:
        raise Refused(Why.NO_OFFER_OF_THAT_KIND, "These rules set no penalty for dice taken too soon.")
    if by == Official.DIRECTOR:
        return
    _must_be_in_game(match)
    if match.turn != by:
        raise Refused(Why.NOT_YOUR_TURN, "Only the player on turn can claim the penalty.")
    if terms.against == by:
        raise Refused(Why.BAD_VALUE, "against must be the other player.")


def _check_drop(match: Match, terms: DropForfeit, by: Party) -> None:
    if by != Official.DIRECTOR and match.setup.director:
        raise Refused(Why.NOT_DIRECTOR, "Only the director can drop a penalty.")
    if not match.forfeit[terms.seat.index]:
        raise Refused(
            Why.BAD_VALUE, Words("%(name)s has no delay to forfeit.", name=match.setup.names[terms.seat.index])
        )


def _check_score(match: Match, terms: SetScore) -> None:
    length = match.setup.length
    if max(terms.score) > length or min(terms.score) == length:
        raise Refused(
            Why.BAD_VALUE,
            Words(
                "In a match to %(length)s a score is at most %(length)s, and only one player can have it.",
                length=length,
            ),
        )
    if terms.crawford == Crawford.NOW and default_crawford(terms.score, length) != Crawford.NOW:
        raise Refused(Why.BAD_VALUE, "This can be the Crawford game only when exactly one player needs one point.")


def _crawford(match: Match, terms: SetScore) -> Crawford:
    """Return the Crawford state after a correction: a Crawford game is played once."""
    if terms.crawford is not None:
        return terms.crawford
    default = default_crawford(terms.score, match.setup.length)
    if match.status == Status.OVER and default == Crawford.NOW:
        return _crawford_of_the_next_game(match, terms.score)
    # If penalty points froze the cube in this game, the Crawford game is the next (Unified, 5.2).
    not_now = match.crawford == Crawford.DONE or (match.crawford == Crawford.NONE and match.cube.frozen)
    return match.crawford if default == Crawford.NOW and not_now else default


def _crawford_of_the_next_game(match: Match, score: tuple[int, int]) -> Crawford:
    """Return the Crawford state with which a finished match goes on.

    One player needs one point.
    """
    last = match.last_end
    before = match.crawford if last is None else last.crawford
    waits = last is None or last.clock.turn is None or last.score == score  # no game was scored since
    return Crawford.NOW if before == Crawford.NONE or (before == Crawford.NOW and waits) else Crawford.DONE


def _check_time(match: Match, terms: GiveTime, by: Party, at: int) -> None:
    if by != Official.DIRECTOR and match.rules.lost_time_stays_lost:
        raise Refused(Why.NO_OFFER_OF_THAT_KIND, "Under these rules time lost by mistake is not given back.")
    left = match.clock.reserves(at)[terms.seat.index]
    if left + terms.by_ms <= 0:
        name = match.setup.names[terms.seat.index]
        words = Words(
            "%(name)s has only %(left)s left: no more than that can be taken away.",
            name=name,
            left=clock(left, decimals=0),
        )
        raise Refused(Why.BAD_VALUE, words)
