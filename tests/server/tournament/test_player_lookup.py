"""Looking up players by their current, former and abbreviated names."""

import pytest
from django.contrib.auth.models import User

from clocks.models import Bye, Player
from clocks.tournament import players
from clocks.tournament.players import Players
from tests.server.hall import drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


def renamed(name: str, new: str) -> None:
    """Rename a player, like a director."""
    user, _made = User.objects.get_or_create(username="dora")
    players.rename(Player.objects.get(name=name), new, user, "misspelt")


def test_a_former_name_leads_to_the_current_one() -> None:
    round_ = summer_open()
    drawn(round_, "1,An,Bob")
    for name in ("An", "Eva"):
        Bye.objects.create(round=round_, name=name)
    for name, new in (("An", "Ann"), ("Ann", "Anna"), ("Bob", "Bo")):
        renamed(name, new)
    Player.objects.filter(name="Bo").delete()
    assert Players(round_.tournament).written == {"an": "Anna", "ann": "Anna", "anna": "Anna"}
    assert [bye.name for bye in round_.byes.order_by("pk")] == ["Anna", "Eva"]


def test_a_name_is_suggested_from_three_quarters_alike() -> None:
    round_ = summer_open()
    Player.objects.bulk_create([Player(tournament=round_.tournament, name=name) for name in ("Abcd", "Abxy")])
    assert Players(round_.tournament).alike("Abce") == [(0.75, "Abcd")]
    assert Players(round_.tournament).alike("A") == []
    Player.objects.create(tournament=round_.tournament, name="Xyzvw")
    assert Players(round_.tournament).alike("Xyz") == [(0.75, "Xyzvw")]


@pytest.mark.parametrize(
    ("name", "format_", "members"),
    [
        ("Ann & Bob", "doubles", ["Ann", "Bob"]),
        ("Ann & Bob", "singles", ["Ann & Bob"]),
        ("/ Bob", "doubles", ["/ Bob"]),
        ("Ann /", "doubles", ["Ann /"]),
        ("Ann / Bob / Chi", "doubles", ["Ann / Bob / Chi"]),
    ],
)
def test_a_team_has_two_members(name: str, format_: str, members: list[str]) -> None:
    assert players.team(name, format_) == members
