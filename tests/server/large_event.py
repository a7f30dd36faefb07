"""Stored events of any size, with all matches played on clocks."""

from collections.abc import Sequence

from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.models import Bye, Match, Pairing, Player, Round, Section, Table, Tournament
from clocks.tournament.tables import add_tables
from tests.server.house import US_2013

Pair = tuple[str, str | None]


def knockout_of(players: int, slug: str = "open") -> Tournament:
    """Store a finished knockout; the alphabetically first player wins each match."""
    section, names = _listed(players, slug, "knockout")
    size = 1 << (len(names) - 1).bit_length()
    byes = size - len(names)
    pairs: list[Pair] = [(name, None) for name in names[:byes]]
    rest = names[byes:]
    pairs += list(zip(rest[::2], rest[1::2], strict=True))
    number = 1
    while True:
        _round(section, number, pairs, places=True)
        left = [min(filter(None, pair)) for pair in pairs]
        if len(left) == 1:
            return section.tournament
        pairs = list(zip(left[::2], left[1::2], strict=True))
        number += 1


def swiss_of(players: int, rounds: int, slug: str = "open") -> Tournament:
    """Store a Swiss event; each round rotates the list by another place and folds it."""
    section, names = _listed(players, slug, "swiss")
    for number in range(1, rounds + 1):
        turned = names[number:] + names[:number]
        half = len(turned) // 2
        _round(section, number, list(zip(turned[:half], reversed(turned[half:]), strict=False)))
    return section.tournament


def _listed(players: int, slug: str, method: str) -> tuple[Section, list[str]]:
    tournament = Tournament.objects.create(slug=slug, name=slug, public=True)
    names = [f"Jørgen Player {n:04}" for n in range(players)]
    Player.objects.bulk_create(Player(tournament=tournament, name=name) for name in names)
    add_tables(tournament, [str(n) for n in range(1, players // 2 + 1)])
    return Section.objects.create(tournament=tournament, method=method), names


def _round(section: Section, number: int, pairs: Sequence[Pair], places: bool = False) -> None:
    """Store a round of finished matches."""
    round_ = Round.objects.create(tournament=section.tournament, number=number, section=section)
    tables = list(Table.objects.filter(tournament=section.tournament).order_by("pk"))
    drawn = [(place, left, right) for place, (left, right) in enumerate(pairs) if right is not None]
    setups = [Setup.parse(US_2013 | {"names": [left, right]}) for _place, left, right in drawn]
    over = [_over(setup) for setup in setups]
    matches = Match.objects.bulk_create(
        Match(table=table, round=round_, setup=setup.to_dict(), state=state, version=9, status="over")
        for table, setup, state in zip(tables, setups, over, strict=False)
    )
    Pairing.objects.bulk_create(
        Pairing(round=round_, table=table, setup=match.setup, match=match, position=place if places else None)
        for table, match, (place, _left, _right) in zip(tables, matches, drawn, strict=False)
    )
    Bye.objects.bulk_create(
        Bye(round=round_, name=left, position=place if places else None)
        for place, (left, right) in enumerate(pairs)
        if right is None
    )


def _over(setup: Setup) -> dict[str, object]:
    """Final state of a match won by the alphabetically first player."""
    left = setup.names[0] < setup.names[1]
    won, lost = setup.length, int(setup.names[0][-1])
    score = [won, lost % won] if left else [lost % won, won]
    return MatchState.begin(setup).to_dict() | {"status": "over", "winner": "left" if left else "right", "score": score}
