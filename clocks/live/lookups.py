"""Database lookups for a socket: when it opens, and when a director acts."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from clocks.desk import Request
from clocks.engine.commands import Command, Propose
from clocks.engine.proposals import Reopen
from clocks.engine.refusals import Refused, Why
from clocks.journal.names import called
from clocks.live import protocol
from clocks.live.socket import cookies_of
from clocks.models import CASUAL, Tournament
from clocks.people import audit, sessions
from clocks.people.roles import Action, action_of, actions_of, tournaments_of
from clocks.seats import takeover
from clocks.serving.asgi import Scope
from clocks.tournament import corrections, tables
from clocks.tournament.tables import Alongside

_MATCH_OF_ALERT = re.compile(r"(\d{1,18}):", re.ASCII)


def slug_of(scope: Scope) -> str:
    """Tournament slug in the path."""
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return slug


def tournament_to_show(slug: str) -> tuple[int, int | None]:
    """Id of a hall screen's tournament, and the close code if it may not be shown.

    Casual matches are private.
    """
    tournament_id = None if slug == CASUAL else tables.tournament(slug)
    if tournament_id is None:
        return 0, protocol.NO_SUCH_MATCH
    return tournament_id, protocol.PUT_AWAY if tables.is_archived(tournament_id) else None


def session_key(scope: Scope) -> str:
    """Session key from the cookie, or ""."""
    return cookies_of(scope).get(settings.SESSION_COOKIE_NAME, "")


def signed_in(scope: Scope) -> User | AnonymousUser:
    """User of the session, looked up in the database as for a page."""
    request = HttpRequest()
    request.session = sessions.SessionStore(session_key(scope))
    user: User | AnonymousUser = get_user(request)
    return user


def tournament_to_watch(scope: Scope) -> tuple[int, int, int | None]:
    """Ids of the tournament and user, and the close code if they may not watch."""
    user, slug = signed_in(scope), slug_of(scope)
    if user.pk is None:
        return 0, 0, protocol.NOT_SIGNED_IN
    tournament = tournaments_of(user, Action.WATCH).filter(slug=slug).first()
    if tournament is not None:
        return tournament.pk, user.pk, None
    audit.refused(user.pk, Action.WATCH, slug)
    return 0, user.pk, protocol.NO_SUCH_MATCH if tables.tournament(slug) is None else protocol.REVOKED


def name_of_ruler(scope: Scope, tournament_id: int, alert: str) -> str | None:
    """Name of the signed-in user, or None if they may not make rulings here.

    Raises Refused unless the alert's match is in this tournament: a page that shows several silences alerts by name.
    """
    user = signed_in(scope)
    if not _allowed(user, Action.RULE, tournament_id):
        return None
    found = _MATCH_OF_ALERT.match(alert)
    _must_be_here(int(found[1]) if found else 0, tournament_id)
    return called(user)


def _must_be_here(match_id: int, tournament_id: int) -> None:
    if not tables.is_of_tournament(match_id, tournament_id):
        raise Refused(Why.BAD_VALUE, "There is no such match in this tournament.")


def may_seat(scope: Scope, tournament_id: int, ask_id: int) -> tuple[bool, bool]:
    """(May answer this request, may end matches), for the signed-in user."""
    allowed = _allowed(signed_in(scope), Action.SEAT, tournament_id)
    may = bool(allowed) and takeover.tournament_of(ask_id) == tournament_id
    return may, may and Action.END in allowed


def _allowed(user: User | AnonymousUser, action: Action, tournament_id: int) -> frozenset[Action]:
    """All actions permitted to a user in a tournament.

    Empty if `action` is not among them; a signed-in user's attempt is then recorded in the audit log.
    """
    if user.pk is None:
        return frozenset()
    allowed = actions_of(user, Tournament(pk=tournament_id))
    if action in allowed:
        return allowed
    audit.refused(user.pk, action, f"tournament {tournament_id}")
    return frozenset()


class Ruling(NamedTuple):
    """Director's command, with its author and whether they may end matches.

    `alongside` makes further writes in the same transaction; `then` are requests to submit afterwards.
    """

    user_id: int
    may_end: bool
    command: Command
    alongside: Alongside | None
    then: Sequence[Request] = ()


def ruling(scope: Scope, tournament_id: int, match_id: int, command: Command) -> Ruling:
    """Ruling of the signed-in user, its command completed for the desk.

    Raises Refused unless the user may give this command in this tournament.
    """
    user = signed_in(scope)
    allowed = _allowed(user, action_of(command), tournament_id)
    if user.pk is None or not allowed:
        raise Refused(Why.NOT_DIRECTOR)
    _must_be_here(match_id, tournament_id)
    if isinstance(command, Propose) and isinstance(command.terms, Reopen):
        hold, then = corrections.beside_reopening(match_id, user)
        return Ruling(user.pk, Action.END in allowed, command, hold, then)
    return Ruling(user.pk, Action.END in allowed, *tables.prepare(match_id, command))
