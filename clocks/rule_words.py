"""What the clock does under a rule set, in sentences a player can read at the table: a function for each topic.

Every figure comes from the rule set that the engine runs on. What a book does not mention, its page does not either.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from clocks.engine.book import RuleSet
from clocks.engine.clock import Kind


@dataclass(frozen=True)
class Point:
    """A sentence, the topic whose paragraph it stands under, and whether it is a reading of ours."""

    topic: str
    words: str
    reading: bool = False
    otherwise: str = ""  # what the director may choose instead


def clock_time(ms: int) -> str:
    """Return a duration as a clock shows it: minutes and seconds."""
    return f"{ms // 60_000}:{ms % 60_000 // 1000:02}"


def in_words(ms: int) -> str:
    """Return a duration in words: “1 minute 15 seconds”."""
    minutes, seconds = divmod(ms // 1000, 60)
    parts = [count(minutes, "minute")] if minutes else []
    return " ".join([*parts, count(seconds, "second")] if seconds or not parts else parts)


def count(number: int, thing: str) -> str:
    """Return a number with its noun."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def using_clocks(rules: RuleSet) -> Iterator[Point]:
    """Say when a match has a clock, and from when on."""
    if rules.inside_game:
        yield Point("posting", "The director may require clocks for any match, or for the rest of one under way.")
        yield Point(
            "start",
            "In a match under way clocks come in with the next game. In extreme cases the director adds them at once, "
            "even inside a game.",
        )
    else:
        yield Point("posting", "The director may require a clock, also at the request of a participant.")
        yield Point(
            "posting",
            "A round’s draw sheet may say “CLOCKS REQUIRED”: every match has one. "
            f"Or “{rules.on_request}”: a match has one when either side asks.",
        )
        yield Point("start", "A clock comes in only at the start of a game, with the time for the score before it.")


def setting(rules: RuleSet) -> Iterator[Point]:
    """Say how much time a clock starts with."""
    each = rules.per_point_ms
    if not _reads(rules, "reserve"):
        yield Point(
            "reserve",
            f"{in_words(2 * each).capitalize()} for each point of the match, less {in_words(each)} for each point "
            f"already scored by either side. That is {in_words(each)} for every point that the two still need.",
        )
    if rules.doubles_per_point_ms is not None:
        doubles = rules.doubles_per_point_ms
        yield Point(
            "reserve",
            f"In doubles {in_words(2 * doubles)} for each point of the match, less {in_words(doubles)} for each "
            "point already scored.",
        )
    yield Point("reserve", "Both clocks start with the same time. A new game adds none.")
    if not _reads(rules, "confirm"):
        yield Point("confirm", "Both sides confirm the setting before the first clock starts.")


def turns(rules: RuleSet) -> Iterator[Point]:
    """Say how a turn begins, runs and ends."""
    yield Point("dice-mix", "Either side may ask for a mixing of the dice before any game: both clocks are stopped.")
    yield Point(
        "opening",
        "Each rolls one die. The player with the lower one hits, and the opponent’s clock starts. On equal dice "
        "nothing is pressed.",
    )
    yield Point("turn", "A turn ends with a hit; the dice stay on the board.")
    yield from _delay(rules)
    yield Point("turn", "A player who cannot move need not roll, but still hits.")
    yield Point("", "A press by the player who is not on turn does nothing, and the clock says so.")
    if not rules.dice_penalty:
        yield Point("turn", "Nobody touches the dice in the opponent’s turn. The clock knows no penalty for it.")
    yield Point("cube", "After a double, hit. After a take, hit. After a pass both clocks stop.")
    if _says(rules, "illegal-play"):
        yield Point(
            "illegal-play",
            "An illegal play is sent back with a hit and corrected with a hit. The clock runs while you consider it.",
        )


def _delay(rules: RuleSet) -> Iterator[Point]:
    delay = in_words(rules.delay_ms)
    if rules.kind is Kind.NONE:
        yield Point("reserve", "There is no delay: every second of a turn is charged.")
        return
    if rules.kind is Kind.SIMPLE:
        words = f"A turn starts with a delay of {delay}. The reserve stands still until it is used up, then runs."
    else:
        words = f"The reserve runs from the start of a turn. The hit pays back what was used, up to {delay}."
    yield Point("reserve", words)
    if rules.doubles_delay_ms:
        yield Point("reserve", f"In doubles the delay is {in_words(rules.doubles_delay_ms)}.")
    yield Point(
        "turn",
        "Every hit gives the opponent a full delay: after a move, a double, a take, an illegal play sent back, or a "
        "turn without a move. An unused delay is not saved.",
    )
    if rules.fresh_delay:
        yield Point("turn", "After an invalid roll the turn may go on with a full delay: stop, then resume with one.")


