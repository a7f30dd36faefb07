"""What `/rules/<rule set>/` shows: figures, sections, readings, options, timetables. All from the engine's own data."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from clocks import flag_words, rule_words
from clocks.engine.book import RuleSet
from clocks.engine.clock import Kind
from clocks.engine.rulesets import RULESETS
from clocks.engine.setup import DEFAULT_LAG_CREDIT_MS, Setup
from clocks.rule_words import Point, clock_time, in_words

MOST_POINTS = 25  # a timetable goes from 1 point needed to this many, for each player


@dataclass(frozen=True)
class Line:
    """A point with the paragraph it stands under, as the page shows it."""

    words: str
    paragraph: str
    reading: bool
    otherwise: str


@dataclass(frozen=True)
class Section:
    """A part of the page: `steps` are numbered, `reasons` the book's own list."""

    key: str
    title: str
    lines: tuple[Line, ...]
    steps: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """One of the large figures on top."""

    name: str
    value: str
    note: str


@dataclass(frozen=True)
class Timetable:
    """The time on each clock by the points that both need: `rows[a - 1][b - 1]`, in `unit`."""

    key: str
    title: str
    unit: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Choice:
    """Something that the director may set, and what holds where he does not."""

    key: str
    name: str
    words: str
    default: str


def formats(rules: RuleSet) -> tuple[str, ...]:
    """Return the formats that a rule set knows."""
    return ("singles",) if rules.doubles_per_point_ms is None else ("singles", "doubles")


def reserve_ms(key: str, format_: str, left: int, right: int) -> int:
    """Return the milliseconds on each clock when the two need `left` and `right` points: what the engine would set."""
    length = max(left, right)
    score = [length - left, length - right]
    setup = Setup.parse({"rules": key, "format": format_, "length": length, "score": score})
    return setup.opening_reserve_ms[0]


@cache
def timetables(key: str) -> tuple[Timetable, ...]:
    """Return the timetable of each format, both directions 1 to MOST_POINTS."""
    return tuple(_timetable(key, format_) for format_ in formats(RULESETS[key]))


