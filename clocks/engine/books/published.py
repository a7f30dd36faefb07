"""The published rule sets.

To add a book, add it here; `modern` is a minimal example. `paragraphs` cites the book by topic. `readings` are our
interpretations of unclear paragraphs, which are shown to players.
"""

from dataclasses import replace

from clocks.engine.books.rule_set import MINUTE, SECOND, Reading, RuleSet
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import Deciding, DeclinedOffer, FlagPolicy, OfferKind, Reset, Topic
from clocks.engine.words import Words

__all__ = ["RULESETS", "RuleSet"]

STRICT_BRONSTEIN = Reading(
    Topic.TURN,
    "Bronstein is strict: the reserve falls during the delay and is paid back at the press, so a reserve "
    "below {delay} can run out during the delay.",
    option="bronstein",
)
SERVED_FORFEIT = Reading(
    Topic.EARLY_DICE,
    "The forfeit is served by the offender’s first turn that lasts at least as long as the wait. A turn that "
    "ends sooner, such as a double or a press while closed out, leaves it pending, even into the next game.",
)
VOID_DOUBLE = Reading(
    Topic.FROZEN_CUBE,
    "A double not yet answered when the cube freezes is void: resume with the clock of the player who doubled.",
)
ALWAYS_ENDS = Reading(Topic.FLAG, "“Will always end the match”: both players need no more points than the cube shows.")
SILENT_ON_TIME = Reading(Topic.LOST_TIME, "The book is silent about time lost by mistake, so the director decides.")

US_2013 = RuleSet(
    key="us-2013",
    name=Words("US 2013 · simple delay"),
    book=Words("US Backgammon Clock Rules & Procedures, March 2013"),
    kind=Kind.SIMPLE,
    per_point_ms=MINUTE,
    delay_ms=12 * SECOND,
    doubles_per_point_ms=75 * SECOND,
    doubles_delay_ms=18 * SECOND,
    claimed_before_flag=True,
    dice_penalty=True,
    dice_picked_up=True,
    on_request=Words("CLOCKS ON REQUEST"),
    stops=(
        Words("to offer a concession"),
        Words("to take an authorised break between games"),
        Words("to retrieve fallen dice"),
        Words("to contest the opponent’s action"),
        Words("to move after the opponent has picked up the dice in error"),
        Words("to summon the director"),
    ),
    options=("reserve_ms", "delay_ms", "lag_credit_ms"),
    paragraphs={
        Topic.POSTING: "1.1",
        Topic.START: "1.1",
        Topic.RESERVE: "2.1, 2.2",
        Topic.CONFIRM: "2.1, 2.2",
        Topic.DICE_MIX: "3.2",
        Topic.OPENING: "3.3",
        Topic.TURN: "3.4",
        Topic.CUBE: "3.5",
        Topic.EARLY_DICE: "4.1",
        Topic.TAKEN_DICE: "4.2",
        Topic.ILLEGAL_PLAY: "4.3",
        Topic.OFFER: "5.1",
        Topic.STOP: "5.2",
        Topic.BREAK: "5.2",
        Topic.FLAG: "5.3",
    },
    readings=(SERVED_FORFEIT, SILENT_ON_TIME),
)

US_2007 = replace(
    US_2013,
    key="us-2007",
    name=Words("US 2007 · Bronstein"),
    book=Words("U.S. Backgammon Clock Rules & Procedures, October 2007"),
    kind=Kind.BRONSTEIN,
    on_request=Words("CLOCKS ALLOWED"),
    options=("reserve_ms", "delay_ms", "bronstein", "lag_credit_ms"),
    readings=(STRICT_BRONSTEIN, SERVED_FORFEIT, SILENT_ON_TIME),
)

