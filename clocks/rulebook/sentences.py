"""The rules of a rule set in plain sentences for players, one function per topic.

All figures come from the engine's rule set. Topics that a rule book does not cover are omitted.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clocks.engine.books.rule_set import RuleSet
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import DeclinedOffer, OfferKind, Topic
from clocks.wording.amounts import in_words
from clocks.wording.language import said


@dataclass(frozen=True)
class Point:
    """A sentence with its topic; `reading` marks our own interpretation of the book."""

    topic: Topic | None
    words: str
    reading: bool = False
    otherwise: str = ""  # alternative that the director may choose


def using_clocks(rules: RuleSet) -> Iterator[Point]:
    """Explain when a match has a clock, and when one can be added."""
    if rules.inside_game:
        yield Point(
            Topic.POSTING, _("The director may require clocks for any match, or for the rest of one under way.")
        )
        yield Point(
            Topic.START,
            _(
                "In a match under way, clocks start with the next game. In extreme cases the director adds "
                "them at once, even during a game."
            ),
        )
    else:
        yield Point(Topic.POSTING, _("The director may require a clock, also at the request of a participant."))
        yield Point(
            Topic.POSTING,
            _(
                "A round’s draw sheet may say “CLOCKS REQUIRED”: every match has one. Or “%(on_request)s”: "
                "a match has one when either side asks."
            )
            % {"on_request": said(rules.on_request)},
        )
        yield Point(
            Topic.START,
            _("A clock can be added only at the start of a game, with the time for the score at that moment."),
        )


def setting(rules: RuleSet) -> Iterator[Point]:
    """Explain the starting time of a clock."""
    each = rules.per_point_ms
    if not _reads(rules, Topic.RESERVE):
        yield Point(
            Topic.RESERVE,
            _(
                "%(twice)s for each point of the match, less %(once)s for each point already scored by "
                "either side. That is %(once)s for every point that the two still need."
            )
            % {"twice": in_words(2 * each), "once": in_words(each)},
        )
    if rules.doubles_per_point_ms is not None:
        doubles = rules.doubles_per_point_ms
        yield Point(
            Topic.RESERVE,
            _("In doubles %(twice)s for each point of the match, less %(once)s for each point already scored.")
            % {"twice": in_words(2 * doubles), "once": in_words(doubles)},
        )
    yield Point(Topic.RESERVE, _("Both clocks start with the same time. A new game adds no time."))
    if not _reads(rules, Topic.CONFIRM):
        yield Point(Topic.CONFIRM, _("Both sides confirm the settings before the first clock starts."))


def turns(rules: RuleSet) -> Iterator[Point]:
    """Explain the start, course and end of a turn."""
    yield Point(
        Topic.DICE_MIX,
        _("Either side may ask for the dice to be mixed before any game. Both clocks are stopped for it."),
    )
    yield Point(
        Topic.OPENING,
        _(
            "Each player rolls one die. The one who rolled lower presses, and the opponent’s clock starts. "
            "If the dice are equal, nobody presses."
        ),
    )
    yield Point(Topic.TURN, _("A turn ends with a press of the clock. The dice stay on the board."))
    yield from _delay(rules)
    yield Point(Topic.TURN, _("A player who cannot move need not roll, but still presses the clock."))
    yield Point(None, _("A press by the player who is not on turn does nothing, and the clock says so."))
    if not rules.dice_penalty:
        yield Point(Topic.TURN, _("Nobody touches the dice in the opponent’s turn. This clock has no penalty for it."))
    yield Point(Topic.CUBE, _("Press after a double. Press after a take. After a pass both clocks stop."))
    if _says(rules, Topic.ILLEGAL_PLAY):
        yield Point(
            Topic.ILLEGAL_PLAY,
            _(
                "Press to send back an illegal play; the opponent corrects it and presses. The clock runs "
                "while you consider it."
            ),
        )


def _delay(rules: RuleSet) -> Iterator[Point]:
    delay = in_words(rules.delay_ms)
    if rules.kind is Kind.NONE:
        yield Point(Topic.RESERVE, _("There is no delay: every second of a turn is charged."))
        return
    if rules.kind is Kind.SIMPLE:
        words = _("A turn starts with a delay of %(delay)s. The reserve does not run until the delay is used up.") % {
            "delay": delay
        }
    else:
        words = _("The reserve runs from the start of a turn. The press pays back what was used, up to %(delay)s.") % {
            "delay": delay
        }
    yield Point(Topic.RESERVE, words)
    if rules.doubles_delay_ms:
        yield Point(
            Topic.RESERVE, _("In doubles the delay is %(delay)s.") % {"delay": in_words(rules.doubles_delay_ms)}
        )
    yield Point(
        Topic.TURN,
        _(
            "Every press gives the opponent a full delay: after a move, a double, a take, an illegal play "
            "sent back, or a turn without a move. An unused delay is not saved."
        ),
    )
    if rules.fresh_delay:
        yield Point(
            Topic.TURN,
            _(
                "After an invalid roll the turn may continue with a full delay. Stop both clocks, then "
                "resume with a full delay. The other side or the director must agree."
            ),
        )


def dice(rules: RuleSet) -> Iterator[Point]:
    """Explain the penalty for taking the dice too soon."""
    if rules.dice_penalty:
        yield Point(
            Topic.EARLY_DICE,
            _("Whoever picks up the dice before the opponent has pressed forfeits the delay of the next checker play."),
        )
        yield Point(
            Topic.EARLY_DICE,
            _(
                "The player on turn stops both clocks and claims it. It counts when the offender agrees or "
                "the director rules so. The director may drop it."
            ),
        )
        yield Point(
            Topic.EARLY_DICE,
            _("The offender does not roll until the delay has run down to zero: the clock says “do not roll yet”."),
        )
    if rules.dice_penalty and rules.kind is Kind.BRONSTEIN:
        yield Point(
            Topic.EARLY_DICE,
            _(
                "The reserve also runs during the wait and is paid back at the press. With %(delay)s or "
                "less, the offender’s time runs out during the wait. The director is warned of it."
            )
            % {"delay": in_words(rules.delay_ms)},
            reading=True,
        )
    if rules.dice_picked_up:
        yield Point(
            Topic.TAKEN_DICE,
            _(
                "If a player presses and also takes the dice, the opponent may stop both clocks and move "
                "with them stopped. A new turn of the other side then starts. Time that ran before the stop "
                "is not given back."
            ),
        )
        yield Point(
            Topic.TAKEN_DICE,
            _(
                "The other side can contest that with one tap. The clocks then stay stopped until the director, "
                "or both sides, say how to go on."
            ),
        )


def stopping(rules: RuleSet) -> Iterator[Point]:
    """Explain stopping both clocks, without the book's reasons (`RuleSet.stops`)."""
    yield Point(Topic.STOP, _("Between games both clocks are stopped."))
    yield Point(
        None,
        _(
            "Either side can resume with either side’s turn, and both phones say who did. A turn that comes back "
            "before the other side has pressed goes on with what it had used. What ran on the other clock is "
            "charged there."
        ),
        reading=bool(rules.paragraphs),
    )
    yield Point(Topic.STOP, _("Considering whether to let an illegal play stand is no reason to stop."))
    words = _("Before a break between games both times are recorded. Both sides confirm them when they come back.")
    yield Point(Topic.BREAK, words) if rules.records_breaks else Point(None, words, reading=bool(rules.paragraphs))


