"""Names and roles of users, for the journal."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db import connection

from clocks.models import Match, Membership, Table

_NAMED = (
    "SELECT played.id, person.id, person.username, person.first_name, person.last_name, member.role"
    f" FROM {Match._meta.db_table} AS played JOIN {Table._meta.db_table} AS seated ON seated.id = played.table_id"
    f" JOIN {User._meta.db_table} AS person ON person.id IN ({{}})"
    f" LEFT JOIN {Membership._meta.db_table} AS member"
    " ON member.tournament_id = seated.tournament_id AND member.user_id = person.id"
    " WHERE played.id IN ({})"
)


class Named(NamedTuple):
    """Current name and role of a user; the role is "" for non-members."""

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
    """Names and roles of these users in the matches' tournaments, by (match, user).

    One SQL statement, because the desk needs it for each command of a director.
    """
    matches, users = list(match_ids), list(user_ids)
    places = (", ".join(["%s"] * len(values)) for values in (users, matches))
    with connection.cursor() as cursor:
        cursor.execute(_NAMED.format(*places), [*users, *matches])
        rows = cursor.fetchall()
    said = {of: called(User(username=of[0], first_name=of[1], last_name=of[2])) for of in {row[2:5] for row in rows}}
    return {(row[0], row[1]): Named(said[row[2:5]], row[5] or "") for row in rows}


def former(user_id: int) -> str:
    """Return the replacement for a removed user name."""
    return f"former user {user_id}"
