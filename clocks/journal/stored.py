"""Reads shared by pages, sockets and the desk."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F, Max, Q, QuerySet

from clocks.engine.closed_sets import Status
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import DEFAULT_LAG_CREDIT_MS
from clocks.journal import entries
from clocks.journal.late_presses import Board
from clocks.live import protocol
from clocks.models import Match, Message, Pairing, Round, SignOfLife, Table, Tournament

# --- boards --------------------------------------------------------------------------------------------------------


def boards(match_ids: Iterable[int]) -> dict[int, Board]:
    """Return these matches as stored, by id; those that do not exist are missing."""
    wanted = list(match_ids)
    return {board.id: board for board in _boards(Match.objects.filter(pk__in=wanted))} if wanted else {}


def board_at_table(table_id: int) -> Board | None:
    """Return the match that is played at a table now."""
    return next(iter(_boards(_current().filter(table_id=table_id))), None)


def boards_of_tournament(tournament_id: int) -> list[Board]:
    """Return the match at each table of a tournament, in the order in which the tables were made."""
    return list(_boards(_current().filter(table__tournament_id=tournament_id).order_by("table_id")))


def current_versions(match_ids: Iterable[int]) -> list[tuple[int, int, int, int]]:
    """Return (tournament, table, match, its version) of those of these matches that are played at their table now."""
    played = _current().filter(pk__in=list(match_ids))
    return list(played.values_list("table__tournament_id", "table_id", "pk", "version"))


def moved_away(tables: Mapping[int, int]) -> list[int]:
    """Return those of these matches that are no longer at the table that is given for them."""
    at = Match.objects.filter(pk__in=list(tables)).values_list("pk", "table_id")
    return [match_id for match_id, table_id in at if tables[match_id] != table_id]


def match_elsewhere(device_id: int, table: Table) -> Match | None:
    """Return the match of the same tournament that a phone with a seat plays at another table now."""
    mine = _current().filter(Q(left_device=device_id) | Q(right_device=device_id)).exclude(status=Status.OVER)
    mine = mine.filter(table__tournament_id=table.tournament_id).exclude(table=table)
    return mine.select_related("table").order_by("-pk").first()


def _current() -> QuerySet[Match]:
    return Match.objects.filter(pk=F("table__current_id"))


def _boards(matches: QuerySet[Match]) -> Iterable[Board]:
    rows = list(
        matches.values_list(
            "pk",
            "version",
            "state",
            "left_device_id",
            "right_device_id",
            "table_id",
            "table__name",
            "table__code",
            "table__tournament_id",
            "table__tournament__slug",
            "round__number",
            "round__name",
            "created_at",
        )
    )
    late = entries.late_presses([row[0] for row in rows])
    for pk, version, state, left, right, table_id, table, code, tournament_id, slug, number, name, made in rows:
        match = MatchState.from_dict(state)
        where = (table_id, table, code, tournament_id, slug)
        round_ = (name or f"Round {number}") if number is not None else ""
        unnamed = None if name else number
        made_at = int(made.timestamp() * 1000)
        yield Board(pk, version, match, (left, right), *where, late.get(pk), round_, unnamed, made_at)


# --- pairings ------------------------------------------------------------------------------------------------------


def open_pairings(table_ids: Iterable[int]) -> QuerySet[Pairing]:
    """Return the pairings of these tables that have neither a match nor a result, in the order of play."""
    waiting = Pairing.objects.filter(table_id__in=list(table_ids), match=None, winner="")
    return waiting.select_related("round").order_by("round__number", "pk")


def pairings_on_request(table_id: int) -> QuerySet[Pairing]:
    """Return the pairings of a table that get a clock only if somebody asks for one, in the order of play."""
    return open_pairings([table_id]).filter(round__policy=Round.Policy.ON_REQUEST)


def next_pairings(table_ids: Iterable[int]) -> list[Pairing]:
    """Return the pairing that waits longest for each of these tables, in a round whose matches all have a clock."""
    first: dict[int, Pairing] = {}
    for pairing in open_pairings(table_ids).filter(round__policy=Round.Policy.REQUIRED):
        first.setdefault(pairing.table_id, pairing)
    return list(first.values())


# --- what the director tells the phones ----------------------------------------------------------------------------


def messages_at(table_ids: Sequence[int], now: int) -> dict[int, Message | None]:
    """Return what the phones at each of these tables are to show now: the newest message to them, if it still counts.

    A message that was withdrawn or is out of date does not bring an older one back: so what was sent after the oldest
    that still counts is looked at too.
    """
    tournaments = dict(Table.objects.filter(pk__in=table_ids).values_list("pk", "tournament_id"))
    newest: dict[int, Message | None] = dict.fromkeys(tournaments)
    sent = Message.objects.filter(tournament_id__in=set(tournaments.values())).order_by("pk")
    for message in sent.filter(pk__gte=sent.filter(until__gt=now).values("pk")[:1]).prefetch_related("tables"):
        named = {table.pk for table in message.tables.all()}
        for table_id, tournament_id in tournaments.items():
            if message.tournament_id == tournament_id and (not named or table_id in named):
                newest[table_id] = message if _counts(message, now) else None
    return newest


def message_to_all(tournament_id: int, now: int) -> Message | None:
    """Return what the director tells all tables of a tournament now: the newest such message, if it still counts."""
    newest = Message.objects.filter(tournament_id=tournament_id, tables=None).order_by("-pk").first()
    return newest if newest is not None and _counts(newest, now) else None


def _counts(message: Message, now: int) -> bool:
    return message.withdrawn_at is None and message.until > now


def told(message: Message | None, now: int) -> str:
    """Return a message as the phones are told of it."""
    if message is None:
        return protocol.message(now)
    return protocol.message(now, message.pk, message.text, message.sent_at, message.until)


# --- clocks that run -----------------------------------------------------------------------------------------------


class Due(NamedTuple):
    """A running clock: when it flags, and what lag its match allows beyond that."""

    match_id: int
    flag_at: int
    lag_credit_ms: int


def flags_until(at: int) -> list[Due]:
    """Return the clocks that flag at `at` or before, the earliest first."""
    due = Match.objects.filter(flag_at__lte=at).order_by("flag_at").values_list("pk", "flag_at", "setup")
    return [Due(pk, flag_at, _lag(setup)) for pk, flag_at, setup in due if flag_at is not None]


def running() -> list[int]:
    """Return the matches whose clock runs."""
    return list(Match.objects.filter(status=Status.RUNNING).order_by("pk").values_list("pk", flat=True))


def any_runs() -> bool:
    """Tell whether any clock runs."""
    return Match.objects.filter(status=Status.RUNNING).exists()


def last_sign_of_life() -> int:
    """Return when any server process last said that it was alive; 0 where none ever did."""
    return SignOfLife.objects.aggregate(at=Max("at"))["at"] or 0


def _lag(setup: dict[str, Any]) -> int:
    lag: int = setup["options"].get("lag_credit_ms", DEFAULT_LAG_CREDIT_MS)
    return lag


# --- what an address names -----------------------------------------------------------------------------------------


def table_of(code: str) -> int | None:
    """Return the table with this code, already normalised."""
    return Table.objects.filter(code=code).values_list("pk", flat=True).first() if code else None


def tournament(slug: str) -> int | None:
    """Return the tournament with this slug."""
    return Tournament.objects.filter(slug=slug).values_list("pk", flat=True).first()


def is_of_tournament(match_id: int, tournament_id: int) -> bool:
    """Tell whether a match is played at a table of a tournament."""
    return Match.objects.filter(pk=match_id, table__tournament_id=tournament_id).exists()


def server_time_ms() -> float:
    """Return the database's clock in milliseconds since 1970: the authority of several processes (PostgreSQL)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000")
        return float(cursor.fetchone()[0])
