"""Lookup of players by their current, former and shortened names."""

import pytest
from django.contrib.auth.models import User

from clocks.models import Player
from clocks.tournament import players
from clocks.tournament.players import Players
from tests.server.hall import drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


def renamed(name: str, new: str) -> None:
    """Rename a player as a director does."""
    user, _made = User.objects.get_or_create(username="dora")
    players.rename(Player.objects.get(name=name), new, user, "misspelt")


def test_a_former_name_leads_to_the_current_one() -> None:
    round_ = summer_open()
    drawn(round_, "1,An,Bob")
    for name, new in (("An", "Ann"), ("Ann", "Anna"), ("Bob", "Bo")):
        renamed(name, new)
    Player.objects.filter(name="Bo").delete()
    assert Players(round_.tournament).written == {"an": "Anna", "ann": "Anna", "anna": "Anna"}
