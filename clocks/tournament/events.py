"""Events of a tournament, with the matches of their rounds, standings and places.

An event is a section. Rounds without a section, such as imported ones, are grouped by their players.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.engine.closed_sets import Status
from clocks.models import Bye, Pairing, Round, Section, Tournament
from clocks.pairing import bracket
from clocks.pairing.standings import DEFAULT, WIN, Line, Played, TieBreak, knockout_places, standings
from clocks.tournament import places
from clocks.tournament.players import Players, name_key
from clocks.tournament.tables import table_order


class Game(NamedTuple):
    """A match of a round, or a bye (`right` is None); `winner` is "" while undecided.

    `place` is the position in the bracket. `key` is the id of the pairing, or minus the id of the bye.
    """

    left: str
    right: str | None
    winner: str
    score: tuple[int, int] | None
    table: str
    begun: bool
    place: int | None
    key: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players, without placeholders."""
        return tuple(name for name in (self.left, self.right) if name and not places.read(name))


@dataclass
class Event:
    """An event of a tournament, with its rounds and their matches in order.

    Losers of the event `above` join it. Values computed from `rounds` are cached, so add all rounds before reading any.
    """

    section: Section | None
    name: str
    method: str
    listed: Players
    rounds: list[tuple[Round, list[Game]]] = field(default_factory=list)
    above: "Event | None" = None

    @property
    def tie_breaks(self) -> list[TieBreak]:
        """Tie-breaks in the director's order, or the default ones."""
        chosen = self.section.tie_breaks if self.section else []
        return [TieBreak(each) for each in chosen] or list(DEFAULT)

    @property
    def is_knockout(self) -> bool:
        """True if losers are eliminated."""
        return self.method == Section.Method.KNOCKOUT

    @property
    def undecided(self) -> int:
        """Number of undecided matches and of byes that wait for a player."""
        return sum(not game.winner for _round, games in self.rounds for game in games)

    @cached_property
    def final(self) -> bool:
        """True if the standings are final: all rounds are drawn and decided."""
        if not self.rounds or self.undecided:
            return False
        number = self.section.number_of_rounds(len(self.players)) if self.section else None
        if number is not None:
            return len(self.rounds) >= number
        return self.is_knockout and len(self.rounds[-1][1]) == 1 and not self._awaits_losers()

    def _awaits_losers(self) -> bool:
        """True if losers of the event above are still to come."""
        if self.above is None or self.section is None:
            return False
        most = self.section.losers_rounds
        rounds = self.above.rounds[:most]
        if not self.above.final and (most is None or len(rounds) < most):
            return True
        return not all(self._have_come(round_, games) for round_, games in rounds)

    def _have_come(self, above: Round, games: Sequence[Game]) -> bool:
        """True if losers of a round above have joined this event, or none will."""
        if not all(game.winner for game in games):
            return False
        lost = [loser for game in games if (loser := _other(game)) is not None]
        return any(name_key(name) in self.players for name in lost) or all(
            self.has_withdrawn(name, above) for name in lost
        )

    def has_withdrawn(self, name: str, round_: Round | None = None) -> bool:
        """True if a player or team of a round (by default the first) has withdrawn."""
        return self.listed.has_withdrawn(name, (round_ or self.rounds[0][0]).format)

    @cached_property
    def players(self) -> dict[str, str]:
        """Names of the players by name key, in the order in which they were drawn."""
        return {name_key(name): name for _round, games in self.rounds for game in games for name in game.names}

    def bracket(self) -> list[list[bracket.Slot]]:
        """Slots of the bracket, with keys as in `Game`."""
        return bracket.arrange(
            [
                [bracket.Entry(game.left, game.right, game.winner, game.place, game.key) for game in games]
                for _round, games in self.rounds
            ],
            alone=self.above is None,
        )

    @cached_property
    def places(self) -> list[tuple[str, int, bool]]:
        """Name, place and True if still in, of each player of a knockout."""
        decided = [[(game.winner, _other(game)) for game in games if game.winner] for _round, games in self.rounds]
        for (_round, before), (_next, games), results in zip(self.rounds, self.rounds[1:], decided[1:], strict=False):
            there = {name_key(name) for game in games for name in game.names}
            gone = [game.winner for game in before if game.winner and name_key(game.winner) not in there]
            results += [(results[0][0], name) for name in gone if results and self.has_withdrawn(name)]
        found = knockout_places(decided)
        ranked = {name_key(name) for name, _place in found}
        waiting = [name for key, name in self.players.items() if key not in ranked]
        still = sum(place == 1 for _name, place in found) + len(waiting)
        found = [(name, 1) for name in waiting] + [
            (name, place + len(waiting) if place > 1 else 1) for name, place in found
        ]
        return [(name, place, place == 1 and still > 1) for name, place in found]

    def lost_in(self) -> dict[str, int]:
        """Number of the round, from 1, in which each player was eliminated, by name."""
        decided = ((nth, game) for nth, (_round, games) in enumerate(self.rounds, 1) for game in games if game.winner)
        return {loser: nth for nth, game in decided if (loser := _other(game)) is not None}

    @property
    def winners(self) -> list[str]:
        """Players in first place, or [] while the standings are not final."""
        if not self.final:
            return []
        if self.is_knockout:
            return [name for name, place, _still in self.places if place == 1]
        return [line.name for line in self.standings if line.place == 1]

    @cached_property
    def standings(self) -> list[Line]:
        """Standings of a Swiss or a round robin; a bye counts as a win."""
        names = self.players
        played: dict[str, list[Played]] = {key: [] for key in names}
        for _round, games in self.rounds:
            there = set()
            for game in games:
                there |= set(map(name_key, game.names))
                _add(game, played)
            for key in names.keys() - there:
                played[key].append(Played(None, 0))
        return [line._replace(name=names[line.name]) for line in standings(played, self.tie_breaks)]

    def feeds(self, other: "Event") -> bool:
        """True if the winners of this event, or the best of this group, go on to `other`."""
        mine, theirs = self.section, other.section
        return mine is not None and theirs is not None and mine.feeds_id == theirs.pk

    def leads_to(self, other: "Event") -> bool:
        """True if winners or losers of this event go on to `other`."""
        mine, theirs = self.section, other.section
        takes_losers = mine is not None and theirs is not None and theirs.losers_of_id == mine.pk
        return takes_losers or self.feeds(other)


