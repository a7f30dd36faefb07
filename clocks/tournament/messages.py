"""Messages from the director to the phones and the hall's screens."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from clocks.host.server_time import now_ms
from clocks.journal import tournament_log
from clocks.journal.tournament_events import MessageSent, MessageWithdrawn
from clocks.models import Message, Table, Tournament

LONGEST_TEXT = Message._meta.get_field("text").max_length or 0  # characters


def messages_at(table_ids: Sequence[int], now: int) -> dict[int, Message | None]:
    """Current message of each table: its newest, or None if expired or withdrawn.

    A withdrawn or expired message still hides older ones, so the query includes everything sent after the oldest
    unexpired message.
    """
    tournaments = dict(Table.objects.filter(pk__in=table_ids).values_list("pk", "tournament_id"))
    newest: dict[int, Message | None] = dict.fromkeys(tournaments)
    sent = Message.objects.filter(tournament_id__in=set(tournaments.values())).order_by("pk")
    for message in sent.filter(pk__gte=sent.filter(until__gt=now).values("pk")[:1]).prefetch_related("tables"):
        addressed = {table.pk for table in message.tables.all()}
        for table_id, tournament_id in tournaments.items():
            if message.tournament_id == tournament_id and (not addressed or table_id in addressed):
                newest[table_id] = message if _is_current(message, now) else None
    return newest


def tournaments_with_messages(now: int) -> set[int]:
    """Ids of tournaments with an unexpired message."""
    return set(Message.objects.filter(until__gt=now).values_list("tournament_id", flat=True))


def message_to_all(tournament_id: int, now: int) -> Message | None:
    """Current message to all tables: the newest, unless expired or withdrawn."""
    newest = Message.objects.filter(tournament_id=tournament_id, tables=None).order_by("-pk").first()
    return newest if newest is not None and _is_current(newest, now) else None


def _is_current(message: Message, now: int) -> bool:
    return message.withdrawn_at is None and message.until > now


def send(tournament: Tournament, user: User, text: str, tables: Collection[Table], minutes: int) -> Message:
    """Send a message to these tables, or to all if empty.

    Phones show it within a second.
    """
    now = now_ms()
    with transaction.atomic():
        message = Message.objects.create(
            tournament=tournament, text=text, sent_by=user, sent_at=now, until=now + minutes * 60_000
        )
        message.tables.set(tables)
        names = [table.name for table in tables]
        tournament_log.write(tournament, user, MessageSent(text, names, minutes))
    return message


def withdraw(message: Message, user: User) -> None:
    """Remove a message from the phones."""
    with transaction.atomic():
        if Message.objects.filter(pk=message.pk, withdrawn_at=None).update(withdrawn_at=now_ms()):
            tournament_log.write(message.tournament, user, MessageWithdrawn(message.text))
