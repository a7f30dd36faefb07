"""What the director tells the phones and the hall's screens."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from clocks.host.server_time import now_ms
from clocks.journal import tournament_log
from clocks.journal.tournament_events import MessageSent, MessageWithdrawn
from clocks.models import Message, Table, Tournament


def messages_at(table_ids: Sequence[int], now: int) -> dict[int, Message | None]:
    """Return what the phones at each of these tables are to show now: the newest message to them, if it still counts.

    A message that was withdrawn or has run out does not bring an older one back: so everything sent after the oldest
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


def tournaments_with_messages(now: int) -> set[int]:
    """Return the tournaments with a message whose time is not over."""
    return set(Message.objects.filter(until__gt=now).values_list("tournament_id", flat=True))


def message_to_all(tournament_id: int, now: int) -> Message | None:
    """Return what the director tells all tables of a tournament now: the newest such message, if it still counts."""
    newest = Message.objects.filter(tournament_id=tournament_id, tables=None).order_by("-pk").first()
    return newest if newest is not None and _counts(newest, now) else None


def _counts(message: Message, now: int) -> bool:
    return message.withdrawn_at is None and message.until > now


def send(tournament: Tournament, user: User, text: str, tables: Collection[Table], minutes: int) -> Message:
    """Tell the phones of these tables (none: of all) something, for so long. They show it within a second."""
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
