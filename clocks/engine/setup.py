"""Validated settings of a match, and the rule set that results from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from clocks.engine.books.published import RULESETS, RuleSet
from clocks.engine.clock import Kind, TimeControl
from clocks.engine.closed_sets import Bronstein, Crawford, FlagPolicy, Format, Reset, Spectators
from clocks.engine.parsing import bad_value, one_of, pair, refuse_hidden, text, whole

LONGEST_MATCH = 99
LONGEST_RESERVE_MS = 24 * 3_600_000
LONGEST_DELAY_MS = 600_000
LARGEST_LAG_CREDIT_MS = 2_000
LONGEST_NAME = 80
DEFAULT_LAG_CREDIT_MS = 250

Option = str | int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class Setup:
    """Validated settings; `options` holds only what the director chose.

    `score` and `names` are [left, right]. If `director` is False, the players settle questions by agreement.
    """

    rules: str
    format: Format
    length: int
    score: tuple[int, int]
    crawford: Crawford
    names: tuple[str, str]
    options: tuple[tuple[str, Option], ...] = ()
    director: bool = True

    @classmethod
    def parse(cls, given: object) -> "Setup":
        """Parse an untrusted JSON object.

        Raises Refused(Why.BAD_VALUE) with a message that says what is wrong and what is allowed.
        """
        setup = cls.from_dict(given)
        for name in setup.names:
            refuse_hidden("a name", name)
        return setup

    @classmethod
    def from_dict(cls, given: object) -> "Setup":
        """Parse the output of `to_dict`, allowing invisible characters in names.

        Earlier versions accepted those. Raises Refused(Why.BAD_VALUE) as `parse` does.
        """
        if not isinstance(given, Mapping):
            raise bad_value("A setup must be an object with rules and length.")
        unknown = sorted(
            set(given) - {"rules", "format", "length", "score", "crawford", "names", "options", "director"}
        )
        if unknown:
            raise bad_value("A setup has no “%(name)s”.", name=unknown[0])
        rules = one_of("rules", given.get("rules"), tuple(RULESETS))
        format_ = one_of("format", given.get("format", Format.SINGLES), Format)
        if format_ == Format.DOUBLES and RULESETS[rules].doubles_per_point_ms is None:
            allowed = ", ".join(key for key, book in RULESETS.items() if book.doubles_per_point_ms)
            raise bad_value(
                "%(rules)s does not cover doubles. Doubles can be played under %(allowed)s.",
                rules=rules,
                allowed=allowed,
            )
        length = whole("length", given.get("length"), 1, LONGEST_MATCH)
        score = _score(given.get("score", [0, 0]), length)
        return cls(
            rules=rules,
            format=format_,
            length=length,
            score=score,
            crawford=_crawford(given.get("crawford"), score, length),
            names=_names(given.get("names", ["Left", "Right"])),
            options=_options(rules, given.get("options", {})),
            director=_director(given.get("director", True)),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the JSON object that `from_dict` reads back."""
        return {
            **({} if self.director else {"director": False}),
            "rules": self.rules,
            "format": self.format,
            "length": self.length,
            "score": list(self.score),
            "crawford": self.crawford,
            "names": list(self.names),
            "options": {key: list(v) if isinstance(v, tuple) else v for key, v in self.options},
        }

    @property
    def in_force(self) -> RuleSet:
        """Rule set adjusted for the format, the options and a match without a director."""
        return _in_force(self.rules, self.format, self.options, self.director)

    @property
    def option(self) -> dict[str, Option]:
        """Chosen options by name."""
        return dict(self.options)

    @property
    def lag_credit_ms(self) -> int:
        """Maximum lag credit per press, in ms; 0 turns it off."""
        for key, chosen in self.options:  # avoids building `option`, because this runs several times per hit
            if key == "lag_credit_ms":
                assert isinstance(chosen, int)
                return chosen
        return DEFAULT_LAG_CREDIT_MS

    @property
    def opening_reserve_ms(self) -> tuple[int, int]:
        """Starting reserves: chosen by the director, or computed from the points needed."""
        chosen = self.option.get("reserve_ms")
        if isinstance(chosen, tuple):
            return chosen
        if isinstance(chosen, int):
            return (chosen, chosen)
        rules = self.in_force
        needed = 2 * self.length - sum(self.score)
        amount = rules.per_point_ms * needed
        return (amount, amount)

    @property
    def precredited(self) -> bool:
        """True if Bronstein clocks start with the delay already added."""
        return self.option.get("bronstein") == Bronstein.PRECREDITED

    @property
    def first_control(self) -> TimeControl:
        """Time control at the start of the match."""
        rules = self.in_force
        return TimeControl(rules.kind, rules.delay_ms)

    @property
    def second_control(self) -> TimeControl:
        """Time control after the first flag, if the rule set has one (Michigan, 5.1)."""
        return TimeControl(Kind(str(self.option.get("second_control", "simple"))), self.in_force.second_delay_ms)


@lru_cache(maxsize=4096)
def _in_force(key: str, format_: Format, options: tuple[tuple[str, Option], ...], director: bool) -> RuleSet:
    """Apply format and options to the published rule set.

    Without a director, players may give time back by agreement.
    """
    rules = RULESETS[key]
    if format_ == Format.DOUBLES and rules.doubles_per_point_ms is not None:
        rules = replace(rules, per_point_ms=rules.doubles_per_point_ms, delay_ms=rules.doubles_delay_ms)
    changes: dict[str, Any] = {}
    for key, value in options:
        if key == "per_point_ms":
            changes[key] = value
        elif key == "flag":
            changes[key] = FlagPolicy(str(value))
        elif key == "reset":
            changes[key] = Reset(str(value))
        elif key == "kind":
            changes["kind"] = Kind(str(value))
        elif key == "spectators":
            changes["hides_times"] = value == Spectators.NO_TIMES
        elif key == "delay_ms":
            changes["second_delay_ms" if rules.flag == FlagPolicy.NEXT_CONTROL else "delay_ms"] = value
    if changes.get("kind") is Kind.NONE:
        changes["delay_ms"] = 0
        changes["dice_penalty"] = False
    if not director:
        changes |= {"time_by_agreement": True, "lost_time_stays_lost": False}
    return replace(rules, **changes)


