"""Tournaments with their rounds, tables, messages and logs."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext

from clocks.engine.books.published import RULESETS
from clocks.engine.words import Words

CASUAL = "casual"  # slug of the tournament for matches outside any tournament


class Tournament(models.Model):
    """An event with tables. Casual matches belong to the tournament `casual`."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)
    time_zone = models.CharField(max_length=64, blank=True)  # "": the machine's own
    lateness = models.JSONField(default=list, blank=True)  # penalties: [[minutes after the start, penalty], ...]
    archived_at = models.DateTimeField(null=True, blank=True)  # time of archiving; read-only afterwards
    paper_draw = models.BooleanField(default=False)  # players at a free table may enter their own match
    public_feed = models.BooleanField(default=False)  # the feed of hall screen data needs no token
    public = models.BooleanField(default=False)  # everybody may read draw, bracket, standings and results
    entry_open = models.BooleanField(default=False)  # players may enter their own names; the director admits them
    # Prefix of new tables' names, such as “B” for B1, B2, to tell simultaneous events apart.
    table_prefix = models.CharField(max_length=4, blank=True)

    def __str__(self) -> str:
        return self.name


class Wifi(models.Model):
    """Wi-Fi of the hall, for the table cards. The password appears on paper only."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="wifi")
    name = models.CharField(max_length=32)
    password = models.CharField(max_length=63, blank=True)  # empty: open network

    def __str__(self) -> str:
        return self.name


class InstallationEntry(models.Model):
    """Log entry about a deleted tournament, the only trace of it.

    `at` is server time in milliseconds.
    """

    at = models.BigIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    user_name = models.CharField(max_length=310)
    event = models.CharField(max_length=24)
    data = models.JSONField()

    class Meta:
        verbose_name_plural = "installation entries"

    def __str__(self) -> str:
        return f"{self.event} by {self.user_name}"


class Section(models.Model):
    """Rounds of one event of a tournament, such as the main event or its consolation.

    `method` decides how the next round is drawn. The name is "" while the tournament has only one section. New rounds
    take `rules`, `length` and `options`; "" and None mean those of the previous round. Losers of the first
    `losers_rounds` rounds (None: all) of the section `losers_of` enter this one. Winners, or the best of a group,
    advance to `feeds`. The section is over after `rounds_planned` rounds; None: the method decides.
    """

    class Method(models.TextChoices):
        KNOCKOUT = "knockout", Words("Knockout")
        SWISS = "swiss", Words("Swiss")
        CIRCLE = "circle", Words("All play all")

    class Colour(models.TextChoices):
        NONE = "", Words("None")
        BLUE = "blue", Words("Blue")
        GREEN = "green", Words("Green")
        AMBER = "amber", Words("Amber")
        RED = "red", Words("Red")
        VIOLET = "violet", Words("Violet")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sections")
    name = models.CharField(max_length=40, blank=True)
    method = models.CharField(max_length=8, choices=Method.choices)
    tie_breaks = models.JSONField(default=list, blank=True)  # in the director's order; []: the usual ones
    rules = models.CharField(max_length=24, blank=True)
    length = models.PositiveSmallIntegerField(null=True, blank=True)
    options = models.JSONField(default=dict, blank=True)
    colour = models.CharField(max_length=8, blank=True, choices=Colour.choices)
    losers_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="for_losers")
    losers_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    feeds = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="fed_by")
    rounds_planned = models.PositiveSmallIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name or str(self.Method(self.method).label)

    def number_of_rounds(self, players: int) -> int | None:
        """Planned rounds, or as many as all play all needs for these players, or None."""
        if self.rounds_planned is None and self.method == self.Method.CIRCLE:
            return players - 1 + players % 2
        return self.rounds_planned


class Round(models.Model):
    """A round: its clock policy, and the default setting of its matches."""

    class Policy(models.TextChoices):
        REQUIRED = "required", Words("CLOCKS REQUIRED")
        ON_REQUEST = "on-request", Words("CLOCKS ON REQUEST")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True)
    # Null: created before there were sections, or by hand.
    section = models.ForeignKey(Section, models.SET_NULL, null=True, blank=True, related_name="rounds")
    policy = models.CharField(max_length=10, choices=Policy.choices, default=Policy.REQUIRED)
    rules = models.CharField(max_length=24, default="us-2013")
    format = models.CharField(max_length=8, default="singles")
    length = models.PositiveSmallIntegerField(default=7)
    options = models.JSONField(default=dict, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number")]

    def __str__(self) -> str:
        return self.name or gettext("Round %(number)s") % {"number": self.number}

    @property
    def posted(self) -> str:
        """Clock policy as printed on the draw sheet, in the rule book's words (1.1)."""
        if self.policy == self.Policy.ON_REQUEST:
            return RULESETS[self.rules].on_request or self.Policy.ON_REQUEST.label
        return str(self.Policy.REQUIRED.label)

    @property
    def rules_name(self) -> str:
        """Display name of the rule set."""
        return RULESETS[self.rules].name

    @property
    def stage(self) -> str:
        """Name of its section; empty if there is none, or only one."""
        return "" if self.section is None else self.section.name


class Table(models.Model):
    """A table with the code on its card; `current` is the match being played there."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="tables")
    name = models.CharField(max_length=20)
    code = models.CharField(max_length=6, unique=True)
    current = models.OneToOneField("Match", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        # Case-insensitive, because people in a hall do not distinguish Final from final.
        constraints = [models.UniqueConstraint("tournament", Lower("name"), name="one_table_a_name")]

    def __str__(self) -> str:
        return f"Table {self.name}"


class RetiredCode(models.Model):
    """A table's former code. It never works again."""

    code = models.CharField(max_length=6, unique=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="retired_codes")

    def __str__(self) -> str:
        return self.code


class Message(models.Model):
    """A message to the phones of some tables, or of all if no table is set.

    Timestamps are milliseconds of server time.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="phone_messages")
    tables = models.ManyToManyField(Table, blank=True, related_name="+")
    text = models.CharField(max_length=200)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sent_at = models.BigIntegerField()
    until = models.BigIntegerField()  # time after which the message is hidden
    withdrawn_at = models.BigIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return self.text


class HallEntry(models.Model):
    """Log entry about a tournament as a whole or about its people.

    Deleted only with its tournament, and updated only to remove names. `at` is server time in milliseconds; `user` is
    None for a management command or the server; `data` holds the reason and the details of `event`.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="hall_entries")
    at = models.BigIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    event = models.CharField(max_length=24)
    data = models.JSONField()
    user_name = models.CharField(max_length=310, blank=True, default="")  # name and role at the time
    user_role = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        verbose_name_plural = "hall entries"

    def __str__(self) -> str:
        return f"{self.event} by {self.user or 'the server'}"
