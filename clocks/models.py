"""What is stored: columns, constraints, names. No rules, no queries, no writing beyond `save`."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.words import Words

CASUAL = "casual"  # the slug of the tournament of all matches that belong to none
SEATS = [("left", "left"), ("right", "right")]


class Tournament(models.Model):
    """An event with tables; casual matches live in the one whose slug is `casual`."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What a user may do in a tournament."""

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
    """A one-time link that signs a director in; only the token's hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link for {self.user}"


class Invite(models.Model):
    """A one-time link that gives whoever accepts it a role; only the token's hash is kept."""

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
    """A wrong password: which name was tried, from which address. Kept only as long as it counts."""

    account = models.CharField(max_length=150)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "failed sign-in"
        indexes = [models.Index(fields=["account", "address"], name="tried_from")]

    def __str__(self) -> str:
        return f"{self.account} from {self.address}"


class Round(models.Model):
    """A round of a tournament: whether its matches are played with clocks, and the setting that each has by itself."""

    class Policy(models.TextChoices):
        REQUIRED = "required", Words("CLOCKS REQUIRED")
        ON_REQUEST = "on-request", Words("CLOCKS ON REQUEST")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True)
    policy = models.CharField(max_length=10, choices=Policy.choices, default=Policy.REQUIRED)
    rules = models.CharField(max_length=24, default="us-2013")
    format = models.CharField(max_length=8, default="singles")
    length = models.PositiveSmallIntegerField(default=7)
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number")]

    def __str__(self) -> str:
        return self.name or gettext("Round %(number)s") % {"number": self.number}

    @property
    def posted(self) -> str:
        """Return the policy in the words of the round's rule book, as it stands on the draw sheet (1.1)."""
        if self.policy == self.Policy.ON_REQUEST:
            return RULESETS[self.rules].on_request or self.Policy.ON_REQUEST.label
        return str(self.Policy.REQUIRED.label)

    @property
    def rules_name(self) -> str:
        """Return the rule set as people know it."""
        return RULESETS[self.rules].name


class Table(models.Model):
    """A table of the hall with the code on its card; `current` is the match being played there."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="tables")
    name = models.CharField(max_length=20)
    code = models.CharField(max_length=6, unique=True)
    current = models.OneToOneField("Match", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        # Whatever the case: nobody in a hall tells Final from final.
        constraints = [models.UniqueConstraint("tournament", Lower("name"), name="one_table_a_name")]

    def __str__(self) -> str:
        return f"Table {self.name}"


class RetiredCode(models.Model):
    """A code that a table had before it got a new one. It never works again."""

    code = models.CharField(max_length=6, unique=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="retired_codes")

    def __str__(self) -> str:
        return self.code


class Message(models.Model):
    """What the director tells the phones of some tables (none named: of all). Instants are server milliseconds."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="phone_messages")
    tables = models.ManyToManyField(Table, blank=True, related_name="+")
    text = models.CharField(max_length=200)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sent_at = models.BigIntegerField()
    until = models.BigIntegerField()  # shown no longer than that
    withdrawn_at = models.BigIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return self.text


class HallEntry(models.Model):
    """What was done to a tournament as a whole or to its people. Never deleted, and updated only to forget names.

    `at` is server time in milliseconds; `user` did `event`; `data` holds the reason and what it was done to.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="hall_entries")
    at = models.BigIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    event = models.CharField(max_length=24)
    data = models.JSONField()
    user_name = models.CharField(max_length=310, blank=True, default="")  # who that was then, and in which role
    user_role = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        verbose_name_plural = "hall entries"

    def __str__(self) -> str:
        return f"{self.event} by {self.user}"


class Device(models.Model):
    """A phone that joined. Its cookie holds a token; only the token's hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    old_token_hash = models.CharField(max_length=64, blank=True, db_index=True)  # until the phone shows the new one
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"device {self.pk}"


class Match(models.Model):
    """A match and the projection of its journal: the fold of the journal up to `version`."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="matches")
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="matches")
    left_device = models.ForeignKey(Device, models.SET_NULL, null=True, blank=True, related_name="+")
    right_device = models.ForeignKey(Device, models.SET_NULL, null=True, blank=True, related_name="+")
    setup = models.JSONField()
    tenure = models.JSONField(default=dict, blank=True)  # by what right (`journal/tenure.py`); empty: in full
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, db_index=True)
    flag_at = models.BigIntegerField(null=True, blank=True, db_index=True)
    state = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return " – ".join(self.setup["names"])


class SeatAsk(models.Model):
    """A phone that asks for seats whose phone is online. Kept for some minutes; instants are server milliseconds.

    `seats` is left, right or both, with a space; `given` are the phones that have let go of theirs; `answer` is empty,
    given or kept.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="asks")
    device = models.ForeignKey(Device, models.CASCADE, related_name="+")
    seats = models.CharField(max_length=10)
    asked_at = models.BigIntegerField()
    until = models.BigIntegerField()
    given = models.JSONField(default=list)
    answer = models.CharField(max_length=5, blank=True)
    answered_at = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = "seat request"

    def __str__(self) -> str:
        return f"{self.device} asks for {self.seats}"

    @property
    def wanted(self) -> tuple[Seat, ...]:
        """Return the seats that are asked for."""
        return tuple(Seat(name) for name in self.seats.split())

    def waits(self, now: int) -> bool:
        """Tell whether an answer is still to come."""
        return not self.answer and self.until > now


class Pairing(models.Model):
    """A line of a round's draw: who is to play whom, at which table, with which settings.

    It becomes a `match` when its table is free, or, where clocks are used on request, when somebody asks for one.
    Played without a clock it has no match: `winner` and `score` are then what the director entered.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="pairings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="pairings")
    setup = models.JSONField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    winner = models.CharField(max_length=5, choices=SEATS, blank=True)
    score = models.JSONField(null=True, blank=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    entered_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return " – ".join(self.setup["names"])


class JournalEntry(models.Model):
    """One event of a match. Only `journal/entries.py` writes it; never deleted, and updated only to forget names.

    `at` and `claimed_at` are server time in milliseconds; `command` is what was asked (None on further events of the
    same command and on events that nobody asked for); `command_id` makes a resend harmless. `heard_at` is when the
    phone was last heard before a press that it says was held up.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="journal", db_index=False)
    seq = models.PositiveIntegerField()
    at = models.BigIntegerField()
    by = models.CharField(max_length=8)
    device = models.ForeignKey(Device, models.PROTECT, null=True, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False)
    event = models.CharField(max_length=24)
    data = models.JSONField()
    command = models.JSONField(null=True)
    command_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 (null is "none", and unique lets many)
    claimed_at = models.BigIntegerField(null=True)
    credit_ms = models.PositiveIntegerField(default=0)
    heard_at = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=310, blank=True, default="")  # who that was then, and in which role
    user_role = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        verbose_name_plural = "journal"
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="one_entry_a_seq"),
            # The id first: phones make ids that begin with the time, so that the entries of a batch share a page.
            models.UniqueConstraint(fields=["command_id", "match"], name="one_entry_a_command"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seq} {self.event}"


class SignOfLife(models.Model):
    """When a server process last said that it was alive while clocks ran (server time in milliseconds)."""

    process = models.CharField(max_length=64, unique=True)
    at = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "signs of life"

    def __str__(self) -> str:
        return f"{self.process} at {self.at}"