def dice(rules: RuleSet) -> Iterator[Point]:
    """Say what dice taken too soon cost."""
    if rules.dice_penalty:
        yield Point(
            "early-dice",
            "Whoever picks up the dice before the opponent has hit forfeits the delay of the next checker play.",
        )
        yield Point(
            "early-dice",
            "The player on turn stops both clocks and claims it. It counts when the offender agrees or the director "
            "rules so. The director may drop it.",
        )
        yield Point(
            "early-dice",
            "The offender does not roll until the delay has run down to zero: the clock says “do not roll yet”.",
        )
    if rules.dice_penalty and rules.kind is Kind.BRONSTEIN:
        yield Point(
            "early-dice",
            f"The reserve runs in the wait too and is paid back at the hit: with {in_words(rules.delay_ms)} or less "
            "the offender’s time runs out while waiting. The director is warned of it.",
            reading=True,
        )
    if rules.dice_picked_up:
        yield Point(
            "taken-dice",
            "If a player hits and also takes the dice, the opponent may stop both clocks and move with them stopped. "
            "A new turn of the other side then starts; what ran before the stop is not given back.",
        )


def stopping(rules: RuleSet) -> Iterator[Point]:
    """Say what else belongs to stopping both clocks; the book's list stands in `RuleSet.stops`."""
    yield Point("stop", "Between games both clocks are stopped.")
    yield Point("stop", "Considering whether to let an illegal play stand is no reason to stop.")
    words = "Before a break between games both times are recorded. Both sides confirm them when they come back."
    yield Point("break", words) if rules.records_breaks else Point("", words, reading=bool(rules.paragraphs))


def offers(rules: RuleSet) -> Iterator[Point]:
    """Say how an offer is made, accepted and declined, step by step."""
    claims = "claim" in rules.offers
    games = "a single game, a gammon or a backgammon"
    if rules.declined_offer == "opponent-runs":
        made = f"As you complete a turn after contact, say which win or loss you offer: {games}. Hit and stop both."
        declined = "Declined: the opponent’s clock starts at once."
    elif rules.declined_offer == "offerer-hits":
        made = f"Complete your turn, stop both clocks and say what you concede: {games}."
        declined = (
            "Declined: both clocks stay stopped and the opponent rolls. Then you hit, and the opponent’s turn begins."
        )
    else:
        said = "concede or claim" if claims else "concede"
        made = f"In your turn, before you roll, stop both clocks and say what you {said}: {games}."
        declined = (
            "Declined: the offer stands and the director comes. Where nothing better for the opponent can happen it "
            "must be accepted; otherwise it is invalid and your clock is restarted."
        )
    yield Point("offer", made)
    yield Point("offer", "Accepted: the cube counts once, twice or three times, and the next game is set up.")
    yield Point("offer", declined)
    if rules.top_concession_binds:
        yield Point("offer", "A concession of the greatest possible number of points cannot be declined.")
    if rules.gin_saves:
        yield Point("gin", "A certain (gin) outcome may not be declined. In a dispute the director adjudicates.")


def ending(rules: RuleSet) -> Iterator[Point]:
    """Say how a game ends that nobody concedes."""
    yield Point(
        "offer", "After bearing off the last checker stop both clocks. One side enters the result, the other agrees."
    )
    if "claim" not in rules.offers:
        yield Point("offer", "There are no claims of a win.")


def lost_time(rules: RuleSet) -> Iterator[Point]:
    """Say what becomes of time lost by mistake or by a fault, and what spectators may see."""
    if rules.lost_time_stays_lost:
        yield Point("lost-time", "You answer for stopping your own clock: time lost by forgetting it is not restored.")
    elif rules.time_by_agreement:
        yield Point("lost-time", "Time lost by mistake is given back when both sides agree, or by the director.")
    yield Point("faulty-clock", "A faulty phone is replaced and takes over both times; the director may adjust them.")
    if _says(rules, "spectators") and rules.hides_times:
        yield Point("spectators", "Spectators do not call attention to times, to a flag or to which clock runs.")


def _says(rules: RuleSet, topic: str) -> bool:
    """Tell whether a rule set speaks of a topic: one without a printed book speaks of all."""
    return not rules.paragraphs or topic in rules.paragraphs


def _reads(rules: RuleSet, topic: str) -> bool:
    """Tell whether a reading of ours already says it."""
    return any(reading.topic == topic for reading in rules.readings)