UNIFIED_2001 = RuleSet(
    key="unified-2001",
    name=Words("Unified 2001 · penalty points"),
    book=Words("Unified Backgammon Tournament Clock Rules, February 2001"),
    kind=Kind.NONE,
    per_point_ms=3 * MINUTE,
    flag=FlagPolicy.PENALTY,
    reset_ms=5 * MINUTE,
    reset=Reset.ADD,
    deciding=Deciding.UNLIMITED,
    declined_offer=DeclinedOffer.OFFERER_HITS,
    top_concession_binds=True,
    stops=(
        Words("to start a new game"),
        Words("to offer a concession"),
        Words("to announce the intention to take an authorised break"),
        Words("to retrieve fallen dice"),
        Words("to contest the opponent’s action"),
        Words("to summon the director"),
    ),
    options=("reserve_ms", "reset", "lag_credit_ms"),
    paragraphs={
        Topic.POSTING: "1.1",
        Topic.START: "1.1",
        Topic.RESERVE: "2.1",
        Topic.DICE_MIX: "3.2",
        Topic.OPENING: "3.3",
        Topic.TURN: "3.4",
        Topic.CUBE: "3.5",
        Topic.OFFER: "3.6",
        Topic.STOP: "4.1",
        Topic.BREAK: "4.1",
        Topic.FLAG: "5.1",
        Topic.FROZEN_CUBE: "5.2",
    },
    readings=(
        Reading(
            Topic.RESERVE,
            "The timetable is a picture in the book; {per_point} for each point that both players need fits both "
            "examples printed in its text. The book calls the amounts “suggested”.",
            option="reserve_ms",
        ),
        Reading(Topic.CONFIRM, "The book is silent, so both players confirm the settings, as in the other books."),
        Reading(
            Topic.FLAG,
            "“Reset for an additional five minutes”: the expired clock goes to {reset}, the other keeps its time and "
            "gets {reset} more.",
            option="reset",
        ),
        ALWAYS_ENDS,
        VOID_DOUBLE,
        SILENT_ON_TIME,
    ),
)

ABA_2003_STANDARD = replace(
    UNIFIED_2001,
    key="aba-2003-standard",
    name=Words("ABA 2003 · standard clock"),
    book=Words("Unified Backgammon Tournament Clock Rules, ABA amended, December 2003"),
    reset=Reset.EXPIRED,
    deciding=Deciding.GRACE,
    freezes_next=True,
    offers=(OfferKind.CONCESSION, OfferKind.CLAIM),
    declined_offer=DeclinedOffer.DISPUTE,
    top_concession_binds=False,
    stops=(
        Words("to start a new game"),
        Words("to offer a concession or a claim"),
        Words("to announce the intention to take an authorised break between games"),
        Words("to retrieve fallen dice"),
        Words("to contest the opponent’s action"),
        Words("to summon the director"),
    ),
    options=("reserve_ms", "lag_credit_ms"),
    paragraphs={**UNIFIED_2001.paragraphs, Topic.CONFIRM: "2.1"},
    readings=(
        Reading(
            Topic.FLAG,
            "Each player has one grace: the first flag in a game that always decides the match. It is not an offence.",
        ),
        ALWAYS_ENDS,
        VOID_DOUBLE,
        SILENT_ON_TIME,
    ),
)

ABA_2003_BRONSTEIN = replace(
    ABA_2003_STANDARD,
    key="aba-2003-bronstein",
    name=Words("ABA 2003 · Bronstein"),
    kind=Kind.BRONSTEIN,
    per_point_ms=MINUTE,
    delay_ms=12 * SECOND,
    flag=FlagPolicy.LOSE_MATCH,
    reset_ms=0,
    deciding=Deciding.LIMITED,
    freezes_next=False,
    options=("reserve_ms", "delay_ms", "bronstein", "lag_credit_ms"),
    paragraphs={topic: where for topic, where in ABA_2003_STANDARD.paragraphs.items() if topic != Topic.FROZEN_CUBE},
    readings=(STRICT_BRONSTEIN, SILENT_ON_TIME),
)

