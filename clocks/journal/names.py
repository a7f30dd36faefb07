"""Names and roles of users, for the journal."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from clocks.models import Membership


class Named(NamedTuple):
    """Current name and role of a user; role "" outside the tournament."""

    name: str
    role: str


def called(user: AbstractBaseUser | AnonymousUser) -> str:
    """Full name of a user, or the sign-in name if there is none."""
    full = user.get_full_name() if isinstance(user, User) else ""
    return full or user.get_username()


def named_in(tournament_id: int, user: User) -> Named:
    """Current name and role of a user in a tournament."""
    role = Membership.objects.filter(tournament=tournament_id, user=user).values_list("role", flat=True).first()
    return Named(called(user), role or "")


def named_at(match_ids: Iterable[int], user_ids: Iterable[int]) -> dict[tuple[int, int], Named]:
    """Same for these users in the tournaments of these matches, by (match, user)."""
    match_ids, users = list(match_ids), User.objects.filter(pk__in=list(user_ids))
    roles = {
        (match_id, user_id): role
        for match_id, user_id, role in Membership.objects.filter(
            user__in=users, tournament__tables__matches__in=match_ids
        ).values_list("tournament__tables__matches", "user_id", "role")
    }
    return {
        (match_id, user.pk): Named(called(user), roles.get((match_id, user.pk), ""))
        for user in users
        for match_id in match_ids
    }


def former(user_id: int) -> str:
    """Return the replacement for a removed user name."""
    return f"former user {user_id}"
