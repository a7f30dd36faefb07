"""`RuleSet`: one rule book as data. `decide/` implements its policies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypedDict

from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Deciding, DeclinedOffer, FlagPolicy, OfferKind, Reset, Topic

SECOND = 1000
MINUTE = 60 * SECOND


@dataclass(frozen=True, slots=True)
class Reading:
    """Our interpretation of an unclear paragraph.

    `option` is the option with which a director can choose differently. `words` may contain placeholders for amounts of
    the rule set: {per_point}, {delay}, {reset}.
    """

    topic: Topic
    words: str
    option: str = ""


class Features(TypedDict):
    """Features of a rule set for pages; see `RuleSet` for the fields.

    `saves` is the exception that averts a loss on time: an earlier `claim`, or a `gin` position.
    """

    offers: list[OfferKind]
    dice_penalty: bool
    dice_picked_up: bool
    fresh_delay: bool
    time_by_agreement: bool
    hides_times: bool
    declined_offer: DeclinedOffer
    top_concession_binds: bool
    freezes_next: bool
    second_delay_ms: int
    saves: Literal["gin", "claim", ""]


@dataclass(frozen=True)
class RuleSet:
    """One rule book. Durations in milliseconds."""

    key: str
    name: str
    book: str
    kind: Kind
    per_point_ms: int  # reserve of each clock = this x (points needed by both)
    delay_ms: int = 0
    doubles_per_point_ms: int | None = None  # None: the book does not cover doubles
    doubles_delay_ms: int = 0
    flag: FlagPolicy = FlagPolicy.LOSE_MATCH
    first_points: int = 2  # penalty: points for the opponent for a player's first offence in the match
    repeat_points: int = 1  # penalty: points for each later offence
    reset_ms: int = 0  # penalty: new reserve of the expired clock
    reset: Reset = Reset.EXPIRED  # penalty: which clocks are reset, and how
    deciding: Deciding = Deciding.LIMITED
    freezes_next: bool = False  # a frozen cube stays frozen in the next game
    second_delay_ms: int = 0  # next-control: delay of the second control
    second_reserve_ms: int = 0  # next-control: reserve of the expired clock, and addition to the other
    gin_saves: bool = False  # a position certain to win the match wins it despite a flag
    claimed_before_flag: bool = False  # a valid claim of the match made before the flag still counts
    offers: tuple[OfferKind, ...] = (OfferKind.CONCESSION,)
    declined_offer: DeclinedOffer = DeclinedOffer.DISPUTE
    top_concession_binds: bool = False  # a concession of the most points possible cannot be declined
    dice_penalty: bool = False
    dice_picked_up: bool = False
    fresh_delay: bool = False  # players may restart the delay without the director
    time_by_agreement: bool = False  # players may give back time by agreement; otherwise the director decides
    lost_time_stays_lost: bool = False  # players may not ask for lost time back
    hides_times: bool = False  # spectators do not see the times
    inside_game: bool = False  # the director may add clocks inside a game
    records_breaks: bool = False  # the book requires both times to be recorded before a break
    on_request: str = "CLOCKS ALLOWED"  # notice on the draw sheet if clocks are used on request
    stops: tuple[str, ...] = ()  # reasons that the book gives for stopping both clocks
    options: tuple[str, ...] = ("reserve_ms", "lag_credit_ms")
    paragraphs: Mapping[Topic, str] = field(
        default_factory=dict
    )  # paragraph numbers of the topics that the book covers
    readings: tuple[Reading, ...] = ()

    def cite(self, topic: Topic) -> str:
        """Paragraph as players cite it, such as “Unified 5.1”; "" if there is none."""
        paragraph = self.paragraphs.get(topic)
        return f"{self.name.partition(' ')[0]} {paragraph}" if paragraph else ""

    @cached_property
    def features(self) -> Features:
        """Features that pages offer and explain under these rules."""
        return {
            "offers": list(self.offers),
            "dice_penalty": self.dice_penalty,
            "dice_picked_up": self.dice_picked_up,
            "fresh_delay": self.fresh_delay,
            "time_by_agreement": self.time_by_agreement,
            "hides_times": self.hides_times,
            "declined_offer": self.declined_offer,
            "top_concession_binds": self.top_concession_binds,
            "freezes_next": self.freezes_next,
            "second_delay_ms": self.second_delay_ms if self.flag == FlagPolicy.NEXT_CONTROL else 0,
            "saves": "gin" if self.gin_saves else "claim" if self.claimed_before_flag else "",
        }
