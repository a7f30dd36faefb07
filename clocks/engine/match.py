"""State of a match: score, game, cube, proposal, status and clock."""

from dataclasses import dataclass
from typing import Any

from clocks.engine.books.published import RuleSet
from clocks.engine.clock import Clock, Kind, Seat
from clocks.engine.closed_sets import Crawford, Deciding, EndOf, Party, Reason, Status, Topic, WonBy
from clocks.engine.codec import decode, encode
from clocks.engine.lag import NO_LAG, Lag
from clocks.engine.proposals import DicePenalty, Expiry, Offer, Proposal, Terms
from clocks.engine.setup import Setup
from clocks.engine.shown import Declined, Look, Shown

# Rule book topics, by type of proposed terms and by reason for a stop.
TOPIC_OF_TERMS: dict[type[Terms], Topic] = {Offer: Topic.OFFER, DicePenalty: Topic.EARLY_DICE}
ABOUT_TAKEN_DICE = (Reason.DICE_PICKED_UP, Reason.DICE_CONTESTED)
TOPIC_OF_STOP = {Reason.BREAK: Topic.BREAK, **dict.fromkeys(ABOUT_TAKEN_DICE, Topic.TAKEN_DICE)}


@dataclass(frozen=True)
class Cube:
    """Doubling cube.

    `offered_by` has doubled and is waiting for an answer; `frozen` forbids doubling in this game.
    """

    value: int = 1
    owner: Seat | None = None
    offered_by: Seat | None = None
    frozen: bool = False


@dataclass(frozen=True, slots=True)
class Rejection:
    """A proposal that `by` declined."""

    by: Party
    proposal: Proposal
    at: int


@dataclass(frozen=True, slots=True)
class Halt:
    """A stop of both clocks: who stopped them, why and when.

    For a stop of the whole hall, `hall` is the number of that stop and `note` the director's reason.
    """

    by: Party
    reason: Reason
    at: int
    hall: int | None = None
    note: str = ""


@dataclass(frozen=True)
class SetAside:
    """A turn that `by` interrupted by giving the turn to the other seat.

    It continues if the turn comes back before the other seat presses. Meanwhile it is charged as if a hit had ended it.
    `uncredited`: the next press does not add to the lag budget.
    """

    by: Party
    clock: Clock
    turn_number: int
    forfeit: tuple[bool, bool]
    last_hit: "LastHit | None" = None
    uncredited: bool = False


@dataclass(frozen=True)
class LastHit:
    """State before the last hit (made by `seat`), restored by an undo.

    `last_end` is set if that hit started a game: after the undo, the previous game can be reopened again.
    """

    seat: Seat
    clock: Clock
    cube: Cube
    turn_number: int
    hits: tuple[int, int]
    forfeit: tuple[bool, bool]
    last_end: "LastEnd | None" = None
    set_aside: SetAside | None = None


@dataclass(frozen=True)
class LastEnd:
    """State just before a game or the match ended, restored by a reopening.

    If `clock` has no turn, the match ended between games or before the first one; `last_end` is then the previous end.
    """

    status: Status
    clock: Clock
    score: tuple[int, int]
    crawford: Crawford
    turn_number: int
    game: int
    control: int
    cube: Cube
    halt: Halt | None
    last_hit: LastHit | None
    owed_hit: Seat | None
    confirmed: tuple[bool, bool]
    offences: tuple[int, int]
    graced: tuple[bool, bool]
    forfeit: tuple[bool, bool]
    hits: tuple[int, int]
    freeze_next: bool
    last_end: "LastEnd | None"
    lag: Lag = NO_LAG
    set_aside: SetAside | None = None


