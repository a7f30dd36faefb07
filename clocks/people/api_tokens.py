"""The tokens by which programs come in: made and revoked by an owner, shown once, each with a role and perhaps an end.

A token acts by an account of its own that nobody can sign in with, so that whatever it may do is found by the same
look-up as for people (`roles`), and whatever it does is recorded under its name.
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
PREFIX = "bgc_"  # by which programs that look for lost secrets know one
NOTED_EACH = timedelta(minutes=1)  # how often the time of the last use is written: not at each request


def make(tournament: Tournament, by: User, name: str, role: str, life: timedelta | None) -> str:
    """Store a token and return it: it is not kept and cannot be shown again."""
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
    """End a token for good. Its account stays, because the records name it, and may do nothing any more."""
    with transaction.atomic():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            Membership.objects.filter(user=token.user_id).delete()
            User.objects.filter(pk=token.user_id).update(is_active=False)
            tournament_log.write(token.tournament, by, TokenRevoked(token.name))


def of_tournament(tournament: Tournament) -> "QuerySet[ApiToken]":
    """Return the tokens that nobody has revoked, the oldest first; some may have expired."""
    return tournament.api_tokens.filter(revoked_at=None).select_related("made_by").order_by("pk")


def find(text: str) -> ApiToken | None:
    """Return the token that a program shows, None where it is unknown, revoked or expired; note that it was used.

    It ends with whoever made it, too: an owner who is removed leaves no door open.
    """
    now = timezone.now()
    valid = ApiToken.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)
    token = valid.filter(token_hash=hash_token(text)).select_related("user", "made_by", "tournament").first()
    if token is None or not tournaments_of(token.made_by, Action.PEOPLE).filter(pk=token.tournament_id).exists():
        return None
    if token.last_used_at is None or now - token.last_used_at > NOTED_EACH:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