def _timetable(key: str, format_: str) -> Timetable:
    needed = range(1, MOST_POINTS + 1)
    amounts = [[reserve_ms(key, format_, left, right) for right in needed] for left in needed]
    whole = all(ms % 60_000 == 0 for row in amounts for ms in row)
    rows = tuple(tuple(str(ms // 60_000) if whole else clock_time(ms) for ms in row) for row in amounts)
    return Timetable(format_, format_.capitalize(), "minutes" if whole else "minutes and seconds", rows)


def look_up(key: str, left: int, right: int) -> list[tuple[str, str]]:
    """Return each format with the time on each clock when the two need `left` and `right` points."""
    times = [(format_, reserve_ms(key, format_, left, right)) for format_ in formats(RULESETS[key])]
    return [(format_.capitalize(), clock_time(ms)) for format_, ms in times]


def figures(rules: RuleSet) -> list[Figure]:
    """Return what a player wants to know first."""
    each = in_words(rules.per_point_ms)
    doubles = rules.doubles_per_point_ms
    note = f"for each point that the two still need{f'; doubles {clock_time(doubles)}' if doubles else ''}"
    return [
        Figure("Each clock", clock_time(rules.per_point_ms), note),
        _delay_figure(rules),
        _flag_figure(rules),
        Figure("Match to 7", clock_time(reserve_ms(rules.key, "singles", 7, 7)), f"each, at 0–0: 14 × {each}"),
    ]


def _delay_figure(rules: RuleSet) -> Figure:
    if rules.kind is not Kind.NONE:
        doubles = f"; doubles {rules.doubles_delay_ms // 1000} s" if rules.doubles_delay_ms else ""
        name = "simple" if rules.kind is Kind.SIMPLE else "Bronstein, paid back at the hit"
        return Figure("Delay", f"{rules.delay_ms // 1000} s", f"each turn, {name}{doubles}")
    if rules.flag == "next-control":
        return Figure("Delay", "none", f"then {rules.second_delay_ms // 1000} s in the second control")
    return Figure("Delay", "none", "every second of a turn is charged")


def _flag_figure(rules: RuleSet) -> Figure:
    if rules.flag == "penalty":
        first, later = rules.first_points, rules.repeat_points
        return Figure("A flag", f"{first}, then {later}", "penalty points for the opponent")
    if rules.flag == "next-control":
        return Figure("A flag", "2nd loses", "the first one starts the second control")
    if rules.flag == "overtime":
        return Figure("A flag", "loses", "or gives an overtime once, where the director chose one")
    return Figure("A flag", "loses", "the match")


SECTIONS: tuple[tuple[str, str, bool, Callable[[RuleSet], Iterable[Point]]], ...] = (
    ("use", "When there is a clock", False, rule_words.using_clocks),
    ("time", "Time on the clocks", False, rule_words.setting),
    ("turn", "A turn", False, rule_words.turns),
    ("flag", "When a flag falls", True, flag_words.flag_steps),
    ("cube", "The frozen cube", False, flag_words.frozen_cube),
    ("dice", "Dice taken too soon", False, rule_words.dice),
    ("stop", "Stopping both clocks", False, rule_words.stopping),
    ("offer", "Conceding and claiming", True, rule_words.offers),
    ("end", "The end of a game", False, rule_words.ending),
    ("lost", "Lost time, faults, spectators", False, rule_words.lost_time),
)
# Where the reading of a topic is shown.
SHOWN_IN = {
    "posting": "use",
    "start": "use",
    "reserve": "time",
    "confirm": "time",
    "turn": "turn",
    "flag": "flag",
    "second-control": "flag",
    "second-flag": "flag",
    "gin": "offer",
    "frozen-cube": "cube",
    "early-dice": "dice",
    "taken-dice": "dice",
    "stop": "stop",
    "break": "stop",
    "offer": "offer",
    "lost-time": "lost",
    "spectators": "lost",
}
FLAG_NAMES = {
    "lose-match": "The match is lost",
    "penalty": "Penalty points",
    "next-control": "A second control",
    "overtime": "An overtime",
}


def sections(rules: RuleSet) -> list[Section]:
    """Return the parts of the page that this rule set has something to say in."""
    found = []
    for key, title, steps, words in SECTIONS:
        lines = tuple(_lines(rules, [*words(rules), *_readings(rules, key)]))
        reasons = rules.stops if key == "stop" else ()
        if lines:
            found.append(Section(key, title, lines, steps, reasons))
    return found


def _readings(rules: RuleSet, section: str) -> Iterable[Point]:
    """Return the readings of ours that belong to a section."""
    figures = {
        "per_point": in_words(rules.per_point_ms),
        "delay": in_words(rules.delay_ms),
        "reset": clock_time(rules.reset_ms),
    }
    for reading in rules.readings:
        if SHOWN_IN[reading.topic] == section:
            otherwise = INSTEAD.get(reading.option, "")
            yield Point(reading.topic, reading.words.format(**figures), reading=True, otherwise=otherwise)


def _lines(rules: RuleSet, points: Iterable[Point]) -> Iterable[Line]:
    for point in points:
        yield Line(point.words, rules.paragraphs.get(point.topic, ""), point.reading, point.otherwise)


def flag_choices(rules: RuleSet) -> list[Section]:
    """Return what a flag may be made to mean, where the director chooses that."""
    if "flag" not in rules.options:
        return []
    return [
        Section(flag, FLAG_NAMES[flag], tuple(_lines(rules, points)), steps=True)
        for flag, points in flag_words.choices_of_flag(rules)
    ]


# What the director may choose instead of a reading, by the option that does it.
INSTEAD = {
    "reserve_ms": "any other amount",
    "bronstein": "precredited clocks, with the delay added to both once at the first start",
    "reset": "both clocks to the same time (set)",
    "second_control": "Bronstein",
}


def choices(rules: RuleSet) -> list[Choice]:
    """Return what the director may set under these rules."""
    delay = rules.second_delay_ms if rules.flag == "next-control" else rules.delay_ms
    known = {
        "reserve_ms": ("Time on each clock", "Any amount, also a different one for each player.", "the timetable"),
        "per_point_ms": ("Time for each point needed", "The formula of the timetable.", in_words(rules.per_point_ms)),
        "kind": ("Kind of delay", "None, simple or Bronstein.", str(rules.kind)),
        "delay_ms": (
            "Delay of the second control" if rules.flag == "next-control" else "Delay",
            "The time at the start of each turn that costs nothing.",
            in_words(delay),
        ),
        "bronstein": (
            "Bronstein clocks",
            "Strict, or precredited: the delay is added to both clocks once, when they first start, as DGT and "
            "Chronos clocks do.",
            "strict",
        ),
        "flag": ("A flag means", "One of the four above.", FLAG_NAMES[rules.flag].lower()),
        "reset": (
            "Clocks after penalty points",
            f"Add: the expired clock to {clock_time(rules.reset_ms)}, the other gets as much more. Set: both to "
            f"{clock_time(rules.reset_ms)}.",
            {"add": "add", "expired": "the expired clock alone"}.get(rules.reset, rules.reset),
        ),
        "second_control": ("Delay of the second control is", "Simple or Bronstein.", "simple"),
        "overtime_ms": ("Overtime", "What a player’s first flag gives, once.", "none"),
        "lag_credit_ms": (
            "Allowance for the network",
            "A press that the network held up counts from when it was made, up to this much.",
            f"{DEFAULT_LAG_CREDIT_MS / 1000:g} seconds",
        ),
    }
    return [Choice(key, *known[key]) for key in rules.options]