@dataclass(frozen=True)
class Match:
    """State of a match; whatever is shown at a given time is computed from it.

    `at` is the timestamp of the last event; pairs are [left, right]. `owed_hit` is the seat whose hit restarts the
    stopped clocks (Unified, 3.6). `freeze_next` keeps the cube frozen in the next game (ABA, 5.2). `proposals` is the
    number of the latest proposal.
    """

    setup: Setup
    clock: Clock
    score: tuple[int, int]
    crawford: Crawford
    at: int = 0
    status: Status = Status.SETUP
    turn_number: int = 0
    game: int = 1
    control: int = 1
    cube: Cube = Cube()
    halt: Halt | None = None
    proposal: Proposal | None = None
    proposals: int = 0  # never decreases, not even by an undo or reopening
    last_hit: LastHit | None = None
    owed_hit: Seat | None = None
    confirmed: tuple[bool, bool] = (False, False)
    called: bool = False
    called_by: str = ""  # party that made the last call; its time and note follow
    called_at: int | None = None
    call_note: str = ""
    flagged: Seat | None = None
    offences: tuple[int, int] = (0, 0)
    graced: tuple[bool, bool] = (False, False)
    forfeit: tuple[bool, bool] = (False, False)
    hits: tuple[int, int] = (0, 0)
    freeze_next: bool = False
    winner: Seat | None = None
    won_by: WonBy | None = None  # None: not won, won by a corrected score, or by points that no win at this cube gives
    last_end: LastEnd | None = None  # cleared when the next game begins
    lag: Lag = NO_LAG  # reset when the next game begins
    set_aside: SetAside | None = None  # cleared by the next press
    declined: Rejection | None = None  # cleared by the next press, proposal or ruling

    @classmethod
    def begin(cls, setup: Setup) -> "Match":
        """Return a new match, not yet confirmed by either seat."""
        precredit = setup.precredited and setup.in_force.kind is Kind.BRONSTEIN
        return cls(
            setup=setup,
            clock=Clock(setup.first_control, setup.opening_reserve_ms, precredit=precredit),
            score=setup.score,
            crawford=setup.crawford,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the complete state as plain JSON values."""
        plain: dict[str, Any] = encode(self)
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "Match":
        """Rebuild a match from the output of `to_dict`."""
        return decode(cls, plain)

    @property
    def rules(self) -> RuleSet:
        """Return the rule set in force."""
        return self.setup.in_force

    @property
    def lag_credit_ms(self) -> int:
        """Maximum lag credit per press, in ms."""
        return self.setup.lag_credit_ms

    @property
    def turn(self) -> Seat | None:
        """Seat whose turn it is; None between games."""
        return self.clock.turn

    def needs(self, seat: Seat) -> int:
        """Return the points that a seat still needs."""
        return self.setup.length - self.score[seat.index]

    @property
    def deciding(self) -> bool:
        """True if this game decides the match (Unified and ABA, 5.1)."""
        return self.needs(Seat.LEFT) <= self.cube.value and self.needs(Seat.RIGHT) <= self.cube.value

    @property
    def limits(self) -> bool:
        """True if reserves can run out; under Unified 5.1, not in a deciding game."""
        return not (self.deciding and self.rules.deciding == Deciding.UNLIMITED)

    @property
    def flag_at(self) -> int | None:
        """Time at which the running clock's flag will fall; None if no flag can fall.

        Never before the last event, because a correction of the score or time can leave a reserve already expired.
        """
        flag_at = self.clock.flag_at if self.status == Status.RUNNING and self.limits else None
        return None if flag_at is None else max(flag_at, self.at)

    @property
    def moves_stopped(self) -> bool:
        """True if the clocks are stopped to move after dice were picked up (US 4.2)."""
        return self.halt is not None and self.halt.reason == Reason.DICE_PICKED_UP and self.rules.dice_picked_up

    @property
    def contested(self) -> bool:
        """True if the other player denies that the dice were picked up (US 4.2).

        Then play resumes by agreement or by the director's decision.
        """
        return self.halt is not None and self.halt.reason == Reason.DICE_CONTESTED

    @property
    def wait_until(self) -> int | None:
        """Earliest time at which the penalised player may roll (US 4.1), or None."""
        clock = self.clock
        if clock.turn is None or clock.since is None or not self.forfeit[clock.turn.index]:
            return None
        return clock.since + clock.control.delay_ms - clock.used_ms

    @property
    def reopens(self) -> EndOf | None:
        """End that can be taken back: the match's, the last game's between games, or None."""
        if self.status == Status.OVER:
            return EndOf.MATCH
        return None if self.last_end is None else EndOf.GAME

    @property
    def cite(self) -> str:
        """Paragraph that applies now, such as “Unified 5.1”, or an empty string."""
        topic = self._topic
        return "" if topic is None else self.rules.cite(topic)

    @property
    def _topic(self) -> Topic | None:
        """Topic of the rule book that applies to the current state, or None."""
        proposal, halt = self.proposal, self.halt
        if proposal is not None:
            if isinstance(proposal.terms, Expiry):
                return Topic.FLAG if self.control == 1 else Topic.SECOND_FLAG
            return TOPIC_OF_TERMS.get(type(proposal.terms))
        if self.owed_hit is not None:
            return Topic.OFFER
        if self.wait_until is not None:
            return Topic.EARLY_DICE
        return TOPIC_OF_STOP.get(halt.reason) if halt is not None else None

    def look(self, at: int) -> Look:
        """State at time `at`, as the fields of a replay line."""
        cube, proposal = self.cube, self.proposal
        return {
            "status": self.status,
            "turn": self.clock.turn,
            "turn_number": self.turn_number,
            "reserve_ms": self.clock.reserves(at),
            "delay_ms": self.clock.delays(at),
            "score": self.score,
            "game": self.game,
            "crawford": self.crawford == Crawford.NOW,
            "cube": {
                "value": cube.value,
                "owner": cube.owner,
                "offered_by": cube.offered_by,
                "frozen": cube.frozen,
            },
            "flagged": self.flagged,
            "flag_at": self.flag_at,
            "control": self.control,
            "limits": self.limits,
            "offences": self.offences,
            "forfeit": self.forfeit,
            "wait_until": self.wait_until,
            "proposal": None if proposal is None else _shown(proposal),
            "winner": self.winner,
            "hits": self.hits,
            "called": self.called,
        }

    def wire(self, at: int) -> Shown:
        """State at time `at` for pages: `look`, plus fields for countdowns and actions."""
        clock, setup, halt, last_hit = self.clock, self.setup, self.halt, self.last_hit
        shown = self.look(at)
        if shown["proposal"] is not None:
            shown["proposal"]["number"] = self.proposals
        return {
            **shown,
            "since": clock.since,
            "used_ms": clock.used_ms,
            "turn_reserve_ms": clock.reserve_ms,
            "turn_delay_ms": clock.control.delay_ms,
            "kind": clock.control.kind,
            "stop": None if halt is None else {"by": halt.by, "reason": halt.reason, "at": halt.at},
            "hall_stop": None if halt is None or halt.hall is None else {"id": halt.hall, "note": halt.note},
            "declined": None if self.declined is None else _rejected(self.declined, self.proposals),
            "resumed_by": None if self.set_aside is None else self.set_aside.by,
            "confirmed": self.confirmed,
            "undo": None if last_hit is None else last_hit.seat,
            "reopens": self.reopens,
            "won_by": self.won_by,
            "just_played": None if last_hit is None or last_hit.clock.turn is not last_hit.seat else last_hit.seat,
            "cite": self.cite,
            "owed_hit": self.owed_hit,
            "called_by": self.called_by,
            "called_at": self.called_at,
            "call_note": self.call_note,
            "lag_used_ms": self.lag.used_ms,
            "lag_presses": self.lag.credited,
            "game_presses": self.lag.presses,
            "names": setup.names,
            "length": setup.length,
            "rules": setup.rules,
            "format": setup.format,
        }


def _rejected(declined: Rejection, number: int) -> Declined:
    """Return a declined proposal for pages."""
    return {"by": declined.by, "at": declined.at, "proposal": {**_shown(declined.proposal), "number": number}}


def _shown(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal for pages and replay lines."""
    return {
        **encode(proposal.terms),
        "by": proposal.by,
        "agreed": list(proposal.agreed),
        "disputed": proposal.disputed,
    }
