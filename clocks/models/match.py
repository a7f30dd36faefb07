"""Phones, matches and their journals, and the draws that become matches."""

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.models.tournament import Round, Table

SEATS = [("left", "left"), ("right", "right")]
TAKES = [("winner", "winner"), ("loser", "loser")]


class Device(models.Model):
    """A phone, identified by a token in its cookie; we store only the token's hash."""

    token_hash = models.CharField(max_length=64, unique=True)
    old_token_hash = models.CharField(max_length=64, blank=True, db_index=True)  # also valid until the new one is used
    created_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.BigIntegerField(default=0)  # last contact while its seat was on loan (`seats/absence.py`)

    def __str__(self) -> str:
        return f"device {self.pk}"


class Match(models.Model):
    """A match, with the projection of its journal up to `version`.

    If the players entered the match themselves, `by_players` are the seats whose names were not in the list of players.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="matches")
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="matches")
    left_device = models.ForeignKey(Device, models.SET_NULL, null=True, blank=True, related_name="+")
    right_device = models.ForeignKey(Device, models.SET_NULL, null=True, blank=True, related_name="+")
    setup = models.JSONField()
    tenure = models.JSONField(default=dict, blank=True)  # rights to the seats (`journal/tenure.py`); {}: none lent
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, db_index=True)
    flag_at = models.BigIntegerField(null=True, blank=True, db_index=True)
    state = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    by_players = models.JSONField(null=True, blank=True)  # null: not entered by the players
    late = models.JSONField(null=True, blank=True)  # late press to show (`lag/late_presses.py`)
    struck_out = models.BooleanField(default=False)  # removed by a director after phones had joined

    class Meta:
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return " – ".join(self.setup["names"])

    @cached_property
    def on_break(self) -> bool:
        """True during a break: status is `setup`, as before the match, but with a halt."""
        return self.status == Status.SETUP and bool(self.state.get("halt"))

    @property
    def has_begun(self) -> bool:
        """True once both players have confirmed."""
        return self.status != Status.SETUP or self.on_break


class SeatAsk(models.Model):
    """A request for seats whose phones are online, kept for some minutes.

    `seats` is left, right or both, separated by a space; `given` are the phones that gave up their seats; `answer` is
    empty, given or kept. Timestamps are milliseconds of server time.
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
        """Requested seats."""
        return tuple(Seat(name) for name in self.seats.split())

    def waits(self, now: int) -> bool:
        """True while the request is unanswered and has not expired."""
        return not self.answer and self.until > now


class Pairing(models.Model):
    """A pairing in the draw of a round: players, table and settings.

    It becomes a `match` when its table is free or, if clocks are on request, when somebody asks for one. If played
    without a clock it has no match, and the director enters `winner` and `score`. `external_id` is its id in the
    program that sent the draw. `position` is its index in the bracket of a knockout, from 0.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="pairings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="pairings")
    setup = models.JSONField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    winner = models.CharField(max_length=5, choices=SEATS, blank=True)
    score = models.JSONField(null=True, blank=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    entered_at = models.DateTimeField(null=True, blank=True)
    external_id = models.CharField(max_length=64, blank=True, default="")
    position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "external_id"], condition=~models.Q(external_id=""), name="one_pairing_an_external_id"
            )
        ]

    def __str__(self) -> str:
        return " – ".join(self.setup["names"])

    @property
    def waits(self) -> bool:
        """True if it has neither a match nor a result."""
        return self.match_id is None and not self.winner

    @staticmethod
    def waiting(prefix: str = "") -> models.Q:
        """Filter for waiting pairings; `prefix` is the lookup path to them."""
        return models.Q((f"{prefix}match", None), (f"{prefix}winner", ""))

    @staticmethod
    def decided(prefix: str = "") -> models.Q:
        """Filter for pairings with a result, or a match that is over."""
        return models.Q((f"{prefix}match__status", Status.OVER)) | ~models.Q((f"{prefix}winner", ""))


class Place(models.Model):
    """A seat in a draw that the winner or loser of another pairing will take.

    Until then `words` is shown instead of the name. `source` is null if the other pairing was removed from the draw.
    """

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="places")
    seat = models.CharField(max_length=5, choices=SEATS)
    source = models.ForeignKey(Pairing, models.SET_NULL, null=True, blank=True, related_name="leads_to")
    takes = models.CharField(max_length=6, choices=TAKES)
    words = models.CharField(max_length=80)
    filled = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pairing", "seat"], name="one_place_a_seat")]

    def __str__(self) -> str:
        return self.words


class Bye(models.Model):
    """A player without an opponent in a round.

    With a `source`, it goes to the winner or loser of that pairing; until that is decided, `words` is shown instead of
    the name.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    name = models.CharField(max_length=80)
    source = models.ForeignKey(Pairing, models.SET_NULL, null=True, blank=True, related_name="leads_to_bye")
    takes = models.CharField(max_length=6, choices=TAKES, blank=True)
    words = models.CharField(max_length=80, blank=True)
    filled = models.BooleanField(default=True)
    position = models.PositiveSmallIntegerField(null=True, blank=True)  # as in Pairing

    def __str__(self) -> str:
        return self.name


class JournalEntry(models.Model):
    """An event of a match. Only `journal/` writes entries.

    Deleted only with its match; updated only to add a hash or remove names. `at` and `claimed_at` are server time in
    milliseconds; `command` is the command (None on its further events and on the server's); `command_id` is the
    idempotency key. For a press with a claimed delay, `heard_at` is the last contact with the phone before it.
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
    command_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 (a unique field allows many nulls)
    claimed_at = models.BigIntegerField(null=True)
    credit_ms = models.PositiveIntegerField(default=0)
    heard_at = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=310, blank=True, default="")  # name and role at the time
    user_role = models.CharField(max_length=8, blank=True, default="")
    # See `journal/chain.py`. Null in entries written by an older version, until they are chained.
    seals = models.JSONField(null=True)
    hash = models.CharField(max_length=64, null=True)  # noqa: DJ001

    class Meta:
        verbose_name_plural = "journal"
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="one_entry_a_seq"),
            # `command_id` first: phones make ids that begin with the time, so a batch's entries share an index page.
            models.UniqueConstraint(fields=["command_id", "match"], name="one_entry_a_command"),
        ]
        # Most entries are hits. Queries for other events skip them, and writing a hit doesn't touch this index.
        indexes = [
            models.Index(fields=["match", "seq"], condition=~models.Q(event="hit"), name="entries_but_hits"),
            models.Index(fields=["match"], condition=models.Q(hash=None), name="entries_without_a_hash"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seq} {self.event}"


class SignOfLife(models.Model):
    """Last heartbeat of a server process while clocks ran (ms of server time)."""

    process = models.CharField(max_length=64, unique=True)
    at = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "signs of life"

    def __str__(self) -> str:
        return f"{self.process} at {self.at}"
