"""First stage in groups, whose best two meet in a knockout."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Player, Round, Section, Tournament
from clocks.pairing.first_round import Entry, Pair, all_play_all
from clocks.pairing.groups import blocks, snake
from clocks.tournament import drawing, first_round, sections, together
from clocks.tournament.first_round import BY_HAND, BY_RATING, RANDOM, Wish, in_list_order, rating
from clocks.tournament.rounds import change, like_the_last

METHOD = "groups"


def draw(players: Sequence[Player], wish: Wish, groups: int) -> list[Pair]:
    """Draw the first rounds of all groups, one after the other.

    Raises Refused if there are too few players.
    """
    if len(players) < 2 * groups:
        raise Refused(Why.BAD_VALUE, Words("%(groups)s groups need at least two players each.", groups=groups))
    ranked, chance = in_list_order(players), Random(wish.lot)
    if wish.order == RANDOM:
        ranked = chance.sample(ranked, len(ranked))
    elif wish.order == BY_RATING:
        ranked.sort(key=lambda each: -rating(each))
    dealt = (blocks if wish.order == BY_HAND else snake)([Entry(str(each.pk)) for each in ranked], groups)
    return [pair for group in dealt for pair in all_play_all(group, len(group), chance)]


def split(pairs: Sequence[Pair], groups: int) -> list[list[Pair]]:
    """Pairs of each group, from those that `draw` puts one after the other."""
    players = sum(1 if right is None else 2 for _left, right in pairs)
    sizes = [len(group) for group in snake(range(players), groups)]
    rest = iter(pairs)
    return [[next(rest) for _line in range((size + 1) // 2)] for size in sizes]


def name(number: int) -> str:
    """Name of a group, counted from 0."""
    return _("Group %(letter)s") % {"letter": chr(ord("A") + number) if number < 26 else number + 1}


def store(
    tournament: Tournament, groups: Sequence[Sequence[Pair]], knockout: str, given: Mapping[str, Any], user: User
) -> list[Round]:
    """Store the first round of each group, and a knockout that they feed.

    `given` is the number of the first round and, if that is new, the setting of all. Raises Refused, and then draws
    none, if a line cannot be drawn.
    """
    first = tournament.rounds.select_related("section", "tournament").filter(number=given["number"]).first()
    example = first or like_the_last(tournament)
    change(example, given)
    first_round.reject_teams(example)
    lines = [drawing.lines_of(example, pairs) for pairs in groups]
    for each in lines:
        together.reject_faults(each)
    made = [sections.make(tournament, Section.Method.CIRCLE, name(number)) for number in range(len(groups))]
    final = sections.make(tournament, Section.Method.KNOCKOUT, knockout)
    Section.objects.filter(pk__in=[each.pk for each in made]).update(feeds=final)
    try:
        rounds = [
            first if first and not number else sections.new_round(each, example) for number, each in enumerate(made)
        ]
        together.store([together.Planned(*each) for each in zip(rounds, made, lines, strict=True)], user)
    except BaseException:
        Section.objects.filter(pk__in=[final.pk, *(each.pk for each in made)]).delete()
        raise
    return rounds