def _other(game: Game) -> str | None:
    return game.right if game.winner == game.left else game.left


def _add(game: Game, played: dict[str, list[Played]]) -> None:
    """Add a match to the rounds of its players; an undecided one counts as not played."""
    names = game.names
    if game.right is None:
        for name in names:  # nobody while the bye waits for the end of another match
            played[name_key(name)].append(Played(None, WIN))
        return
    for seat, name in enumerate((game.left, game.right)):
        if name not in names:
            continue
        other = game.right if seat == 0 else game.left
        if not game.winner or other not in names:
            played[name_key(name)].append(Played(None, 0))
        else:
            points = game.score[seat] if game.score else 0
            played[name_key(name)].append(Played(name_key(other), WIN if game.winner == name else 0, points))


def has_undrawn(tournament: Tournament) -> bool:
    """True if an event of the tournament has no draw yet."""
    return tournament.sections.exclude(rounds__pairings__isnull=False).exists()


def of_tournament(tournament: Tournament) -> list[Event]:
    """Events that have a draw, in the order of their first rounds."""
    games = _games(tournament)
    found: list[Event] = []
    listed = Players(tournament)
    for round_ in tournament.rounds.select_related("section").order_by("number"):
        played = games.get(round_.pk, [])
        if played:
            _event_of(round_, played, found, listed).rounds.append((round_, played))
    of_section = {event.section.pk: event for event in found if event.section is not None}
    for event in of_section.values():
        event.above = of_section.get(event.section.losers_of_id or 0) if event.section else None
    loose = [event for event in found if event.section is None]
    for event in loose:
        sizes = [len(played) for _round, played in event.rounds]
        halves = all(2 * after <= before + 1 for before, after in pairwise(sizes))
        event.method = Section.Method.KNOCKOUT if halves else Section.Method.SWISS
    return found


def _event_of(round_: Round, games: Sequence[Game], found: list[Event], listed: Players) -> Event:
    """Event that a round belongs to; if it is new, it is added to `found`."""
    section = round_.section
    for event in found:
        if event.section is not None and section is not None and event.section.pk == section.pk:
            return event
        if section is None and event.section is None and _continues(games, event.rounds[-1][1]):
            return event
    name = section.name or tournament_name(section) if section else str(round_)
    event = Event(section, name, section.method if section else "", listed)
    found.append(event)
    return event


def tournament_name(section: Section) -> str:
    """Display name for an event without a name: its method."""
    return _(Section.Method(section.method).label)


def _continues(games: Sequence[Game], before: Sequence[Game]) -> bool:
    """True if a round continues the one before.

    Most of its players won there, or both have nearly the same players.
    """
    there = {name_key(name) for game in before for name in game.names}
    here = {name_key(name) for game in games for name in game.names}
    won = {name_key(game.winner) for game in before if game.winner}
    alike = 4 * len(here & there) > 3 * max(len(here), len(there))
    return alike or (bool(here) and 2 * len(here & won) > len(here))


def _games(tournament: Tournament) -> dict[int, list[Game]]:
    """Matches and byes by round id, in order of the bracket or else of the tables.

    Reads only the columns and values needed, not the whole state of each match.
    """
    found: dict[int, list[Game]] = {}
    for round_id, game in (*_matches(tournament), *_byes(tournament)):
        found.setdefault(round_id, []).append(game)
    for games in found.values():
        games.sort(key=lambda game: (game.place is None, game.place or 0, game.right is None, table_order(game.table)))
    return found


def _matches(tournament: Tournament) -> Iterator[tuple[int, Game]]:
    columns = ("round_id", "pk", "position", "table__name", "setup__names", "winner", "score")
    of_match = (
        "match__status",
        "match__state__halt",
        "match__state__winner",
        "match__state__score",
        "match__setup__names",
    )
    rows = Pairing.objects.filter(round__tournament=tournament).order_by("pk").values_list(*columns, *of_match)
    for round_id, key, place, table, names, winner, score, status, halt, won, points, played_as in rows:
        left, right = played_as or names
        by = (won if status == Status.OVER else "") if status else winner
        won_by = {"left": left, "right": right}.get(by or "", "")
        known = not won_by or any(points or ())  # a director may enter only the winner
        shown = (points if known else None) if status else score
        begun = (status is not None and (status != Status.SETUP or halt is not None)) or bool(won_by)
        yield round_id, Game(left, right, won_by, tuple(shown) if shown else None, table, begun, place, key)


def _byes(tournament: Tournament) -> Iterator[tuple[int, Game]]:
    byes = Bye.objects.filter(round__tournament=tournament).order_by("pk")
    for round_id, key, name, place, filled in byes.values_list("round_id", "pk", "name", "position", "filled"):
        yield round_id, Game(name, None, name if filled else "", None, "", True, place, -key)
