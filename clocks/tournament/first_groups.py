"""First stage in groups, whose top two go on to a knockout."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from threading import Lock
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Pairing, Player, Round, Section, Tournament
from clocks.pairing.first_round import Entry, Pair, all_play_all
from clocks.pairing.groups import blocks, snake
from clocks.tournament import drawing, first_round, sections, together
from clocks.tournament.draw_plan import has_begun
from clocks.tournament.draw_store import BUSY
from clocks.tournament.first_round import BY_HAND, BY_RATING, CHANGED, RANDOM, Wish, in_list_order, rating
from clocks.tournament.rounds import change, like_the_last, set_like

METHOD = "groups"

_one_at_a_time = Lock()


def draw(players: Sequence[Player], wish: Wish, groups: int) -> list[Pair]:
    """Draw the first round of each group; return the pairs of all groups in order.

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
    """Split the pairs returned by `draw` into the pairs of each group.

    Raises Refused if they do not fit this number of groups.
    """
    players = sum(1 if right is None else 2 for _left, right in pairs)
    sizes = [(len(group) + 1) // 2 for group in snake(range(players), groups)]
    if sum(sizes) != len(pairs):
        raise Refused(Why.STALE, CHANGED)
    rest = iter(pairs)
    return [[next(rest) for _line in range(size)] for size in sizes]


def name(number: int) -> str:
    """Name of a group, counted from 0."""
    return _("Group %(letter)s") % {"letter": chr(ord("A") + number) if number < 26 else number + 1}


def store(
    tournament: Tournament, groups: Sequence[Sequence[Pair]], knockout: str, given: Mapping[str, Any], user: User
) -> list[Round]:
    """Store the first round of each group, and a knockout that they feed.

    `given` has the number of the first round and, if it is new, the settings of all rounds. Raises Refused, and draws
    none, if a line cannot be drawn. Replaces groups of these players that an interrupted draw left undrawn.
    """
    with _one_at_a_time:  # or a second request would mistake a draw being stored for an interrupted one
        return _store(tournament, groups, knockout, given, user)


def _store(
    tournament: Tournament, groups: Sequence[Sequence[Pair]], knockout: str, given: Mapping[str, Any], user: User
) -> list[Round]:
    rounds = _empty_rounds(tournament, groups, given["number"], user)
    before = list(Round.objects.filter(pk__in=[each.pk for each in rounds]))
    example = rounds[0] if rounds else like_the_last(tournament)
    change(example, {**given, "number": example.number})
    first_round.reject_teams(example)
    for each in rounds[1:]:
        set_like(each, example)
    rounds += [like_the_last(tournament, example) for _group in groups[len(rounds) :]]
    lines = [drawing.lines_of(example, pairs) for pairs in groups]
    for checked in lines:
        together.reject_faults(checked)
    try:
        made = sections.make_groups(tournament, [name(number) for number in range(len(groups))], knockout, rounds)
    except IntegrityError:
        raise Refused(Why.STALE, BUSY) from None
    try:
        together.store([together.Planned(*each) for each in zip(rounds, made[:-1], lines, strict=True)], user)
    except BaseException:
        _remove(made, rounds, before)
        raise
    return rounds


def _remove(made: Sequence[Section], rounds: Sequence[Round], before: Sequence[Round]) -> None:
    """Remove events and their new rounds; restore the rounds in `before`."""
    Round.objects.filter(pk__in=[each.pk for each in rounds if each not in before]).delete()
    for each in before:
        each.save()
    Section.objects.filter(pk__in=[each.pk for each in made]).delete()


def _empty_rounds(tournament: Tournament, groups: Sequence[Sequence[Pair]], number: int, user: User) -> list[Round]:
    """Existing rounds to draw into, at most one per group.

    Removes groups of these players that an interrupted draw left undrawn, and returns their rounds if the round with
    this number is one of them or does not exist. Otherwise returns the round with this number, if any. Raises
    Refused(Why.STALE) if it has another draw.
    """
    players = {name for pairs in groups for pair in pairs for name in pair}
    chosen = list(tournament.rounds.select_related("section", "tournament").filter(number=number))
    finals = tournament.sections.filter(method=Section.Method.KNOCKOUT, rounds=None).exclude(fed_by=None)
    for stage in map(Stage.of, finals.order_by("pk").distinct()):
        if stage.is_undrawn(players):
            stage.clear(user)
            found = chosen if chosen and chosen[0] not in stage.rounds else stage.rounds[: len(groups)]
            spare = [each.pk for each in stage.rounds if each not in found]
            Round.objects.filter(pk__in=spare, matches=None).delete()
            return found
    for each in chosen:
        drawing.reject_drawn(each)
    return chosen


class Stage(NamedTuple):
    """Groups with their rounds, and the knockout that they feed."""

    groups: list[Section]
    final: Section
    rounds: list[Round]
    pairings: list[Pairing]

    @classmethod
    def of(cls, final: Section) -> "Stage":
        """Read the groups that feed a knockout."""
        groups = list(final.fed_by.order_by("pk"))
        rounds = list(Round.objects.filter(section__in=groups).select_related("section", "tournament"))
        return cls(groups, final, rounds, list(Pairing.objects.filter(round__in=rounds).select_related("match")))

    @property
    def is_as_made(self) -> bool:
        """True if events and rounds are as the draw created them, and no match has begun."""
        return (
            [each.name for each in self.groups] == [name(number) for number in range(len(self.groups))]
            and [each.section for each in self.rounds] == self.groups
            and not self.final.rounds.exists()
            and not any(map(has_begun, self.pairings))
        )

    def is_undrawn(self, players: Collection[str | None]) -> bool:
        """True if an interrupted draw of these players left some groups undrawn."""
        drawn = {each.round_id for each in self.pairings}
        known = all(player in players for each in self.pairings for player in each.setup["names"])
        return len(drawn) < len(self.rounds) and known and self.is_as_made

    def take_back(self, user: User) -> None:
        """Remove the draws of all groups."""
        for each in self.rounds:
            together.take_back(each, user)

    def clear(self, user: User) -> None:
        """Remove the draws and the events, but keep the rounds."""
        self.take_back(user)
        for round_, group in zip(self.rounds, self.groups, strict=True):
            round_.section, round_.name = None, "" if round_.name.startswith(group.name) else round_.name
            round_.save()
        Section.objects.filter(pk__in=[each.pk for each in (*self.groups, self.final)]).delete()


def take_back(round_: Round, user: User) -> list[Round]:
    """Take back the draw of a round, or of all groups that were drawn with it.

    Returns the rounds concerned. Raises Refused(Why.STALE) if a match of the round has begun.
    """
    final = round_.section.feeds if round_.section is not None else None
    stage = None if final is None else Stage.of(final)
    if stage is None or not stage.is_as_made:
        drawing.take_back(round_, user)
        return [round_]
    stage.take_back(user)
    return stage.rounds
