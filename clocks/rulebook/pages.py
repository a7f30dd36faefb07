"""Content of `/rules/<rule set>/`: figures, sections and timetables.

All amounts come from the engine.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clocks.engine.books.published import RULESETS
from clocks.engine.books.rule_set import RuleSet
from clocks.engine.clock import Kind
from clocks.engine.closed_sets import FlagPolicy, Format, Reset, Topic
from clocks.engine.setup import DEFAULT_LAG_CREDIT_MS, Setup
from clocks.rulebook import flags, sentences
from clocks.rulebook.sentences import Point
from clocks.wording.amounts import clock, in_words, seconds
from clocks.wording.language import said

MOST_POINTS = 25  # largest number of points needed in a timetable


@dataclass(frozen=True)
class RuleLine:
    """A sentence of the page, with its paragraph in the rule book."""

    words: str
    paragraph: str
    reading: bool
    otherwise: str


@dataclass(frozen=True)
class Section:
    """Section of a page.

    `steps` is True to number its lines; `reasons` are the book's reasons for a stop.
    """

    key: str
    title: str
    lines: tuple[RuleLine, ...]
    steps: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A key figure, shown large at the top of the page."""

    name: str
    value: str
    note: str


@dataclass(frozen=True)
class Timetable:
    """Time on each clock by points needed: `rows[left - 1][right - 1]`, in `unit`."""

    key: str
    title: str
    unit: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Choice:
    """An option that the director can set, and its default."""

    key: str
    name: str
    words: str
    default: str


def formats(rules: RuleSet) -> tuple[Format, ...]:
    """Singles, plus doubles if the rules time them."""
    return (Format.SINGLES,) if rules.doubles_per_point_ms is None else tuple(Format)


def reserve_ms(key: str, format_: Format, left: int, right: int) -> int:
    """Starting reserve of each clock, by the points that left and right need."""
    length = max(left, right)
    score = [length - left, length - right]
    setup = Setup.parse({"rules": key, "format": format_, "length": length, "score": score})
    return setup.opening_reserve_ms[0]


def timetables(key: str) -> tuple[Timetable, ...]:
    """Timetable of each format, for 1 to MOST_POINTS points needed by each player."""
    return tuple(_timetable(key, format_) for format_ in formats(RULESETS[key]))


@cache
def _amounts(key: str, format_: Format) -> list[list[int]]:
    """Reserves of a timetable in milliseconds; cached because this is slow."""
    needed = range(1, MOST_POINTS + 1)
    return [[reserve_ms(key, format_, left, right) for right in needed] for left in needed]


