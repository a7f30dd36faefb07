"""Players of a tournament."""

from django.db import models
from django.db.models.functions import Lower

from clocks.models.tournament import Tournament


class Player(models.Model):
    """A player, or one of a doubles team; draws and matches refer to players by name.

    `external_id` is the player's id in the program that sent the list.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="players")
    name = models.CharField(max_length=80)
    number = models.CharField(max_length=12, blank=True)
    club = models.CharField(max_length=80, blank=True)
    country = models.CharField(max_length=40, blank=True)
    rating = models.CharField(max_length=12, blank=True)
    withdrawn = models.BooleanField(default=False)  # does not play any further rounds
    external_id = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", Lower("name"), name="one_player_a_name"),
            models.UniqueConstraint(
                fields=["tournament", "external_id"],
                condition=~models.Q(external_id=""),
                name="one_player_an_external_id",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """A player who has entered by phone and waits for the director.

    No public page shows the name.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    name = models.CharField(max_length=80)
    club = models.CharField(max_length=80, blank=True)
    country = models.CharField(max_length=40, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
