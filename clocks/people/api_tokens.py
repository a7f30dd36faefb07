"""API tokens, each with a role and an optional expiry.

A token acts as a service account that cannot sign in. So its permissions are checked like a person's (`roles`), and
records show its name like a person's.
"""

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clocks.journal import tournament_log
from clocks.journal.tournament_events import TokenMade, TokenRevoked
from clocks.models import ApiToken, Membership, Tournament
from clocks.people.roles import DIRECTOR, VIEWER, Action, tournaments_of
from clocks.people.tokens import hash_token, new_token

ROLES = (VIEWER, DIRECTOR)
PREFIX = "bgc_"  # prefix that secret scanners recognise
NOTED_EACH = timedelta(minutes=1)  # minimum interval between two writes of `last_used_at`


def make(tournament: Tournament, by: User, name: str, role: str, life: timedelta | None) -> str:
    """Create a token and return its text. Only the hash is stored."""
    text = PREFIX + new_token()
    until = None if life is None else timezone.now() + life
    with transaction.atomic():
        account = User(username=f"token-{secrets.token_hex(8)}", first_name=name)
        account.set_unusable_password()
        account.save()
        Membership.objects.create(tournament=tournament, user=account, role=role)
        ApiToken.objects.create(
            tournament=tournament,
            user=account,
            name=name,
            role=role,
            token_hash=hash_token(text),
            made_by=by,
            expires_at=until,
        )
        end = "" if until is None else f"{until:%Y-%m-%d %H:%M}"
        tournament_log.write(tournament, by, TokenMade(name, role, end))
    return text


def revoke(token: ApiToken, by: User) -> None:
    """Revoke a token.

    Its account loses all permissions but is not deleted, because records refer to it.
    """
    with transaction.atomic():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            Membership.objects.filter(user=token.user_id).delete()
            User.objects.filter(pk=token.user_id).update(is_active=False)
            tournament_log.write(token.tournament, by, TokenRevoked(token.name))


def of_tournament(tournament: Tournament) -> "QuerySet[ApiToken]":
    """Tokens that are not revoked, oldest first; some may have expired."""
    return tournament.api_tokens.filter(revoked_at=None).select_related("made_by").order_by("pk")


def find(text: str) -> ApiToken | None:
    """Look up a token by its text. Read-only.

    None if it is unknown, revoked or expired, or if the user who made it may no longer manage the tournament's people:
    a removed owner must not keep access.
    """
    now = timezone.now()
    valid = ApiToken.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)
    token = valid.filter(token_hash=hash_token(text)).select_related("user", "made_by", "tournament").first()
    if token is None or not tournaments_of(token.made_by, Action.PEOPLE).filter(pk=token.tournament_id).exists():
        return None
    return token


def note_use(token: ApiToken) -> None:
    """Update a token's time of last use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > NOTED_EACH:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