def offers(rules: RuleSet) -> Iterator[Point]:
    """Explain how to make, accept and decline an offer."""
    claims = OfferKind.CLAIM in rules.offers
    games = _("a single game, a gammon or a backgammon")
    if rules.declined_offer == DeclinedOffer.OPPONENT_RUNS:
        made = _(
            "As you complete a turn after contact, say which win or loss you offer: %(games)s. Press and "
            "stop both clocks."
        ) % {"games": games}
        declined = _("If it is declined, the opponent’s clock starts at once.")
    elif rules.declined_offer == DeclinedOffer.OFFERER_HITS:
        made = _("Complete your turn, stop both clocks and say what you concede: %(games)s.") % {"games": games}
        declined = _(
            "If it is declined, both clocks stay stopped and the opponent rolls. Then you press, and the "
            "opponent’s turn begins."
        )
    else:
        if claims:
            made = _("In your turn, before you roll, stop both clocks and say what you concede or claim: %(games)s.")
        else:
            made = _("In your turn, before you roll, stop both clocks and say what you concede: %(games)s.")
        made %= {"games": games}
        declined = _(
            "If it is declined, the offer stands and the director comes. If nothing better can happen for "
            "the opponent, it must be accepted; otherwise it is invalid and your clock is restarted."
        )
    yield Point(Topic.OFFER, made)
    yield Point(
        Topic.OFFER, _("If it is accepted, the cube counts once, twice or three times, and the next game is set up.")
    )
    yield Point(Topic.OFFER, declined)
    if rules.top_concession_binds:
        yield Point(Topic.OFFER, _("A concession of the greatest possible number of points cannot be declined."))
    if rules.gin_saves:
        yield Point(Topic.GIN, _("A certain (gin) outcome may not be declined. In a dispute the director adjudicates."))


def ending(rules: RuleSet) -> Iterator[Point]:
    """Explain the end of a game that nobody concedes."""
    yield Point(
        Topic.OFFER,
        _("After bearing off the last checker stop both clocks. One side enters the result, the other agrees."),
    )
    if OfferKind.CLAIM not in rules.offers:
        yield Point(Topic.OFFER, _("There are no claims of a win."))


def lost_time(rules: RuleSet) -> Iterator[Point]:
    """Explain lost time, faulty clocks and the silence of spectators."""
    if rules.lost_time_stays_lost:
        yield Point(
            Topic.LOST_TIME,
            _("You are responsible for stopping your own clock. Time lost by forgetting it is not restored."),
        )
    elif rules.time_by_agreement:
        yield Point(
            Topic.LOST_TIME, _("Time lost by mistake is given back if both sides agree or the director so decides.")
        )
    yield Point(
        Topic.FAULTY_CLOCK, _("A faulty phone is replaced and takes over both times; the director may adjust them.")
    )
    if _says(rules, Topic.SPECTATORS) and rules.hides_times:
        yield Point(
            Topic.SPECTATORS,
            _("Spectators must not call attention to the times, to a flag or to which clock is running."),
        )


def _says(rules: RuleSet, topic: Topic) -> bool:
    """True if a rule set covers a topic; one without a printed book covers all."""
    return not rules.paragraphs or topic in rules.paragraphs


def _reads(rules: RuleSet, topic: Topic) -> bool:
    """True if one of our own interpretations already covers the topic."""
    return any(reading.topic == topic for reading in rules.readings)
