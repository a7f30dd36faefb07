"""Data for public pages: matches in progress, and the matches of a player."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F, QuerySet

from clocks.engine.closed_sets import Format, Status
from clocks.models import CASUAL, Match, Round, Tournament
from clocks.tournament.events import Event, Game
from clocks.tournament.players import name_key, team
from clocks.tournament.tables import table_order
from clocks.wording.alphabet import place, plain

MOST_FOUND = 20  # maximum number of names that a search returns


class Playing(NamedTuple):
    """A match at its table, without the table's code; `state` is a `Status`."""

    match_id: int
    table: str
    names: Sequence[str]
    score: Sequence[int]
    length: int
    state: str
    round: Round | None


class Own(NamedTuple):
    """A match or a bye from a player's side; `seat` may be the name of a team."""

    event: Event
    round: Round
    game: Game
    seat: str
    opponent: str | None
    score: tuple[int, int] | None
    won: bool


def tournaments() -> QuerySet[Tournament]:
    """Public tournaments that are not archived, newest first."""
    shown = Tournament.objects.filter(public=True, archived_at=None).exclude(slug=CASUAL)
    return shown.order_by("-created_at", "-pk")


def playing(tournament: Tournament) -> list[Playing]:
    """Unfinished matches at their tables, in table order."""
    at_tables = Match.objects.filter(table__tournament=tournament, pk=F("table__current_id"))
    going_on = at_tables.exclude(status=Status.OVER).select_related("round__section", "table")
    found = [
        Playing(
            match.pk,
            match.table.name,
            match.setup["names"],
            match.state["score"],
            match.setup["length"],
            match.status,
            match.round,
        )
        for match in going_on.defer("tenure", "late")
    ]
    return sorted(found, key=lambda each: table_order(each.table))


def names(tournament: Tournament, played: Sequence[Event]) -> dict[str, str]:
    """Names in the list of players and in these events, by name key, sorted."""
    listed = tournament.players.values_list("name", flat=True)
    found = {name_key(name): name for name in listed}
    for event in played:
        found |= event.players
    return dict(sorted(found.items(), key=lambda item: place(item[1])))


def search(known: dict[str, str], typed: str) -> list[str]:
    """Find a typed name: the exact one, else up to MOST_FOUND with all its words."""
    if (key := name_key(typed)) in known:
        return [known[key]]
    words = plain(typed).split()
    found = [name for name in known.values() if words and all(word in plain(name) for word in words)]
    return found[:MOST_FOUND]


def own(played: Sequence[Event], name: str) -> list[Own]:
    """Matches and byes of a player or the player's team, in order of the rounds."""
    key = name_key(name)
    found = []
    for event in played:
        for round_, games in event.rounds:
            for game in games:
                seat = next((seat for seat, each in enumerate((game.left, game.right)) if _is(each, key)), None)
                if seat is not None:
                    found.append(_own(event, round_, game, seat))
    return sorted(found, key=lambda each: each.round.number)


def _is(seat: str | None, key: str) -> bool:
    if seat is None:
        return False
    return name_key(seat) == key or (len(seat) > len(key) and key in map(name_key, team(seat, Format.DOUBLES)))


def _own(event: Event, round_: Round, game: Game, seat: int) -> Own:
    me, other = (game.left, game.right) if seat == 0 else (game.right, game.left)
    score = (game.score[seat], game.score[1 - seat]) if game.score else None
    return Own(event, round_, game, me or "", other, score, bool(game.winner) and game.winner == me)
