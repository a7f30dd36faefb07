"""Drawing of the next round after 1,000 matches, as a writer."""

import re

from django.http import HttpResponse
from django.urls import reverse

from clocks.models import Pairing, Round, Section
from tests.server.large_hall import MANY, LargeHall


def advanced(hall: LargeHall) -> HttpResponse:
    """Preview and drawing of the round after 1,000 decided matches."""
    Pairing.objects.filter(round__number=6).update(winner="left")
    Section.objects.filter(pk=hall.of["section_id"]).update(method="knockout")
    Round.objects.update(section=hall.of["section_id"])
    address = reverse("advance", kwargs={"slug": "open"})
    shown = hall.owner.get(address).content.decode()
    stamp = re.search(r'name="stamp" value="([^"]+)"', shown)
    assert stamp, shown[:3000]
    done: HttpResponse = hall.owner.post(address, {"stamp": stamp[1], "events": [hall.of["section_id"]]})
    assert Pairing.objects.filter(round__number__gt=6).count() >= MANY // 2
    return done
