"""Phones, matches and their journals, and the draws that become matches."""

from django.conf import settings
from django.db import models

from clocks.engine.clock import Seat
from clocks.models.tournament import Round, Table

SEATS = [("left", "left"), ("right", "right")]
TAKES = [("winner", "winner"), ("loser", "loser")]


class Device(models.Model):
    """A phone that joined. Its cookie holds a token; only the token's hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    old_token_hash = models.CharField(max_length=64, blank=True, db_index=True)  # until the phone shows the new one
    created_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.BigIntegerField(default=0)  # while another phone had its seat on loan (`seats/absence.py`)

    def __str__(self) -> str:
        return f"device {self.pk}"


class Match(models.Model):
    """A match and the projection of its journal: the fold of the journal up to `version`.

    `by_players` are the seats whose names were nobody's in the list, where the players entered the match themselves.
    """

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
    by_players = models.JSONField(null=True, blank=True)  # null: somebody else made it
    late = models.JSONField(null=True, blank=True)  # the late press to be shown (`journal/late_presses.py`)
    struck_out = models.BooleanField(default=False)  # taken back by a director though phones had joined it

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
    Played without a clock it has no match: `winner` and `score` are then what the director entered. `external_id` is
    what the program that brought the draw calls the line.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="pairings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="pairings")
    setup = models.JSONField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    winner = models.CharField(max_length=5, choices=SEATS, blank=True)
    score = models.JSONField(null=True, blank=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    entered_at = models.DateTimeField(null=True, blank=True)
    external_id = models.CharField(max_length=64, blank=True, default="")  # what the program that drew it calls it

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "external_id"], condition=~models.Q(external_id=""), name="one_pairing_an_external_id"
            )
        ]

    def __str__(self) -> str:
        return " – ".join(self.setup["names"])


class Place(models.Model):
    """A seat in a line of a draw that whoever wins or loses another match takes, once that is decided.

    Until then `words` take the place of the name. `source` is null where the other line was taken back.
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
    """A player who has no opponent in a round; with a `source`, whoever wins or loses that match.

    Until that is decided `words` take the place of the name.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    name = models.CharField(max_length=80)
    source = models.ForeignKey(Pairing, models.SET_NULL, null=True, blank=True, related_name="leads_to_bye")
    takes = models.CharField(max_length=6, choices=TAKES, blank=True)
    words = models.CharField(max_length=80, blank=True)
    filled = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.name


class JournalEntry(models.Model):
    """One event of a match. Only `journal/entries.py` writes it; never deleted, and updated only to forget names.

    `at` and `claimed_at` are server time in milliseconds; `command` is what was asked (None on further events of the
    same command and on events that nobody asked for); `command_id` makes a resend harmless. `heard_at` is when the
    phone was last heard before a press that it says was delayed.
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
    # See `journal/chain.py`. Null in what a process of an earlier version wrote, until it is chained.
    seals = models.JSONField(null=True)
    hash = models.CharField(max_length=64, null=True)  # noqa: DJ001

    class Meta:
        verbose_name_plural = "journal"
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="one_entry_a_seq"),
            # The id first: phones make ids that begin with the time, so that the entries of a batch share a page.
            models.UniqueConstraint(fields=["command_id", "match"], name="one_entry_a_command"),
        ]
        # Most entries are hits. Whoever looks for something else does not read them, and a hit is not written there.
        indexes = [
            models.Index(fields=["match", "seq"], condition=~models.Q(event="hit"), name="entries_but_hits"),
            models.Index(fields=["match"], condition=models.Q(hash=None), name="entries_without_a_hash"),
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
