"""What a socket looks up in the database when it opens, and when somebody rules through it."""

from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from clocks.engine.commands import Command
from clocks.engine.refusals import Refused, Why
from clocks.journal.names import called
from clocks.live import protocol
from clocks.live.socket import Scope, cookies_of
from clocks.models import CASUAL, Tournament
from clocks.people import audit, sessions
from clocks.people.roles import Action, action_of, actions_of, tournaments_of
from clocks.seats import takeover
from clocks.tournament import tables
from clocks.tournament.tables import Alongside


def slug_of(scope: Scope) -> str:
    """Return the slug of the tournament that the address names."""
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return slug


def tournament_to_show(slug: str) -> tuple[int, int | None]:
    """Return the tournament that the address of a hall's screen names, and the code to close with if it is not shown.

    Casual matches are nobody else's business.
    """
    tournament_id = None if slug == CASUAL else tables.tournament(slug)
    if tournament_id is None:
        return 0, protocol.NO_SUCH_MATCH
    return tournament_id, protocol.PUT_AWAY if tables.is_archived(tournament_id) else None


def session_key(scope: Scope) -> str:
    """Return the key of the session that the cookie names; empty for none."""
    return cookies_of(scope).get(settings.SESSION_COOKIE_NAME, "")


def signed_in(scope: Scope) -> User | AnonymousUser:
    """Return the user of the session that the cookie names, as a page would see it now."""
    request = HttpRequest()
    request.session = sessions.SessionStore(session_key(scope))
    user: User | AnonymousUser = get_user(request)
    return user


def tournament_to_watch(scope: Scope) -> tuple[int, int, int | None]:
    """Return the tournament that the address names, the user, and the code to close with if they may not watch."""
    user, slug = signed_in(scope), slug_of(scope)
    if user.pk is None:
        return 0, 0, protocol.NOT_SIGNED_IN
    tournament = tournaments_of(user, Action.WATCH).filter(slug=slug).first()
    if tournament is not None:
        return tournament.pk, user.pk, None
    audit.refused(user.pk, Action.WATCH, slug)
    return 0, user.pk, protocol.NO_SUCH_MATCH if tables.tournament(slug) is None else protocol.REVOKED


def name_of_ruler(scope: Scope, tournament_id: int) -> str | None:
    """Return the name of the user who is signed in, None where they may not rule in this tournament."""
    user = signed_in(scope)
    return called(user) if _allowed(user, Action.RULE, tournament_id) else None


def may_seat(scope: Scope, tournament_id: int, ask_id: int) -> tuple[bool, bool]:
    """Tell whether the user who is signed in may answer a request for a seat here, and whether they may end matches."""
    allowed = _allowed(signed_in(scope), Action.SEAT, tournament_id)
    may = bool(allowed) and takeover.tournament_of(ask_id) == tournament_id
    return may, may and Action.END in allowed


def _allowed(user: User | AnonymousUser, action: Action, tournament_id: int) -> frozenset[Action]:
    """All that a user may do in a tournament, in one query; nothing, which is logged, if `action` is not among it."""
    if user.pk is None:
        return frozenset()
    allowed = actions_of(user, Tournament(pk=tournament_id))
    if action in allowed:
        return allowed
    audit.refused(user.pk, action, f"tournament {tournament_id}")
    return frozenset()


class Ruling(NamedTuple):
    """A director's command: who gives it, whether they may end a match by it, and what it changes beside it."""

    user_id: int
    may_end: bool
    command: Command
    alongside: Alongside | None


def ruling(scope: Scope, tournament_id: int, match_id: int, command: Command) -> Ruling:
    """Return a ruling of the user who is signed in, its command as the desk takes it.

    Refused unless that user may give this command in this tournament.
    """
    user = signed_in(scope)
    allowed = _allowed(user, action_of(command), tournament_id)
    if user.pk is None or not allowed:
        raise Refused(Why.NOT_DIRECTOR)
    if not tables.is_of_tournament(match_id, tournament_id):
        raise Refused(Why.BAD_VALUE, "There is no such match in this tournament.")
    return Ruling(user.pk, Action.END in allowed, *tables.prepare(match_id, command))
