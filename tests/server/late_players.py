"""Late players, in the worst case: entering by phone, and replacing a no-show."""

from django.urls import reverse

from clocks.models import Pairing, Player, Tournament
from clocks.tournament import entering
from tests.server.large_hall import LargeHall
from tests.server.lock_meter import preparing


def entered_by_phone(hall: LargeHall) -> object:
    """Enter a player by phone."""
    with preparing():
        Tournament.objects.filter(slug="open").update(entry_open=True)
    code = entering.code(Tournament.objects.get(slug="open"))
    answer = hall.owner.post(reverse("enter", kwargs={"slug": "open", "code": code}), {"name": "Zoe"})
    assert answer.status_code == 302, answer.content[:2000]
    return answer


def replaced(hall: LargeHall) -> object:
    """Give a player's places in the large rounds to a new player."""
    pairing = Pairing.objects.get(round__number=6, table__name="T7")
    with preparing():
        player, _made = Player.objects.get_or_create(
            tournament=pairing.round.tournament, name=pairing.setup["names"][0]
        )
    path = reverse("replace-player", kwargs={"slug": "open", "player_id": player.pk})
    answer = hall.owner.post(path, {"name": "Newcomer Late", "note": "late", "new_player": "on"})
    assert answer.status_code == 302, answer.content[2000:6000]
    return answer
