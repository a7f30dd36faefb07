"""What people are called: by their full name, or by what they sign in with where they gave none."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from clocks.models import Membership


class Named(NamedTuple):
    """Who somebody is at this moment: name and role, "" where there is no role in the tournament."""

    name: str
    role: str


def called(user: AbstractBaseUser | AnonymousUser) -> str:
    """Return the full name of a user, or the one to sign in with."""
    full = user.get_full_name() if isinstance(user, User) else ""
    return full or user.get_username()


def named_in(tournament_id: int, user: User) -> Named:
    """Return who a user is in a tournament now."""
    role = Membership.objects.filter(tournament=tournament_id, user=user).values_list("role", flat=True).first()
    return Named(called(user), role or "")


def named_at(match_ids: Iterable[int], user_ids: Iterable[int]) -> dict[tuple[int, int], Named]:
    """Return who each of these users is now, in the tournament of each of these matches."""
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
    """Return what a user is called whose name was forgotten."""
    return f"former user {user_id}"
