"""Queue of pairings per table: start their matches, or requeue them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import orjson
from django.db import connection, transaction
from django.db.models import F, Max, Q, QuerySet

from clocks.desk.matches import Beginning, append_and_publish, create_matches
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Party, Status
from clocks.engine.commands import CorrectNames, ReleaseSeat
from clocks.engine.events import OUTSIDE_THE_RULES, NamesCorrected, NamesRemoved
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.host.server_time import now_ms
from clocks.host.slices import in_slices
from clocks.journal import entries
from clocks.journal.begun import unbegun_sql
from clocks.models import Bye, Match, Pairing, Place, Round, Table

DECIDED_AGAIN = "The match that leads here has been decided again."
AT_ONCE = 8  # matches started per transaction

_SET_ASIDE = (
    f"UPDATE {Table._meta.db_table} SET current_id = NULL WHERE current_id IN"
    f" ({{}} AND {Match._meta.db_table}.id IN ({{}}))"
)
_LOCK = f"SELECT id, current_id FROM {Table._meta.db_table} WHERE id IN ({{}}) ORDER BY id"
_BUSY = f"SELECT id FROM {Match._meta.db_table} WHERE id IN ({{}}) AND status <> %s"
_WAITING = (
    "SELECT drawn.id, drawn.round_id, drawn.table_id, drawn.setup"
    f" FROM {Pairing._meta.db_table} AS drawn JOIN {Round._meta.db_table} AS played ON played.id = drawn.round_id"
    " WHERE drawn.table_id IN ({}) AND drawn.match_id IS NULL AND drawn.winner = '' AND played.policy = %s"
    f" AND NOT EXISTS (SELECT 1 FROM {Place._meta.db_table} AS place"
    " WHERE place.pairing_id = drawn.id AND NOT place.filled) ORDER BY played.number, drawn.id"
)


class Outcome(NamedTuple):
    """Names of the winner and loser of a pairing."""

    winner: str
    loser: str


def open_pairings(table_ids: Iterable[int]) -> QuerySet[Pairing]:
    """Return the pairings of these tables without match or result, in order of play.

    Excludes pairings with an unknown player.
    """
    waiting = Pairing.objects.filter(Pairing.waiting(), table_id__in=list(table_ids))
    waiting = waiting.exclude(places__filled=False)
    return waiting.select_related("round").order_by("round__number", "pk")


def pairings_on_request(table_id: int) -> QuerySet[Pairing]:
    """Pairings of a table that get a clock only on request, in order of play."""
    return open_pairings([table_id]).filter(round__policy=Round.Policy.ON_REQUEST)


def next_matches(table_ids: Collection[int]) -> list[Beginning]:
    """First waiting pairing of each table, in rounds with clocks, as a `Beginning`.

    Plain SQL for speed, because the end of a match waits for it.
    """
    first: dict[int, Beginning] = {}
    if table_ids:
        with connection.cursor() as cursor:
            sql = _WAITING.format(", ".join(map(str, table_ids)))
            cursor.execute(sql, [Round.Policy.REQUIRED])
            for id_, round_id, table_id, setup in cursor.fetchall():
                if table_id not in first:
                    first[table_id] = Beginning(table_id, Setup.from_dict(orjson.loads(setup)), id_, round_id)
    return list(first.values())


def set_aside(match_ids: Collection[int]) -> None:
    """Free the tables of these matches, unless the match has begun.

    Their journals stay unchanged. Locks the matches, so that none begins meanwhile.
    """
    if not match_ids:
        return
    if connection.features.has_select_for_update:
        list(Match.objects.select_for_update().filter(pk__in=match_ids).order_by("pk").values_list("pk"))
    unbegun, values = unbegun_sql()
    with connection.cursor() as cursor:
        cursor.execute(_SET_ASIDE.format(unbegun, ", ".join(map(str, match_ids))), values)


def create_next_matches(
    table_ids: Iterable[int], asker: entries.Asker
) -> tuple[dict[int, MatchState], Sequence[entries.Row]]:
    """Create the next match at each of these tables that is free.

    Returns the states of the matches by id, and their first entries. Locks the tables before reading: if a pairing is
    made while a match ends, the later transaction sees the other.
    """
    beginnings = next_matches(_locked_free_tables(table_ids))
    return create_matches(beginnings, asker, now_ms()) if beginnings else ({}, [])


def _locked_free_tables(table_ids: Iterable[int]) -> set[int]:
    """Lock these tables; return those without a match, or whose match is over."""
    some = sorted(set(table_ids))
    if not some:
        return set()
    sql = _LOCK.format(", ".join(map(str, some)))
    if connection.features.has_select_for_update:
        sql += " FOR UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        present = dict(cursor.fetchall())
        played = ", ".join(str(match_id) for match_id in present.values() if match_id)
        busy = set()
        if played:
            cursor.execute(_BUSY.format(played), [Status.OVER])
            busy = {match_id for (match_id,) in cursor.fetchall()}
    return {table_id for table_id, match_id in present.items() if match_id not in busy}


def start_pairings(
    table_ids: Iterable[int],
    *,
    by: Party = Official.SERVER,
    user_id: int | None = None,
    instead_of: Collection[int] = (),
) -> list[int]:
    """Start the first waiting pairing of each of these tables that is free.

    Returns the ids of the new matches. A table is free if it has no match or its match is over. Matches in `instead_of`
    that have not begun are set aside first. Outside any transaction, tables are processed in slices; the call may
    safely be repeated.
    """
    started: list[int] = []

    def start(some: Sequence[int]) -> None:
        begun, rows = create_next_matches(some, entries.Asker(by, user_id=user_id))
        append_and_publish(begun, rows, begun)
        started.extend(begun)

    if instead_of:
        with transaction.atomic():
            set_aside(instead_of)
    waiting = open_pairings(table_ids).filter(round__policy=Round.Policy.REQUIRED)
    in_slices(sorted(set(waiting.values_list("table_id", flat=True))), start, AT_ONCE)
    return started


def outcome(pairing: Pairing) -> Outcome | None:
    """Winner and loser of a pairing, or None if it is undecided."""
    left, right = pairing.setup["names"]
    winner = pairing.winner
    if pairing.match is not None:
        winner = MatchState.from_dict(pairing.match.state).winner or ""
    if not winner:
        return None
    return Outcome(left, right) if winner == Seat.LEFT else Outcome(right, left)


def fill_places(pairing_ids: Collection[int]) -> set[int]:
    """Fill the places and byes waiting for the winners or losers of these pairings.

    Returns the tables of the filled places. Runs in the caller's transaction. Skips places whose pairing has a match or
    result, or would have invalid names.
    """
    tables = set()
    waiting = Place.objects.filter(source__in=pairing_ids, filled=False).select_related("source__match").order_by("pk")
    for place in waiting:
        decided = place.source and outcome(place.source)
        pairing = Pairing.objects.get(pk=place.pairing_id)
        if not decided or not pairing.waits:
            continue
        if _take(pairing, place, getattr(decided, place.takes)):
            Place.objects.filter(pk=place.pk).update(filled=True)
            tables.add(pairing.table_id)
    for bye in Bye.objects.filter(source__in=pairing_ids, filled=False).select_related("source__match"):
        decided = bye.source and outcome(bye.source)
        if decided:
            Bye.objects.filter(pk=bye.pk).update(name=getattr(decided, bye.takes), filled=True)
    return tables


def current_among(match_ids: Collection[int]) -> set[int]:
    """Subset of these matches that are current at their tables."""
    if not match_ids:
        return set()
    return set(Table.objects.filter(current__in=match_ids).values_list("current_id", flat=True))


def replaced_seats(match: Match, names: Sequence[str]) -> list[Seat]:
    """Seats whose player changes, except free ones; none if one phone holds both."""
    devices = (match.left_device_id, match.right_device_id)
    if devices[0] == devices[1]:
        return []
    changed = zip(Seat, devices, match.setup["names"], names, strict=True)
    return [seat for seat, device, before, after in changed if device is not None and before != after]


def store_names(match_id: int, names: Sequence[str]) -> None:
    """Copy corrected names from the journal to the match and its pairing."""
    for model, which in ((Match, {"pk": match_id}), (Pairing, {"match": match_id})):
        for row in model._default_manager.filter(**which):
            model._default_manager.filter(pk=row.pk).update(setup={**row.setup, "names": list(names)})
    Match.objects.filter(pk=match_id).exclude(by_players=None).update(by_players=[])  # all names are known now


def with_other_players(decided_now: Q) -> list[Request]:
    """Requests to replace players in later matches, after these pairings were decided.

    Needed if a match was reopened after its players had begun their next matches. A player there who did not play in
    the pairing was entered by the director, and stays.
    """
    return [request for each in _exchanges(decided_now) for request in each.requests()]


def cut_short() -> list[Request]:
    """Same, for pairings that were decided again just before the server stopped.

    Skips matches whose players were corrected since.
    """
    due = [each for each in _exchanges(Q(source__isnull=False)) if not each.corrected_since()]
    return [request for each in due for request in each.requests()]


class _Exchange(NamedTuple):
    """Unfinished match, and the players it should have given the result of `source`."""

    match: Match
    names: tuple[str, str]
    source: Pairing

    def corrected_since(self) -> bool:
        """True if the names were corrected or removed after the source was decided."""
        decided = entries.but_hits().exclude(event__in=OUTSIDE_THE_RULES)
        decided_at = decided.filter(match=self.source.match_id).aggregate(at=Max("at"))["at"]
        if self.source.entered_at is not None:
            decided_at = int(self.source.entered_at.timestamp() * 1000)
        corrected = entries.but_hits().filter(match=self.match, event__in=(NamesCorrected.name, NamesRemoved.name))
        return corrected.filter(at__gte=decided_at or 0).exists()

    def requests(self) -> list[Request]:
        """Requests that free the seats of replaced players, and correct the names."""
        freed = [ReleaseSeat(seat, DECIDED_AGAIN) for seat in replaced_seats(self.match, self.names)]
        renamed = partial(store_names, self.match.pk, self.names)
        command = CorrectNames(self.names, DECIDED_AGAIN)
        return [
            *(Request(self.match.pk, each, Official.SERVER) for each in freed),
            Request(self.match.pk, command, Official.SERVER, alongside=renamed),
        ]


def _exchanges(decided_now: Q) -> Iterator[_Exchange]:
    filled = Place.objects.filter(decided_now, filled=True).exclude(pairing__match=None)
    for place in filled.exclude(pairing__match__status=Status.OVER).select_related("pairing__match", "source__match"):
        match, source = place.pairing.match, place.source
        if match is None or source is None or (decided := outcome(source)) is None:
            continue
        names, at = list(match.setup["names"]), Seat(place.seat).index
        before, names[at] = names[at], getattr(decided, place.takes)
        if before in decided and before != names[at] and names[0] != names[1]:
            yield _Exchange(match, (names[0], names[1]), source)


def decide(pairing_id: int) -> None:
    """Advance the players of a match played without a clock; start ready matches."""
    with transaction.atomic():
        tables = fill_places([pairing_id])
        if tables:
            start_pairings(tables)


def undecide(pairing_id: int) -> None:
    """Empty the places that a pairing played without a clock had filled.

    Starts the first waiting match of the pairing's table, if the table is free.
    """
    with transaction.atomic():
        _empty(Q(source=pairing_id))
        start_pairings(Pairing.objects.filter(pk=pairing_id).values_list("table_id", flat=True))


def _take(pairing: Pairing, place: Place, name: str) -> bool:
    """Put a name in a place. False if the pairing would have invalid names."""
    names = list(pairing.setup["names"])
    names[Seat(place.seat).index] = name
    try:
        setup = Setup.from_dict({**pairing.setup, "names": names})
    except Refused:
        return False
    Pairing.objects.filter(pk=pairing.pk).update(setup=setup.to_dict())
    return True


def empty_places(match_id: int) -> None:
    """Empty the places and byes that a match had filled, unless play has begun there.

    Runs in the caller's transaction.
    """
    _empty(Q(source__match=match_id))


def _empty(of_source: Q) -> None:
    filled = Place.objects.filter(of_source, filled=True).select_related("pairing__match")
    for place in filled.order_by("pk"):
        pairing = Pairing.objects.select_related("match").get(pk=place.pairing_id)
        if pairing.winner or (pairing.match is not None and pairing.match.has_begun):
            continue
        if _take(pairing, place, place.words):
            set_aside([pairing.match_id] if pairing.match_id else [])
            Pairing.objects.filter(pk=pairing.pk).update(match=None)
            Place.objects.filter(pk=place.pk).update(filled=False)
    Bye.objects.filter(of_source).exclude(words="").update(name=F("words"), filled=False)


def reject_replaced(match_id: int) -> None:
    """Reject reopening a match while its table has any other unfinished match.

    The match of the next pairing may give way if it has not begun.
    """
    table = Table.objects.select_for_update(of=("self",)).get(matches=match_id)
    if table.current_id in (None, match_id):
        return
    there = Match.objects.select_for_update(of=("self",)).get(pk=table.current_id)
    if there.status != Status.OVER and (there.has_begun or not Pairing.objects.filter(match=there).exists()):
        words = Words(
            "Table %(table)s is now playing %(match)s. End that match or move it to another table first.",
            table=table.name,
            match=there,
        )
        raise Refused(Why.BAD_VALUE, words)


def play_again(match_id: int) -> None:
    """Make a reopened match the current one of its table again.

    An unfinished match of the next pairing is set aside; `reject_replaced` has checked that it has not begun.
    """
    empty_places(match_id)
    table = Table.objects.filter(matches=match_id)
    there = Pairing.objects.filter(match__in=table.values("current")).exclude(match=match_id)
    there.exclude(match__status=Status.OVER).update(match=None)
    table.update(current=match_id)