def default_crawford(score: tuple[int, int], length: int) -> Crawford:
    """Crawford state by score: `now` if one player needs one point, `done` if both do."""
    at_match_point = [points == length - 1 for points in score]
    if all(at_match_point):
        return Crawford.DONE
    return Crawford.NOW if any(at_match_point) else Crawford.NONE


def _score(value: object, length: int) -> tuple[int, int]:
    left, right = pair("score", value)
    most = length - 1
    sentence = f"score in a match to {length}"
    return (whole(sentence, left, 0, most), whole(sentence, right, 0, most))


def _crawford(value: object, score: tuple[int, int], length: int) -> Crawford:
    default = default_crawford(score, length)
    if value is None:
        return default
    crawford = one_of("crawford", value, Crawford)
    if crawford == Crawford.NOW and default != Crawford.NOW:
        raise bad_value("crawford can be “now” only when exactly one player needs one point.")
    if crawford == Crawford.DONE and default == Crawford.NONE:
        raise bad_value("crawford can be “done” only when a player needs one point.")
    return crawford


def _names(value: object) -> tuple[str, str]:
    left, right = (" ".join(text("a name", name, LONGEST_NAME).split()) for name in pair("names", value))
    if not left or not right:
        raise bad_value("Both players need a name.")
    if left == right:
        raise bad_value("The two players need different names.")
    return (left, right)


def _director(value: object) -> bool:
    if not isinstance(value, bool):
        raise bad_value("director must be true or false.")
    return value


def _options(rules: str, value: object) -> tuple[tuple[str, Option], ...]:
    if not isinstance(value, Mapping):
        raise bad_value("options must be an object.")
    allowed = RULESETS[rules].options
    checked: dict[str, Option] = {}
    for key, given in value.items():
        if key not in allowed:
            raise bad_value(
                "%(rules)s has no option “%(key)s”. It has %(allowed)s.",
                rules=rules,
                key=key,
                allowed=", ".join(allowed),
            )
        checked[key] = _option(key, given)
    if "flag" in allowed:
        _complete(checked)
    kind = checked.get("kind", RULESETS[rules].kind)
    if kind == Kind.NONE and RULESETS[rules].kind is not Kind.NONE and "delay_ms" in checked:
        raise bad_value("Without a delay (kind none) there is no delay_ms to set.")
    bronstein = Kind.BRONSTEIN in (kind, checked.get("second_control"))
    if "bronstein" in checked and not bronstein:
        raise bad_value("The option bronstein needs a Bronstein delay.")
    return tuple(sorted(checked.items()))


# Options of custom rules that imply another option.
IMPLIES = {
    "reset": ("flag", FlagPolicy.PENALTY),
    "second_control": ("flag", FlagPolicy.NEXT_CONTROL),
    "overtime_ms": ("flag", FlagPolicy.OVERTIME),
    "bronstein": ("kind", Kind.BRONSTEIN),
}


def _complete(options: dict[str, Option]) -> None:
    """Add implied options; reject contradictory ones."""
    for key, (chosen, value) in IMPLIES.items():
        bronstein_later = key == "bronstein" and options.get("second_control") == Kind.BRONSTEIN
        if key not in options or bronstein_later:
            continue
        if options.setdefault(chosen, value) != value:
            raise bad_value(
                "The option %(key)s only goes with %(chosen)s %(value)s, not with %(chosen)s %(other)s.",
                key=key,
                chosen=chosen,
                value=value,
                other=options[chosen],
            )
    if options.get("flag") == FlagPolicy.OVERTIME and "overtime_ms" not in options:
        raise bad_value("With flag overtime, overtime_ms must say how much time the first flag gives.")
    if "reserve_ms" in options and "per_point_ms" in options:
        raise bad_value(
            "Set either reserve_ms, one amount, or per_point_ms, an amount for each point needed, but not both."
        )


def _option(key: str, value: object) -> Option:
    match key:
        case "reserve_ms":
            if isinstance(value, list | tuple):
                left, right = pair(key, value)
                return (whole(key, left, 1, LONGEST_RESERVE_MS), whole(key, right, 1, LONGEST_RESERVE_MS))
            return whole(key, value, 1, LONGEST_RESERVE_MS)
        case "per_point_ms" | "overtime_ms":
            return whole(key, value, 1, LONGEST_RESERVE_MS)
        case "delay_ms":
            return whole(key, value, 0, LONGEST_DELAY_MS)
        case "lag_credit_ms":
            return whole(key, value, 0, LARGEST_LAG_CREDIT_MS)
        case "bronstein":
            return one_of(key, value, Bronstein)
        case "reset":
            return one_of(key, value, (Reset.ADD, Reset.SET))
        case "second_control":
            return one_of(key, value, (Kind.SIMPLE, Kind.BRONSTEIN))
        case "spectators":
            return one_of(key, value, Spectators)
        case "kind":
            return one_of(key, value, Kind)
        case _:
            return one_of(key, value, FlagPolicy)
