"""Knockouts compared with published brackets of 8, 32, 128 and 256 places.

Draws and results are in `tests/vectors/published`, each with its source. The Candidates matches of 2011 and the World
Cup of 2025 place everybody by seed, as we do, so all pairings are compared. Tennis draws place seeds within a band (3
and 4, 5 to 8, ...) by lot, so only the bands that meet and the later rounds are compared. Parts of a published bracket
may be upside down, often the second seed's half; that does not affect who can meet whom, and when.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from clocks.models import Round, Section, Tournament
from clocks.pairing import first_round, knockout
from clocks.pairing.first_round import Entry
from clocks.tournament.events import Event, Game
from clocks.tournament.players import Players
from clocks.views.event_standings import shared_places

PUBLISHED = Path(__file__).parents[1] / "vectors" / "published"
SHARED = ["1", "2", "3–4", "5–8", "9–16", "17–32", "33–64", "65–128"]

# Bands of seeds that meet in each section of the draw with two of the top seeds, by the number of top seeds.
MEET = {
    4: [(range(1, 3), range(3, 5))],
    8: [(range(1, 5), range(5, 9))],
    16: [(range(1, 5), range(13, 17)), (range(5, 9), range(9, 13))],
    32: [(range(1, 9), range(25, 33)), (range(9, 17), range(17, 25))],
}


class Match(NamedTuple):
    """Winner and loser of a published match."""

    winner: str
    loser: str


def lines(name: str) -> list[list[str]]:
    """Cells of each line of a file, without comments."""
    text = (PUBLISHED / f"{name}.txt").read_text()
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


def rounds_of(name: str) -> list[list[Match]]:
    """Matches of each round of a published knockout."""
    return [
        [Match(*(player.rpartition(":")[2] for player in cell.split(">"))) for cell in line] for line in lines(name)
    ]


def seeds_of(name: str) -> list[list[int]]:
    """Seeds in each match of a published first round."""
    first = [cell.split(">") for cell in lines(name)[0]]
    return [[int(player.partition(":")[0]) for player in match if ":" in player] for match in first]


def our_seeds(players: int, seeds: int, lot: int) -> list[list[int]]:
    """Seeds in each match of the first round we draw."""
    entries = [Entry(str(number)) for number in range(1, players + 1)]
    pairs = first_round.knockout(entries, seeds, Random(lot))
    return [[int(name) for name in pair if name and int(name) <= seeds] for pair in pairs]


def favourites(matches: Sequence[Iterable[int]], top: int) -> list[tuple[int, ...]]:
    """Seeds up to `top` in each of `top` / 2 sections: two each unless one withdrew."""
    width = 2 * len(matches) // top
    sections = [matches[at : at + width] for at in range(0, len(matches), width)]
    return [tuple(sorted(seed for match in part for seed in match if seed <= top)) for part in sections]


def event_of(rounds: Sequence[Sequence[Match]], lot: int | None = None) -> Event:
    """Our event for a published knockout, without places; upper winners on the left.

    `lot` shuffles each round. A player who first appears in the second round had a bye.
    """
    games, upper = [], {match.winner for match in rounds[0][::2]}
    for matches in rounds:
        games.append(
            [
                Game(*(each if each.winner in upper else each[::-1]), each.winner, None, "", True, None, key)
                for key, each in enumerate(matches, 1)
            ]
        )
        upper = {match.winner for match in matches[::2]}
    there = {name for match in rounds[0] for name in match}
    later = [name for match in rounds[1] for name in match if name not in there]
    games[0] += [Game(name, None, name, None, "", True, None, -key) for key, name in enumerate(later, 1)]
    if lot is not None:
        for each in games:
            Random(lot).shuffle(each)
    event = Event(None, "", Section.Method.KNOCKOUT, Players(Tournament()))
    event.rounds += [(Round(number=number), each) for number, each in enumerate(games, 1)]
    return event


@pytest.mark.parametrize(("name", "players", "byes"), [("candidates-2011", 8, 0), ("world-cup-2025", 206, 50)])
def test_seeds_meet_as_in_the_published_bracket(name: str, players: int, byes: int) -> None:
    """Eight players, and 206 in a bracket of 256, in which the top 50 had byes."""
    pairs = first_round.knockout([Entry(str(seed)) for seed in range(1, players + 1)], players, Random(0))
    assert {left for left, right in pairs if right is None} == {str(seed) for seed in range(1, byes + 1)}
    for published in rounds_of(name):
        drawn = {frozenset(filter(None, pair)) for pair in pairs if pair[1] is not None}
        assert drawn == {frozenset(match) for match in published}
        lost = {match.loser for match in published}
        pairs = knockout.pair([player for pair in pairs for player in pair if player and player not in lost])
    assert pairs == []


def test_sixteen_seeds_have_their_places_of_the_world_snooker_championship() -> None:
    """Compared as trees, because the published bracket has the second seed last."""
    ours = [seed for (seed,) in our_seeds(32, 16, 0)]
    assert tree(ours) == tree([int(seed) for seed in lines("world-snooker-2023")[0]])


def tree(places: Sequence[object]) -> object:
    """Bracket as nested pairs (sets), so that swapped halves compare equal."""
    while len(places) > 1:
        places = [frozenset(places[at : at + 2]) for at in range(0, len(places), 2)]
    return places[0]


@pytest.mark.parametrize(("name", "players", "seeds"), [("washington-2008", 32, 8), ("roland-garros-2008", 128, 32)])
def test_the_seeds_who_can_meet_in_a_round_are_those_of_tennis_draws(name: str, players: int, seeds: int) -> None:
    """By bands only: tennis places seeds of a band by lot, so 3 may be in 1's half."""
    published = seeds_of(name)
    assert len(published) == len(our_seeds(players, seeds, 1)) == players // 2
    for top in (top for top in MEET if top <= seeds):
        allowed = {pair for better, worse in MEET[top] for pair in product(better, worse)}
        assert set(favourites(our_seeds(players, seeds, 1), top)) <= allowed
        found = favourites(published, top)
        assert {pair for pair in found if len(pair) > 1} <= allowed
        assert sum(len(pair) < 2 for pair in found) == sum(seed <= top for seed in absent(published, seeds))


