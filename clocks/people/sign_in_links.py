"""One-time sign-in links for the director, created on the command line."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clocks.models import SignInLink
from clocks.people.tokens import hash_token, new_token

LINK_LIFE = timedelta(hours=24)
DIRECTOR = "director"


def make_link() -> str:
    """Create a link for the superuser `director` and return its path.

    Earlier unused links become void. The user is created with the first link, without a password.
    """
    user, made = User.objects.get_or_create(
        username=DIRECTOR, defaults={"is_superuser": True, "is_staff": True, "password": "!"}
    )
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    token = new_token()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # serialise two links made at the same time
        SignInLink.objects.filter(user=user, used_at=None).delete()
        SignInLink.objects.create(token_hash=hash_token(token), user=user, expires_at=timezone.now() + LINK_LIFE)
    return f"/director/sign-in/{token}/"


def is_good(token: str) -> bool:
    """True if the link is valid. Does not use it up."""
    return _good(token).exists()


def use(token: str) -> User | None:
    """Use up a link. Returns its user, or None if it is unknown, used or expired."""
    with transaction.atomic():
        link = _good(token).select_for_update().select_related("user").first()
        if link is None:
            return None
        link.used_at = timezone.now()
        link.save(update_fields=["used_at"])
    return link.user


def _good(token: str) -> "QuerySet[SignInLink]":
    return SignInLink.objects.filter(
        token_hash=hash_token(token), used_at=None, expires_at__gt=timezone.now(), user__is_active=True
    )
