"""Stored matches: the engine's state, and the other columns of the row."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import orjson
from django.db import connection
from django.db.models import F, Q, QuerySet

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.frozen import changed
from clocks.engine.match import Match as MatchState
from clocks.journal import entries
from clocks.journal.tenure import IN_FULL, Devices, Tenure
from clocks.lag.late_presses import LatePress
from clocks.models import CASUAL, Match, Round, Table, Tournament

# At least one of these columns changes whenever a snapshot does, apart from running clocks.
STAMP = ("pk", "version", "table__name", "table__code", "round__name", "round__number")

_READ = (
    "SELECT played.id, played.version, played.state, played.left_device_id, played.right_device_id, played.table_id,"
    " seated.name, seated.code, seated.tournament_id, held.slug, drawn.number, drawn.name, played.created_at,"
    " played.tenure, played.by_players, played.late"
    f" FROM {Match._meta.db_table} AS played JOIN {Table._meta.db_table} AS seated ON seated.id = played.table_id"
    f" JOIN {Tournament._meta.db_table} AS held ON held.id = seated.tournament_id"
    f" LEFT JOIN {Round._meta.db_table} AS drawn ON drawn.id = played.round_id"
)
_IS_CURRENT = "seated.current_id = played.id"


@dataclass(slots=True)
class StoredMatch:
    """A match with its version (last seq of the journal), phones and table.

    `late` is the last late press, cleared when its seat is given time. `last_device` is the phone that requested the
    last entry: 0 if none, None if it must be looked up in the journal.
    """

    id: int
    version: int
    match: MatchState
    devices: Devices
    table_id: int
    table: str
    code: str
    tournament_id: int
    tournament: str  # slug of the tournament
    late: LatePress | None = None
    round: str = ""  # English name of the round; empty outside a round
    round_number: int | None = None  # number of a round without a name
    made_at: int = 0
    tenure: Tenure = IN_FULL
    by_players: tuple[str, ...] | None = None  # if players entered the match: the seats whose names were unknown
    last_device: int | None = None
    head: str = ""  # hash of the last entry; set by the desk only
    has_last_end: bool = True  # False if stored by an earlier version, which kept no end to take back

    @property
    def casual(self) -> bool:
        """True if the match belongs to no tournament, and so has no director."""
        return self.tournament == CASUAL

    @property
    def started_by_players(self) -> bool:
        """True if players started the match, which needs no account."""
        return self.casual or self.by_players is not None

    @property
    def runs(self) -> bool:
        """True if a clock is running."""
        return self.match.status == Status.RUNNING

    @property
    def between(self) -> int | None:
        """Shared phone, which holds both seats and answers for both players, or None."""
        device = self.tenure.between
        return device if device is not None and self.devices == (device, device) else None

    def seats_of(self, device_id: int | None) -> tuple[Seat, ...]:
        """Return the seats of a phone, left first."""
        if device_id is None:
            return ()
        return tuple(seat for seat in Seat if self.devices[seat.index] == device_id)


def matches(match_ids: Iterable[int], first: Mapping[int, MatchState] = MappingProxyType({})) -> dict[int, StoredMatch]:
    """Matches by id; missing ones are omitted.

    `first` are known states after the first entry, which need not be decoded again.
    """
    wanted = list(match_ids)
    return {board.id: board for board in _read(f"played.id IN ({_places(wanted)})", wanted, first)} if wanted else {}


def match_at_table(table_id: int) -> StoredMatch | None:
    """Return the current match of a table, or None."""
    return matches_at_tables([table_id]).get(table_id)


def matches_at_tables(table_ids: Collection[int]) -> dict[int, StoredMatch]:
    """Return the current match of each of these tables, by table."""
    wanted = list(table_ids)
    where = f"{_IS_CURRENT} AND played.table_id IN ({_places(wanted)})"
    return {board.table_id: board for board in _read(where, wanted)} if wanted else {}


def matches_of_tournament(tournament_id: int) -> list[StoredMatch]:
    """Current match of each table of a tournament, oldest table first."""
    return list(each_of_tournament(tournament_id))


def each_of_tournament(tournament_id: int) -> Iterable[StoredMatch]:
    """Same as `matches_of_tournament`, one match at a time."""
    return _read(f"{_IS_CURRENT} AND seated.tournament_id = %s ORDER BY played.table_id", [tournament_id])


def versions_of_tournament(tournament_id: int) -> list[tuple[Any, ...]]:
    """`STAMP` of each match of `matches_of_tournament`, without reading the matches."""
    played = _current().filter(table__tournament_id=tournament_id).order_by("table_id")
    return list(played.values_list(*STAMP))


def current_versions(match_ids: Iterable[int]) -> list[tuple[int, int, int, int]]:
    """(tournament, table, match, version) of those of these matches that are current."""
    played = _current().filter(pk__in=list(match_ids))
    return list(played.values_list("table__tournament_id", "table_id", "pk", "version"))


def moved_away(tables: Mapping[int, int]) -> list[int]:
    """Ids of the matches that are no longer at their table in `tables`."""
    at = Match.objects.filter(pk__in=list(tables)).values_list("pk", "table_id")
    return [match_id for match_id, table_id in at if tables[match_id] != table_id]


def is_rematch(board: StoredMatch) -> bool:
    """True if another match was played at the same table before."""
    return Match.objects.filter(table_id=board.table_id, pk__lt=board.id).exists()


def match_of(device_id: int) -> Match | None:
    """Newest unfinished current match in which a phone has a seat, or None."""
    return _played_at(device_id).select_related("table__tournament").order_by("-pk").first()


def match_elsewhere(device_id: int, table: Table) -> Match | None:
    """Unfinished current match of a phone at another table of the tournament, or None."""
    mine = _played_at(device_id).filter(table__tournament_id=table.tournament_id).exclude(table=table)
    return mine.select_related("table").order_by("-pk").first()


def _played_at(device_id: int) -> QuerySet[Match]:
    return _current().filter(Q(left_device=device_id) | Q(right_device=device_id)).exclude(status=Status.OVER)


def _current() -> QuerySet[Match]:
    return Match.objects.filter(pk=F("table__current_id"))


def _places(values: Sequence[object]) -> str:
    """Placeholders for these values."""
    return ", ".join(["%s"] * len(values))


def _loaded(text: str | None) -> Any:
    """Value of a nullable JSON column."""
    return None if text is None else orjson.loads(text)


def _ms(moment: datetime | str) -> int:
    """Convert a time from the database driver to ms; SQLite's is text, in UTC."""
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    return int(moment.timestamp() * 1000)