def absent(matches: Sequence[Iterable[int]], seeds: int) -> set[int]:
    """Seeds that withdrew after the draw."""
    return set(range(1, seeds + 1)) - {seed for match in matches for seed in match}


@pytest.mark.parametrize("name", ["candidates-2011", "washington-2008", "roland-garros-2008"])
def test_the_next_round_is_paired_as_published(name: str) -> None:
    for before, after in pairwise(rounds_of(name)):
        pairs = knockout.pair([match.winner for match in before])
        assert [set(pair) for pair in pairs] == [set(match) for match in after]


@pytest.mark.parametrize("name", ["candidates-2011", "washington-2008", "roland-garros-2008"])
def test_a_bracket_without_places_is_put_together_as_published(name: str) -> None:
    published = rounds_of(name)
    slots = event_of(published, lot=3).bracket()
    shown = [[set(entry.names) if entry else None for entry in row] for row in slots]
    assert shown == [[set(match) for match in matches] for matches in published]


def test_the_bracket_of_256_leads_from_206_players_to_one() -> None:
    slots = event_of(rounds_of("world-cup-2025"), lot=3).bracket()
    assert [len(row) for row in slots] == [128, 64, 32, 16, 8, 4, 2, 1]
    for row, after in pairwise(slots):
        for k, entry in enumerate(row):
            meets = after[k // 2]
            assert entry is not None and meets is not None and entry.winner in meets.names
    names = [frozenset(entry.names) for entry in slots[0] if entry]
    ours = first_round.knockout([Entry(str(seed)) for seed in range(1, 207)], 206, Random(0))
    assert tree(names) == tree([frozenset(filter(None, pair)) for pair in ours])


@pytest.mark.parametrize(
    ("name", "last"),
    [("candidates-2011", []), ("washington-2008", []), ("roland-garros-2008", []), ("world-cup-2025", ["129–206"])],
)
def test_places_are_those_of_the_published_rounds(name: str, last: list[str]) -> None:
    """Losers of a round share places; the World Cup's third-place match is omitted."""
    published = rounds_of(name)
    winner = published[-1][0].winner
    out = [{winner}, *({match.loser for match in matches} for matches in reversed(published))]
    shown = shared_places(event_of(published))
    assert [(set(names), still) for _place, names, still in shown] == [(names, False) for names in out]
    assert [place for place, _names, _still in shown] == [*SHARED, *last][: len(out)]
