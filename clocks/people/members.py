"""Members of a tournament: invitations by one-time link, roles and removal.

Each change is recorded in the tournament's log.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.names import called
from clocks.journal.tournament_events import Invited, InviteRevoked, Joined, Removed, RoleChanged, TournamentMade
from clocks.models import Invite, Membership, Tournament
from clocks.people.roles import OWNER, RANK, Action, roles_that_may
from clocks.people.tokens import hash_token, new_token

PEOPLE = Q(user__api_token=None)


def make_tournament(slug: str, name: str, user: User) -> Tournament:
    """Create a tournament owned by this user."""
    with transaction.atomic():
        tournament = Tournament.objects.create(slug=slug, name=name)
        Membership.objects.create(tournament=tournament, user=user, role=OWNER)
        tournament_log.write(tournament, user, TournamentMade())
    return tournament


# --- invitations ---------------------------------------------------------------------------------------------------


def invite(tournament: Tournament, by: User, role: str, life: timedelta) -> str:
    """Create an invitation; return its path. Only the hash is stored."""
    token, until = new_token(), timezone.now() + life
    with transaction.atomic():
        Invite.objects.create(
            tournament=tournament, role=role, token_hash=hash_token(token), made_by=by, expires_at=until
        )
        tournament_log.write(tournament, by, Invited(role, f"{until:%Y-%m-%d %H:%M}"))
    return f"/director/invite/{token}/"


def open_invites(tournament: Tournament) -> "QuerySet[Invite]":
    """Open invitations by expiry, soonest first."""
    return _open().filter(tournament=tournament).select_related("made_by").order_by("expires_at")


def find_invite(token: str) -> Invite | None:
    """Look up the open invitation of a link.

    Read-only; None if unknown, used, revoked or expired.
    """
    return _open().filter(token_hash=hash_token(token)).select_related("tournament", "made_by").first()


def accept(token: str, user: User) -> Tournament | None:
    """Accept an invitation for a user, who is saved if new.

    Returns the tournament, or None if the link is no longer valid. A new user's password must already be hashed:
    hashing takes half a second, and must not hold the write lock. A user who already has this role or a higher one
    keeps it. The invitation is then revoked, unless the inviter opened it: otherwise the user could use it to come back
    after being removed.
    """
    with transaction.atomic():
        found = find_invite(token)
        locked = _open().select_for_update(of=("self",)).filter(pk=found.pk).first() if found else None
        if found is None or locked is None:
            return None
        if user.pk is None:
            user.save()
        tournament = found.tournament
        member = Membership.objects.filter(tournament=tournament, user=user).first()
        if member is None or RANK.index(member.role) < RANK.index(found.role):
            Membership.objects.update_or_create(tournament=tournament, user=user, defaults={"role": found.role})
            Invite.objects.filter(pk=found.pk).update(used_at=timezone.now())
            tournament_log.write(tournament, user, Joined(found.role, called(found.made_by)))
        elif user != found.made_by:
            revoke(found, user)
    return tournament


def revoke(invitation: Invite, by: User) -> None:
    """Revoke an open invitation."""
    with transaction.atomic():
        if _open().filter(pk=invitation.pk).update(revoked_at=timezone.now()):
            tournament_log.write(invitation.tournament, by, InviteRevoked(invitation.role))


def _open() -> "QuerySet[Invite]":
    """Open invitations, except those whose sender may no longer invite people."""
    roles = Membership.objects.filter(tournament=OuterRef("tournament"), user=OuterRef("made_by"))
    may = Exists(roles.filter(role__in=roles_that_may(Action.PEOPLE)))
    return Invite.objects.filter(
        Q(made_by__is_superuser=True) | may,
        used_at=None,
        revoked_at=None,
        expires_at__gt=timezone.now(),
        made_by__is_active=True,
    )


# --- roles ---------------------------------------------------------------------------------------------------------


def of_tournament(tournament: Tournament) -> "QuerySet[Membership]":
    """Memberships of people, without the service accounts of API tokens."""
    return tournament.memberships.filter(PEOPLE).select_related("user")


def change_role(tournament: Tournament, user_id: int, role: str, by: User) -> Membership:
    """Change a member's role. Raises Refused for the last owner."""
    with transaction.atomic():
        member = _member(tournament, user_id)
        if member.role != role:
            _must_leave_an_owner(tournament, member)
            before, member.role = member.role, role
            member.save(update_fields=["role"])
            name = called(member.user)
            tournament_log.write(tournament, by, RoleChanged(name, before, role))
    return member


def remove(tournament: Tournament, user_id: int, by: User) -> Membership:
    """Remove a member. Raises Refused for the last owner."""
    with transaction.atomic():
        member = _member(tournament, user_id)
        _must_leave_an_owner(tournament, member)
        member.delete()
        tournament_log.write(tournament, by, Removed(called(member.user), member.role))
    return member


def _member(tournament: Tournament, user_id: int) -> Membership:
    """Lock all members and return one, so that two owners cannot remove each other."""
    locked = tournament.memberships.select_for_update(of=("self",)).filter(PEOPLE).order_by("pk")
    members = {member.user_id: member for member in locked}
    if user_id not in members:
        raise Refused(Why.BAD_VALUE, "That person has already been removed.")
    return members[user_id]


def _must_leave_an_owner(tournament: Tournament, member: Membership) -> None:
    others = tournament.memberships.filter(role=OWNER, user__is_active=True).exclude(pk=member.pk)
    if member.role == OWNER and not others.exists():
        words = Words("%(name)s is the only owner. Make somebody else an owner first.", name=called(member.user))
        raise Refused(Why.BAD_VALUE, words)
