"""Permissions: a table of roles and actions, and the lookup that checks them.

Code looks up tournaments by user and action. Without permission the lookup finds nothing, so a check cannot be
forgotten.
"""

from enum import StrEnum
from typing import Protocol

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from clocks.engine.commands import Command, GrantSeat, Move, Propose, ReleaseSeat, ReplaceCode
from clocks.engine.proposals import EndMatch, Reopen
from clocks.models import Membership, Tournament

VIEWER, HELPER, DIRECTOR, OWNER = RANK = (  # ascending: each role includes the permissions of those before it
    Membership.Role.VIEWER,
    Membership.Role.HELPER,
    Membership.Role.DIRECTOR,
    Membership.Role.OWNER,
)


class Action(StrEnum):
    """An action that needs permission."""

    WATCH = "watch"  # see the director's page, records of matches, results
    EXPORT = "export"  # the same data as files
    RULE = "rule"  # directors' commands without an action of their own: calls, stops, adjustments, settling
    SEAT = "seat"  # release or grant a seat, answer a request for one
    END = "end"  # end a match by any ruling, reopen it, change the result of a finished match
    TABLE = "table"  # give a table a new code, move a match to another table
    HALL = "hall"  # stop all, resume all, messages
    ARRANGE = "arrange"  # make, edit and import rounds, tables and matches
    DELETE = "delete"
    PEOPLE = "people"  # invite, change roles, remove
    FORGET = "forget"  # remove all names
    ARCHIVE = "archive"  # archive a tournament, restore it, delete it


# Lowest role for each action.
LEAST: dict[Action, Membership.Role] = {
    Action.WATCH: VIEWER,
    Action.EXPORT: VIEWER,
    Action.RULE: HELPER,
    Action.SEAT: HELPER,
    Action.END: DIRECTOR,
    Action.TABLE: DIRECTOR,
    Action.HALL: DIRECTOR,
    Action.ARRANGE: DIRECTOR,
    Action.DELETE: DIRECTOR,
    Action.PEOPLE: OWNER,
    Action.FORGET: OWNER,
    Action.ARCHIVE: OWNER,
}
# Actions that an archived tournament still allows.
IN_ARCHIVE = (Action.WATCH, Action.EXPORT, Action.PEOPLE, Action.FORGET, Action.ARCHIVE)


class Somebody(Protocol):
    """A user; `pk` is None for an anonymous one."""

    @property
    def pk(self) -> int | None: ...


def roles_that_may(action: Action) -> tuple[str, ...]:
    """Roles that permit this action."""
    return RANK[RANK.index(LEAST[action]) :]


def tournaments_of(user: Somebody, action: Action) -> QuerySet[Tournament]:
    """Tournaments in which this user may take this action.

    All for a superuser, none for an anonymous user; archived ones only for the actions IN_ARCHIVE. Reads the current
    role from the database, because a session or socket may be older than a change of role.
    """
    member = _member(user).filter(role__in=roles_that_may(action))
    found = Tournament.objects.filter(Q(Exists(member)) | Q(Exists(_superuser(user))))
    return found if action in IN_ARCHIVE else found.filter(archived_at=None)


def actions_of(user: Somebody, tournament: Tournament) -> frozenset[Action]:
    """Actions that a user may take in a tournament.

    One query; calling `tournaments_of` for each action took half of a page's time.
    """
    role = Subquery(_member(user).values("role")[:1])
    known = Tournament.objects.filter(pk=tournament.pk).values_list(role, Exists(_superuser(user)), "archived_at")
    return frozenset(
        action
        for role, is_superuser, archived_at in known
        for action in Action
        if (is_superuser or role in roles_that_may(action)) and (archived_at is None or action in IN_ARCHIVE)
    )


def _member(user: Somebody) -> QuerySet[Membership]:
    """Subquery: the user's membership in the outer query's tournament."""
    return Membership.objects.filter(tournament=OuterRef("pk"), user=user.pk or 0, user__is_active=True)


def _superuser(user: Somebody) -> QuerySet[User]:
    return User.objects.filter(pk=user.pk or 0, is_active=True, is_superuser=True)


def may_make_tournaments(user: Somebody) -> bool:
    """True for superusers and for owners of any tournament."""
    active = User.objects.filter(pk=user.pk or 0, is_active=True)
    return active.filter(Q(is_superuser=True) | Q(memberships__role=OWNER)).exists()


def action_of(command: Command) -> Action:
    """Action that a director's command needs permission for.

    If the command would end a match, the desk also requires END.
    """
    match command:
        case Propose(terms=EndMatch() | Reopen()):
            return Action.END
        case ReleaseSeat() | GrantSeat():
            return Action.SEAT
        case Move() | ReplaceCode():
            return Action.TABLE
    return Action.RULE