MICHIGAN_2002 = RuleSet(
    key="michigan-2002",
    name=Words("Michigan 2002 · two controls"),
    book=Words("Michigan Backgammon Clock Rules, version 1.00, July 2002"),
    kind=Kind.NONE,
    per_point_ms=3 * MINUTE,
    flag=FlagPolicy.NEXT_CONTROL,
    second_delay_ms=12 * SECOND,
    second_reserve_ms=3 * MINUTE,
    gin_saves=True,
    offers=(OfferKind.CONCESSION, OfferKind.CLAIM),
    declined_offer=DeclinedOffer.OPPONENT_RUNS,
    lost_time_stays_lost=True,
    hides_times=True,
    inside_game=True,
    records_breaks=True,
    on_request="",
    stops=(
        Words("prior to the first game"),
        Words("between games"),
        Words("to verify the score or the cube"),
        Words("to retrieve fallen dice"),
        Words("while a player considers an offer to end a game"),
        Words("to summon the director"),
        Words("while a dispute is adjudicated"),
    ),
    options=("reserve_ms", "delay_ms", "second_control", "bronstein", "spectators", "lag_credit_ms"),
    paragraphs={
        Topic.POSTING: "1.1",
        Topic.START: "1.2",
        Topic.FAULTY_CLOCK: "2.4",
        Topic.OPENING: "3.1",
        Topic.TURN: "3.2, 3.3",
        Topic.CUBE: "3.4",
        Topic.ILLEGAL_PLAY: "3.5",
        Topic.OFFER: "3.6",
        Topic.GIN: "3.7",
        Topic.DICE_MIX: "3.8",
        Topic.BREAK: "3.9",
        Topic.STOP: "3.10",
        Topic.SPECTATORS: "3.11",
        Topic.RESERVE: "4.1",
        Topic.CONFIRM: "4.1",
        Topic.FLAG: "4.2",
        Topic.SECOND_CONTROL: "5.1",
        Topic.SECOND_FLAG: "5.2",
        Topic.LOST_TIME: "6.1",
    },
    readings=(
        Reading(
            Topic.RESERVE,
            "The book’s timetable is a picture that has not survived. {per_point} for each point that both players "
            "need is a default, not from the rule book.",
            option="reserve_ms",
        ),
        Reading(Topic.SECOND_CONTROL, "The delay is the one that the book prefers, simple.", option="second_control"),
        Reading(Topic.SPECTATORS, "Pages for spectators do not show the times.", option="spectators"),
    ),
)

MODERN = replace(
    US_2013,
    key="modern",
    name=Words("Modern · simple delay"),
    book=Words("Today’s practice (USBGF, WBGF)"),
    flag=FlagPolicy.OVERTIME,
    fresh_delay=True,
    time_by_agreement=True,
    options=("reserve_ms", "delay_ms", "overtime_ms", "lag_credit_ms"),
    paragraphs={},
    readings=(SERVED_FORFEIT,),
)

CUSTOM = replace(
    MODERN,
    key="custom",
    name=Words("Custom · the director’s own"),
    book=Words("Set by the director"),
    flag=FlagPolicy.LOSE_MATCH,
    reset_ms=5 * MINUTE,
    second_delay_ms=12 * SECOND,
    second_reserve_ms=3 * MINUTE,
    offers=(OfferKind.CONCESSION, OfferKind.CLAIM),
    options=(
        "reserve_ms",
        "per_point_ms",
        "kind",
        "delay_ms",
        "bronstein",
        "flag",
        "reset",
        "second_control",
        "overtime_ms",
        "lag_credit_ms",
    ),
)

RULESETS: dict[str, RuleSet] = {
    rules.key: rules
    for rules in (
        US_2013,
        US_2007,
        UNIFIED_2001,
        ABA_2003_STANDARD,
        ABA_2003_BRONSTEIN,
        MICHIGAN_2002,
        MODERN,
        CUSTOM,
    )
}