def _timetable(key: str, format_: Format) -> Timetable:
    amounts = _amounts(key, format_)
    whole = all(ms % 60_000 == 0 for row in amounts for ms in row)
    rows = tuple(tuple(str(ms // 60_000) if whole else clock(ms, hours=False) for ms in row) for row in amounts)
    return Timetable(format_, str(TITLES[format_]), _("minutes") if whole else _("minutes and seconds"), rows)


def look_up(key: str, left: int, right: int) -> list[tuple[str, str]]:
    """Time on each clock in each format, by the points that left and right need."""
    times = [(format_, reserve_ms(key, format_, left, right)) for format_ in formats(RULESETS[key])]
    return [(str(TITLES[format_]), clock(ms, hours=False)) for format_, ms in times]


def figures(rules: RuleSet) -> list[Figure]:
    """Key figures of a rule set."""
    each = in_words(rules.per_point_ms)
    doubles = rules.doubles_per_point_ms
    note = _("for each point that the two still need")
    if doubles:
        note = _("for each point that the two still need; doubles %(time)s") % {"time": clock(doubles)}
    return [
        Figure(_("Each clock"), clock(rules.per_point_ms), note),
        _delay_figure(rules),
        _flag_figure(rules),
        Figure(
            _("Match to 7"),
            clock(reserve_ms(rules.key, Format.SINGLES, 7, 7)),
            _("each, at 0–0: 14 × %(each)s") % {"each": each},
        ),
    ]


def _delay_figure(rules: RuleSet) -> Figure:
    if rules.kind is not Kind.NONE:
        note = (
            _("each turn, simple") if rules.kind is Kind.SIMPLE else _("each turn, Bronstein, paid back at the press")
        )
        if rules.doubles_delay_ms:
            note = _("%(note)s; doubles %(delay)s") % {"note": note, "delay": seconds(rules.doubles_delay_ms)}
        return Figure(_("Delay"), seconds(rules.delay_ms), note)
    if rules.flag == FlagPolicy.NEXT_CONTROL:
        note = _("then %(delay)s in the second control") % {"delay": seconds(rules.second_delay_ms)}
        return Figure(_("Delay"), _("none"), note)
    return Figure(_("Delay"), _("none"), _("every second of a turn is charged"))


def _flag_figure(rules: RuleSet) -> Figure:
    if rules.flag == FlagPolicy.PENALTY:
        first, later = rules.first_points, rules.repeat_points
        return Figure(
            _("A flag"),
            _("%(first)s, then %(later)s") % {"first": first, "later": later},
            _("penalty points for the opponent"),
        )
    if rules.flag == FlagPolicy.NEXT_CONTROL:
        return Figure(_("A flag"), _("2nd loses"), _("the first one starts the second control"))
    if rules.flag == FlagPolicy.OVERTIME:
        return Figure(_("A flag"), _("loses"), _("or gives an overtime once, if the director chose one"))
    return Figure(_("A flag"), _("loses"), _("the match"))


SECTIONS: tuple[tuple[str, Any, bool, Callable[[RuleSet], Iterable[Point]]], ...] = (
    ("use", gettext_lazy("When there is a clock"), False, sentences.using_clocks),
    ("time", gettext_lazy("Time on the clocks"), False, sentences.setting),
    ("turn", gettext_lazy("A turn"), False, sentences.turns),
    ("flag", gettext_lazy("When a flag falls"), True, flags.flag_steps),
    ("cube", gettext_lazy("The frozen cube"), False, flags.frozen_cube),
    ("dice", gettext_lazy("Dice taken too soon"), False, sentences.dice),
    ("stop", gettext_lazy("Stopping both clocks"), False, sentences.stopping),
    ("offer", gettext_lazy("Conceding and claiming"), True, sentences.offers),
    ("end", gettext_lazy("The end of a game"), False, sentences.ending),
    ("lost", gettext_lazy("Lost time, faults, spectators"), False, sentences.lost_time),
)
# Section in which our interpretation of a topic appears.
SHOWN_IN = {
    Topic.POSTING: "use",
    Topic.START: "use",
    Topic.RESERVE: "time",
    Topic.CONFIRM: "time",
    Topic.TURN: "turn",
    Topic.FLAG: "flag",
    Topic.SECOND_CONTROL: "flag",
    Topic.SECOND_FLAG: "flag",
    Topic.GIN: "offer",
    Topic.FROZEN_CUBE: "cube",
    Topic.EARLY_DICE: "dice",
    Topic.TAKEN_DICE: "dice",
    Topic.STOP: "stop",
    Topic.BREAK: "stop",
    Topic.OFFER: "offer",
    Topic.LOST_TIME: "lost",
    Topic.SPECTATORS: "lost",
}
FLAG_NAMES = {
    FlagPolicy.LOSE_MATCH: gettext_lazy("The match is lost"),
    FlagPolicy.PENALTY: gettext_lazy("Penalty points"),
    FlagPolicy.NEXT_CONTROL: gettext_lazy("A second control"),
    FlagPolicy.OVERTIME: gettext_lazy("An overtime"),
}


FLAG_DEFAULTS = {  # names of the flag policies within a sentence
    FlagPolicy.LOSE_MATCH: gettext_lazy("the match is lost"),
    FlagPolicy.PENALTY: gettext_lazy("penalty points"),
    FlagPolicy.NEXT_CONTROL: gettext_lazy("a second control"),
    FlagPolicy.OVERTIME: gettext_lazy("an overtime"),
}
KINDS = {
    Kind.NONE: gettext_lazy("none"),
    Kind.SIMPLE: gettext_lazy("simple"),
    Kind.BRONSTEIN: gettext_lazy("Bronstein"),
}
TITLES = {Format.SINGLES: gettext_lazy("Singles"), Format.DOUBLES: gettext_lazy("Doubles")}


def sections(rules: RuleSet) -> list[Section]:
    """Non-empty sections of the page."""
    found = []
    for key, title, steps, words in SECTIONS:
        lines = tuple(_lines(rules, [*words(rules), *_readings(rules, key)]))
        reasons = rules.stops if key == "stop" else ()
        if lines:
            found.append(Section(key, str(title), lines, steps, reasons))
    return found


def _readings(rules: RuleSet, section: str) -> Iterable[Point]:
    """Our own interpretations that belong to a section."""
    figures = {
        "per_point": in_words(rules.per_point_ms),
        "delay": in_words(rules.delay_ms),
        "reset": clock(rules.reset_ms),
    }
    for reading in rules.readings:
        if SHOWN_IN[reading.topic] == section:
            otherwise = str(INSTEAD.get(reading.option, ""))
            yield Point(reading.topic, said(reading.words).format(**figures), reading=True, otherwise=otherwise)


def _lines(rules: RuleSet, points: Iterable[Point]) -> Iterable[RuleLine]:
    for point in points:
        yield RuleLine(
            point.words, rules.paragraphs.get(point.topic, "") if point.topic else "", point.reading, point.otherwise
        )


def flag_choices(rules: RuleSet) -> list[Section]:
    """Flag policies that the director may choose; empty if the rule set fixes one."""
    if "flag" not in rules.options:
        return []
    return [
        Section(flag, str(FLAG_NAMES[flag]), tuple(_lines(rules, points)), steps=True)
        for flag, points in flags.choices_of_flag(rules)
    ]


# Alternative to our interpretation, by the option that selects it.
INSTEAD = {
    "reserve_ms": gettext_lazy("any other amount"),
    "bronstein": gettext_lazy("precredited clocks, with the delay added to both once at the first start"),
    "reset": gettext_lazy("both clocks to the same time (set)"),
    "second_control": gettext_lazy("Bronstein"),
    "spectators": gettext_lazy("all times, if spectators keep to the rule by themselves"),
}


def choices(rules: RuleSet) -> list[Choice]:
    """Options that the director may set under these rules."""
    delay = rules.second_delay_ms if rules.flag == FlagPolicy.NEXT_CONTROL else rules.delay_ms
    known = {
        "reserve_ms": (
            _("Time on each clock"),
            _("Any amount, even a different one for each player."),
            _("the timetable"),
        ),
        "per_point_ms": (
            _("Time for each point needed"),
            _("The formula of the timetable."),
            in_words(rules.per_point_ms),
        ),
        "kind": (_("Kind of delay"), _("None, simple or Bronstein."), KINDS[rules.kind]),
        "delay_ms": (
            _("Delay of the second control") if rules.flag == FlagPolicy.NEXT_CONTROL else _("Delay"),
            _("The time at the start of each turn that costs nothing."),
            in_words(delay),
        ),
        "bronstein": (
            _("Bronstein clocks"),
            _(
                "Strict, or precredited: the delay is added to both clocks once, when they first start, as DGT and "
                "Chronos clocks do."
            ),
            _("strict"),
        ),
        "flag": (_("A flag means"), _("One of the four above."), FLAG_DEFAULTS[rules.flag]),
        "reset": (
            _("Clocks after penalty points"),
            _("Add: the expired clock to %(clock_time)s, the other gets as much more. Set: both to %(clock_time)s.")
            % {"clock_time": clock(rules.reset_ms)},
            {Reset.ADD: _("add"), Reset.SET: _("set"), Reset.EXPIRED: _("the expired clock alone")}[rules.reset],
        ),
        "second_control": (_("Delay of the second control is"), _("Simple or Bronstein."), _("simple")),
        "spectators": (
            _("Spectators see"),
            _("No times, or all times: on the hall screen and on phones without a seat."),
            _("no times"),
        ),
        "overtime_ms": (_("Overtime"), _("What a player’s first flag gives, once."), _("none")),
        "lag_credit_ms": (
            _("Allowance for the network"),
            _("A press that the network delayed counts from when it was made, up to this much."),
            in_words(DEFAULT_LAG_CREDIT_MS),
        ),
    }
    return [Choice(key, *(str(words) for words in known[key])) for key in rules.options]
