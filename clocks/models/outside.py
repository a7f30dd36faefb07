"""Models for external programs: API tokens, the event feed, webhooks, stages."""

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """An API token with a role in one tournament; we store only its hash.

    It acts through a service account, `user`, which cannot sign in and whose membership holds the role. Permissions and
    records thus treat it like any other user.
    """

    tournament = models.ForeignKey("clocks.Tournament", models.CASCADE, related_name="api_tokens")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="api_token")
    name = models.CharField(max_length=60)
    role = models.CharField(max_length=8)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"{self.name}: {self.role} of {self.tournament}"


class ApiAnswer(models.Model):
    """Response stored under an Idempotency-Key, replayed if the request is repeated.

    `asked` is the hash of method, path, query and body; `status` is 0 while the request is in progress.
    """

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="answers")
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = "API answer"
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.status} to {self.key}"


class FeedEvent(models.Model):
    """An event of a tournament's feed, numbered without gaps.

    Derived from an entry of a journal or of the tournament's log. It stores no names; those are read from its source.
    """

    tournament = models.ForeignKey("clocks.Tournament", models.CASCADE, related_name="feed_events")
    number = models.PositiveIntegerField()
    at = models.BigIntegerField()
    kind = models.CharField(max_length=24)
    match = models.ForeignKey("clocks.Match", models.CASCADE, null=True, related_name="+")
    entry = models.ForeignKey("clocks.JournalEntry", models.CASCADE, null=True, related_name="+")
    log_entry = models.ForeignKey("clocks.HallEntry", models.CASCADE, null=True, related_name="+")
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_event_a_number"),
            models.UniqueConstraint(fields=["entry", "kind"], name="one_event_a_kind_and_entry"),
            models.UniqueConstraint(fields=["log_entry", "kind"], name="one_event_a_kind_and_log_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.number} {self.kind}"


class Webhook(models.Model):
    """An address that receives a tournament's events, signed with its secret.

    `upto` is the number of the last event with a delivery; `private` allows addresses on this machine or in its own
    network.
    """

    tournament = models.ForeignKey("clocks.Tournament", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    secret = models.CharField(max_length=100)  # in plain text, because it signs each message
    private = models.BooleanField(default=False)
    upto = models.PositiveIntegerField(default=0)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    last_answer = models.CharField(max_length=200, blank=True)  # outcome of the last attempt, as text
    last_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """Delivery of an event to a webhook. Times are ms of server time."""

    class State(models.TextChoices):
        """State of a delivery; a claimed one is still waiting until its lease expires."""

        WAITING = "waiting"
        DELIVERED = "delivered"
        GIVEN_UP = "given-up"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(FeedEvent, models.CASCADE, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.BigIntegerField()
    next_at = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["state", "next_at"], name="delivery_due")]
        constraints = [models.UniqueConstraint(fields=["webhook", "event"], name="one_delivery_an_event")]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}: {self.state}"


class Stage(models.Model):
    """A fixed overlay address for a stream; a director chooses its table."""

    tournament = models.ForeignKey("clocks.Tournament", models.CASCADE, related_name="stages")
    name = models.SlugField(max_length=40)
    table = models.ForeignKey("clocks.Table", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_stage_a_name")]

    def __str__(self) -> str:
        return self.name