def _read(
    where: str, values: Sequence[int], first: Mapping[int, MatchState] = MappingProxyType({})
) -> Iterable[StoredMatch]:
    """Read matches by plain SQL.

    The ORM takes a millisecond to build the statement, which would delay presses.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"{_READ} WHERE {where}", values)
        found = cursor.fetchall()
    states = {pk: orjson.loads(state) for pk, version, state, *_ in found if version > 1 or pk not in first}
    # Earlier versions did not number proposals.
    unnumbered = [pk for pk, state in states.items() if "proposals" not in state]
    numbers = entries.last_proposals(unnumbered) if unnumbered else {}
    for pk, version, _, left, right, table_id, table, code, tournament_id, slug, *more in found:
        number, name, made, tenure, by_players, late = more
        state = states.get(pk)
        match = first[pk] if state is None else MatchState.from_dict(state)
        if pk in numbers:
            match = changed(match, proposals=numbers[pk])
        if state is not None and "lag" not in state and match.status != Status.OVER:
            _, match = entries.refold(pk)  # stored by an earlier version, which did not count lag credits
        place = (table_id, table, code, tournament_id, slug)
        round_ = (name or f"Round {number}") if number is not None else ""
        unnamed = None if name else number
        entered, late_press = _loaded(by_players), _loaded(late)
        yield StoredMatch(
            pk,
            version,
            match,
            (left, right),
            *place,
            None if late_press is None else LatePress.from_dict(late_press),
            round_,
            unnamed,
            _ms(made),
            Tenure.from_dict(_loaded(tenure)),
            None if entered is None else tuple(entered),
            has_last_end=state is None or "last_end" in state,
        )
