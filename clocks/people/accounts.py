"""Look up accounts by session and phone cookies, for the page queue; read-only."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db.models import Q

from clocks.engine.closed_sets import Status
from clocks.models import CASUAL, Device, Match
from clocks.people import sessions
from clocks.people.tokens import hash_token

USER, SEAT, PHONE = "user", "seat", "phone"


class Account(NamedTuple):
    """A signed-in user, a phone with a seat in a tournament, or any other phone.

    `number` is the primary key of the user or phone. Anybody can get a phone of the last kind, by starting a casual
    match.
    """

    rank: str
    number: int


class Shown(NamedTuple):
    """A client's session and phone cookies; "" if absent."""

    session: str
    token: str


def find(shown: Sequence[Shown]) -> list[Account | None]:
    """Account of each client, in the same order; None if unknown."""
    keys = {one.session: sessions.stored_key(one.session) for one in shown if one.session}
    users = sessions.users_of(keys.values()) if keys else {}
    phones = _phones({one.token for one in shown if one.token})
    seated = _seated(phones.values())
    found: list[Account | None] = []
    for one in shown:
        user, phone = users.get(keys.get(one.session, "")), phones.get(one.token)
        if user is not None:
            found.append(Account(USER, user))
        elif phone is not None:
            found.append(Account(SEAT if phone in seated else PHONE, phone))
        else:
            found.append(None)
    return found


def _phones(tokens: Collection[str]) -> dict[str, int]:
    """Primary keys of the phones with these tokens, by token."""
    hashes = {hash_token(token): token for token in tokens}
    if not hashes:
        return {}
    rows = Device.objects.filter(Q(token_hash__in=hashes) | Q(old_token_hash__in=hashes))
    found: dict[str, int] = {}
    for pk, *held in rows.values_list("pk", "token_hash", "old_token_hash"):
        found |= {hashes[each]: pk for each in held if each in hashes}
    return found


def _seated(phones: Collection[int]) -> set[int]:
    """Those of these phones that have a seat in an unfinished tournament match.

    Matches that players entered themselves don't count.
    """
    if not phones:
        return set()
    played = Match.objects.exclude(status=Status.OVER).exclude(table__tournament__slug=CASUAL)
    held = played.filter(Q(left_device__in=phones) | Q(right_device__in=phones), by_players__isnull=True)
    return {phone for seats in held.values_list("left_device", "right_device") for phone in seats if phone is not None}
