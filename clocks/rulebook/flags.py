"""Consequences of a fallen flag, step by step, in plain sentences for players."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clocks.engine.books.rule_set import RuleSet
from clocks.engine.closed_sets import Deciding, FlagPolicy, Reset, Topic
from clocks.rulebook.sentences import Point
from clocks.wording.amounts import clock, in_words, points

ALWAYS = gettext_lazy("a game that ends the match whoever wins it, such as double match point")


def flag_steps(rules: RuleSet) -> Iterator[Point]:
    """Explain the consequences of a flag, in order."""
    yield Point(Topic.FLAG, _("Both clocks stop and the director is called. Nothing more happens by itself."))
    yield Point(
        None,
        _(
            "The clock shows what follows before anybody agrees. It takes effect when the director or both "
            "players agree."
        ),
    )
    yield from POLICIES[rules.flag](rules)
    if rules.gin_saves:
        yield Point(
            Topic.SECOND_FLAG,
            _(
                "The director may decline it and set time, score or result. A player with a gin win of the match "
                "wins, no matter whose time ran out."
            ),
        )
    elif rules.claimed_before_flag:
        yield Point(
            Topic.FLAG,
            _(
                "The director may decline it and set time, score or result, as when the match could already be validly "
                "claimed."
            ),
        )
    else:
        yield Point(None, _("The director may decline it and set time, score or result."))


def _lose_match(rules: RuleSet) -> Iterator[Point]:
    yield Point(Topic.FLAG, _("The player whose time ran out loses the match, also at double match point."))


def _penalty(rules: RuleSet) -> Iterator[Point]:
    first, later = points(rules.first_points), points(rules.repeat_points)
    yield Point(
        Topic.FLAG,
        _(
            "A player’s first offence in the match: %(first)s for the opponent. Each later one: "
            "%(later)s. Offences are counted for each player."
        )
        % {"first": first, "later": later},
    )
    yield Point(Topic.FLAG, _("If that wins the match, it is over."))
    reset = clock(rules.reset_ms)
    if rules.reset == Reset.EXPIRED:
        yield Point(Topic.FLAG, _("Otherwise the expired clock alone is reset to %(reset)s.") % {"reset": reset})
    else:
        yield Point(
            Topic.FLAG,
            _("Otherwise both clocks are reset “for an additional %(time)s”.") % {"time": in_words(rules.reset_ms)},
        )
    yield Point(Topic.FLAG, _("The game continues and the same player stays on turn."))
    if rules.deciding == Deciding.UNLIMITED:
        yield Point(
            Topic.FLAG,
            _("In %(always)s, there is no time limit and there are no points. Both still press the clock.")
            % {"always": ALWAYS},
        )
    if rules.deciding == Deciding.GRACE:
        yield Point(
            Topic.FLAG,
            _(
                "In %(always)s, there is one grace: the expired clock is reset to %(reset)s without "
                "points. The next time counts as usual."
            )
            % {"always": ALWAYS, "reset": reset},
        )


def _next_control(rules: RuleSet) -> Iterator[Point]:
    yield Point(Topic.FLAG, _("First control: there is no penalty. The second control starts."))
    yield from second_control(rules)
    yield Point(Topic.SECOND_FLAG, _("Second control: the player whose time ran out loses the match."))


def second_control(rules: RuleSet) -> Iterator[Point]:
    """Explain the effect of the second control on both players."""
    fresh = clock(rules.second_reserve_ms)
    yield Point(
        Topic.SECOND_CONTROL,
        _(
            "The player whose time ran out has %(fresh)s; the opponent has %(fresh)s more than was "
            "left. Each turn of both has a delay of %(delay)s. The same player stays on turn."
        )
        % {"fresh": fresh, "delay": in_words(rules.second_delay_ms)},
    )


def _overtime(rules: RuleSet) -> Iterator[Point]:
    yield Point(Topic.FLAG, _("The player whose time ran out loses the match, also at double match point."))
    yield Point(
        Topic.FLAG,
        _(
            "With an overtime, if the director chose one, a player’s first flag gives it once, as a warning; "
            "the second loses."
        ),
    )


POLICIES = {
    FlagPolicy.LOSE_MATCH: _lose_match,
    FlagPolicy.PENALTY: _penalty,
    FlagPolicy.NEXT_CONTROL: _next_control,
    FlagPolicy.OVERTIME: _overtime,
}


def choices_of_flag(rules: RuleSet) -> Iterator[tuple[FlagPolicy, list[Point]]]:
    """Yield each flag policy that the director may choose, with its sentences."""
    for flag, policy in POLICIES.items():
        yield flag, list(policy(replace(rules, flag=flag)))


def frozen_cube(rules: RuleSet) -> Iterator[Point]:
    """Explain when penalty points freeze the cube, if the rules have them."""
    if rules.flag != FlagPolicy.PENALTY:
        return
    yield Point(
        Topic.FROZEN_CUBE,
        _(
            "Penalty points that bring a player to exactly one point from winning freeze the cube for the rest of the "
            "game, whatever its place and value. It still multiplies the result."
        ),
    )
    if rules.freezes_next:
        yield Point(Topic.FROZEN_CUBE, _("Nor may anybody double in the next game."))
    else:
        yield Point(Topic.FROZEN_CUBE, _("The next game, if there is one, is the Crawford game."))
    yield Point(
        Topic.FROZEN_CUBE, _("A Crawford game already played is not played again."), reading=bool(rules.paragraphs)
    )
