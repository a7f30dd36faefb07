"""Who plays in a tournament."""

from django.db import models
from django.db.models.functions import Lower

from clocks.models.tournament import Tournament


class Player(models.Model):
    """A player of a tournament. A name in a draw or a match is a player's by being spelt like the player's.

    Two of them make a doubles team. `external_id` is what the program that brought the player calls him or her.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="players")
    name = models.CharField(max_length=80)
    number = models.CharField(max_length=12, blank=True)
    club = models.CharField(max_length=80, blank=True)
    rating = models.CharField(max_length=12, blank=True)
    withdrawn = models.BooleanField(default=False)  # plays no further round
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
