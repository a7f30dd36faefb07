"""Draw the first round of a section from the list of players."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth.models import User

from clocks.engine.closed_sets import Format
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal.begun import UNBEGUN
from clocks.models import Match, Player, Round, Section, Tournament
from clocks.pairing import first_round as methods
from clocks.pairing.first_round import Entry, Pair
from clocks.tournament import drawing, rounds, sections
from clocks.tournament.draw_plan import PlannedLine
from clocks.tournament.players import name_key
from clocks.tournament.tables import table_order
from clocks.wording.alphabet import place

RANDOM, BY_RATING, BY_NUMBER, BY_HAND = "random", "rating", "number", "hand"
GROUPS = ("club", "country")
CHANGED = Words("The list of players has changed. Draw again.")


@dataclass(frozen=True, slots=True)
class Wish:
    """Settings of a draw: method, order of seeds, byes, and groups to keep apart.

    In order of rating or number, the first `seeds` players are seeded, or all if it is None. `lot` seeds the random
    number generator: the same lot gives the same draw.
    """

    method: str
    order: str = RANDOM
    seeds: int | None = None
    drawn_byes: bool = False
    apart: tuple[str, ...] = ()
    lot: int = 0


def in_list_order(players: Iterable[Player]) -> list[Player]:
    """Players in the order of the list: by number, then by name."""
    return sorted(players, key=lambda each: (*table_order(each.number), place(each.name)))


def draw(players: Sequence[Player], wish: Wish) -> list[Pair]:
    """Pair the players; return pairs of ids, in bracket order for a knockout."""
    ranked = in_list_order(players)
    if wish.order == BY_RATING:
        ranked.sort(key=lambda each: -rating(each))
    labels = tuple(name for name in GROUPS if name in wish.apart)
    entries = [Entry(str(each.pk), tuple(name_key(getattr(each, name)) for name in labels)) for each in ranked]
    if wish.order == BY_HAND:
        return methods.as_listed(entries, bracket=wish.method == Section.Method.KNOCKOUT)
    seeds = 0 if wish.order == RANDOM else min(len(entries), len(entries) if wish.seeds is None else wish.seeds)
    chance = Random(wish.lot)
    if wish.method == Section.Method.KNOCKOUT:
        return methods.knockout(entries, seeds, chance, drawn_byes=wish.drawn_byes)
    return (methods.swiss if wish.method == Section.Method.SWISS else methods.all_play_all)(entries, seeds, chance)


def rating(player: Player) -> float:
    """Rating as a number; 0 for a player without one."""
    found = re.search(r"\d+(?:[.,]\d+)?", player.rating)
    return float(found[0].replace(",", ".")) if found else 0.0


def as_text(pairs: Sequence[Pair]) -> str:
    """Pairs of player ids as a form field: `12-5 7-`, where 7 has a bye."""
    return " ".join(f"{left}-{right or ''}" for left, right in pairs)


def read(text: str, players: Mapping[str, Player]) -> list[Pair]:
    """Parse pairs from `as_text`. Raises Refused unless each player occurs once."""
    found: list[Pair] = []
    for part in text.split():
        left, _dash, right = part.partition("-")
        found.append((left, right or None))
    drawn = [name for pair in found for name in pair if name is not None]
    if sorted(drawn) != sorted(players):
        raise Refused(Why.STALE, CHANGED)
    return found


def swap(pairs: Sequence[Pair], one: str, other: str) -> list[Pair]:
    """Copy of the pairs with two players exchanged."""
    names = {one: other, other: one}
    return [(names.get(left, left), None if right is None else names.get(right, right)) for left, right in pairs]


def empty_rounds(tournament: Tournament) -> list[Round]:
    """Rounds without a draw, ignoring matches set aside before they began."""
    played = Match.objects.filter(round__tournament=tournament).exclude(UNBEGUN).values("round")
    empty = tournament.rounds.filter(pairings=None, byes=None).exclude(pk__in=played)
    return list(empty.order_by("number"))


def store(
    tournament: Tournament,
    pairs: Sequence[tuple[str, str | None]],
    section: tuple[str, str],
    given: Mapping[str, Any],
    user: User,
) -> tuple[Round, Sequence[PlannedLine]]:
    """Store a draw, given by names, as the first round of a section (method and name).

    `given` has the number of the round and, if it is new, its settings. Raises Refused if the round cannot be drawn.
    """
    round_ = tournament.rounds.select_related("section", "tournament").filter(number=given["number"]).first()
    reject_teams(round_ or rounds.like_the_last(tournament))
    if round_ is None:
        round_ = rounds.make(tournament, {"name": "", **given}, user)
    _enter(round_, *section)
    return round_, drawing.draw(round_, pairs, user)


def reject_teams(round_: Round) -> None:
    """Raise Refused if a round is for teams: the list of players has none."""
    if round_.format != Format.SINGLES:
        words = Words("The list has players, not teams. Import the draw of %(round)s instead.", round=str(round_))
        raise Refused(Why.BAD_VALUE, words)


def _enter(round_: Round, method: str, name: str) -> None:
    """Make a round the first of a section; reuse its own if no other round is in it."""
    old = round_.section
    if old is not None and old.rounds.count() == 1:
        old.method = method
        old.save(update_fields=["method"])
        if name:
            sections.rename(old, name)
        return
    sections.put(round_, sections.make(round_.tournament, method, name))
