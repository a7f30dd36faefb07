"""Memberships, invitations and sign-in."""

from django.conf import settings
from django.db import models

from clocks.models.tournament import Tournament


class Membership(models.Model):
    """Role of a user in a tournament."""

    class Role(models.TextChoices):
        OWNER = "owner"
        DIRECTOR = "director"
        HELPER = "helper"
        VIEWER = "viewer"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="one_role_a_tournament")]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.tournament}"


class SignInLink(models.Model):
    """A one-time link that signs a director in; we store only the token's hash."""

    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link for {self.user}"


class Invite(models.Model):
    """A one-time link that gives a role to the person who accepts it.

    We store only the token's hash.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invites")
    role = models.CharField(max_length=8, choices=Membership.Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation as {self.role} of {self.tournament}"


class FailedSignIn(models.Model):
    """A counted password attempt (`people/throttle.py`); deleted if it was correct.

    `account` is the skeleton of the name, `address` the key of the network or of a known browser.
    """

    account = models.CharField(max_length=150)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "failed sign-in"
        indexes = [models.Index(fields=["account", "address"], name="tried_from")]

    def __str__(self) -> str:
        return f"{self.account} from {self.address}"


class Spending(models.Model):
    """Token bucket shared by all processes, or the address of a tournament's hall.

    Buckets (`host/shared_ratelimit.py`) exist on PostgreSQL only, for at least two hours after their last use. A hall
    (`tournament/code_limit.py`) is exempt from limits until `at`.
    """

    who = models.CharField(max_length=120, unique=True)
    remaining = models.FloatField()
    at = models.FloatField(db_index=True)  # seconds since 1970; buckets follow the database's clock

    def __str__(self) -> str:
        return self.who
