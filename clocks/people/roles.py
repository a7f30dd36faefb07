"""Who may do what in a tournament: one table, and one look-up that authorises everything.

What a user may not do is not found: nothing else checks, so nothing can forget to.
"""

from enum import StrEnum
from typing import Protocol

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from clocks.engine.commands import Command, GrantSeat, Move, Propose, ReleaseSeat, ReplaceCode
from clocks.engine.proposals import EndMatch, Reopen
from clocks.models import Membership, Tournament

VIEWER, HELPER, DIRECTOR, OWNER = RANK = (  # each may do all that those before it may
    Membership.Role.VIEWER,
    Membership.Role.HELPER,
    Membership.Role.DIRECTOR,
    Membership.Role.OWNER,
)


class Action(StrEnum):
    """What somebody may be allowed to do."""

    WATCH = "watch"  # the director's page, the record of a match, results
    EXPORT = "export"  # the same as files
    RULE = "rule"  # every command of a director, unless a match ends by it: calls, stops, adjustments, settling
    SEAT = "seat"  # release a seat from its phone
    END = "end"  # end a match by whatever ruling, take an end back, change the result of a match that is over
    TABLE = "table"  # a new code for a table, a match to another table
    HALL = "hall"  # stop all, resume all, messages
    ARRANGE = "arrange"  # make, edit and import rounds, tables and matches
    DELETE = "delete"
    PEOPLE = "people"  # invite, change roles, remove
    FORGET = "forget"  # remove all names
    ARCHIVE = "archive"  # put a tournament away, bring it back, delete it


# The least role that may do it.
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
# What may still be done in a tournament that was put away.
IN_ARCHIVE = (Action.WATCH, Action.EXPORT, Action.PEOPLE, Action.FORGET, Action.ARCHIVE)


class Somebody(Protocol):
    """A user, or the anonymous one, who has no key."""

    @property
    def pk(self) -> int | None: ...


def roles_that_may(action: Action) -> tuple[str, ...]:
    """Return the roles that may do this."""
    return RANK[RANK.index(LEAST[action]) :]


def tournaments_of(user: Somebody, action: Action) -> QuerySet[Tournament]:
    """Return the tournaments in which this user may do this now; all of them for a superuser, none for a stranger.

    What is known of the user is read again: a session or a socket may be older than a change of role.
    """
    member = _member(user).filter(role__in=roles_that_may(action))
    found = Tournament.objects.filter(Q(Exists(member)) | Q(Exists(_superuser(user))))
    return found if action in IN_ARCHIVE else found.filter(archived_at=None)


def actions_of(user: Somebody, tournament: Tournament) -> frozenset[Action]:
    """Return all that a user may do in a tournament, for pages that show only what their reader may use.

    It is read in one query: the look-up above would take one for each action, and half the time of a page.
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
    """Return what a user is in the tournament of the query around it."""
    return Membership.objects.filter(tournament=OuterRef("pk"), user=user.pk or 0, user__is_active=True)


def _superuser(user: Somebody) -> QuerySet[User]:
    return User.objects.filter(pk=user.pk or 0, is_active=True, is_superuser=True)


def may_make_tournaments(user: Somebody) -> bool:
    """Tell whether a user may make a tournament: a superuser, and whoever owns one already."""
    active = User.objects.filter(pk=user.pk or 0, is_active=True)
    return active.filter(Q(is_superuser=True) | Q(memberships__role=OWNER)).exists()


def action_of(command: Command) -> Action:
    """Return what giving this command as a director takes; the desk asks for END too wherever a match ends by it."""
    match command:
        case Propose(terms=EndMatch() | Reopen()):
            return Action.END
        case ReleaseSeat() | GrantSeat():
            return Action.SEAT
        case Move() | ReplaceCode():
            return Action.TABLE
    return Action.RULE
