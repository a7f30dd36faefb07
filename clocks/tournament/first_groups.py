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
from clocks.tournament import draw_plan, drawing, sections
from clocks.tournament.first_round import BY_HAND, BY_RATING, RANDOM, Wish, in_list_order, rating

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

    `given` is the number of the first round and, if that is new, the setting of all. Raises Refused if a line cannot be
    drawn.
    """
    stored: list[Round] = []
    first = tournament.rounds.select_related("section", "tournament").filter(number=given["number"]).first()
    setting = {key: value for key, value in given.items() if key != "number"}
    for number, pairs in enumerate(groups):
        section = sections.make(tournament, Section.Method.CIRCLE, name(number))
        round_ = first if first and not stored else sections.new_round(section, first)
        for key, value in setting.items():
            setattr(round_, key, value)
        sections.put(round_, section)
        draw_plan.reject_bad(drawing.draw(round_, pairs, user))
        stored.append(round_)
    final = sections.make(tournament, Section.Method.KNOCKOUT, knockout)
    Section.objects.filter(rounds__in=stored).update(feeds=final)
    return stored
