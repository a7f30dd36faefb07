"""Draws of many matches or groups at once, as entries for `writers.py`."""

import re

from django.http import HttpResponse
from django.urls import reverse

from clocks.models import Pairing, Round, Section
from tests.server.large_hall import MANY, LargeHall
from tests.server.lock_meter import preparing


def advanced(hall: LargeHall) -> HttpResponse:
    """Preview and draw the next round after 1,000 decided matches."""
    with preparing():
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


def drawn_in_groups(hall: LargeHall) -> HttpResponse:
    """Preview and store the first rounds of 16 groups."""
    way = {"method": "groups", "order": "random", "byes": "best", "length": "7", "rules": "us-2013", "into": "8"}
    address = reverse("first-round", kwargs={"slug": "open"})
    shown = hall.owner.post(address, {**way, "groups": "16"}).content.decode()
    pairs = re.search(r'name="pairs" value="([^"]+)"', shown)
    assert pairs, shown[:3000]
    done: HttpResponse = hall.owner.post(address, {**way, "groups": "16", "pairs": pairs[1], "store": "yes"})
    assert Round.objects.filter(number__gte=8).exclude(pairings=None).distinct().count() == 16
    return done


EVENTS = {"advance": advanced, "first-round in groups": drawn_in_groups}  # by URL name, like `writers.FORMS`
