"""Start times, lateness rules and the tournament's time zone."""

import html
import json
import re
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from clocks.host import zone
from clocks.models import JournalEntry, Message, Round, Tournament
from tests.server.hall import begin, client_of, drawn, summer_open
from tests.server.tournament.test_next_round import said

pytestmark = pytest.mark.django_db(transaction=True)

EDIT = "/director/open/edit/"
SENT = {"name": "Summer Open", "time_zone": "Asia/Tokyo"}


def test_a_round_starts_in_ten_minutes_and_everybody_is_told() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    director = client_of("director")
    assert "Start in" in director.get("/director/open/rounds/1/").content.decode()
    assert director.post("/director/open/rounds/1/start/", {"minutes": "10"}).status_code == 302
    starts_at = Round.objects.get().starts_at
    assert starts_at is not None and 590 < (starts_at - timezone.now()).total_seconds() <= 600
    at = timezone.localtime(starts_at).strftime("%H:%M")
    assert [message.text for message in Message.objects.all()] == [f"Round 1 starts at {at}."]


def test_another_number_of_minutes_changes_nothing() -> None:
    drawn(summer_open(), "1,Ann,Bob")
    assert client_of("director").post("/director/open/rounds/1/start/", {"minutes": "x"}).status_code == 302
    assert (Round.objects.get().starts_at, Message.objects.count()) == (None, 0)


def test_a_tournament_has_a_time_zone_and_rules_of_lateness() -> None:
    summer_open()
    director = client_of("director")
    late = {"late_1": "30", "costs_1": "match", "late_2": "15", "costs_2": "1", "late_3": "", "costs_3": ""}
    assert director.post(EDIT, SENT | late).status_code == 302
    tournament = Tournament.objects.get()
    assert (tournament.time_zone, tournament.lateness) == ("Asia/Tokyo", [[15, "1"], [30, "match"]])
    page = director.get(EDIT).content.decode()
    assert '<option value="Asia/Tokyo" selected>' in page and 'value="15"' in page
    for wrong in ({"late_1": "15"}, {"costs_1": "1"}, {"late_1": "0", "costs_1": "1"}, {"time_zone": "Mars/Olympus"}):
        assert director.post(EDIT, SENT | wrong).status_code == 400
    assert Tournament.objects.get().lateness == [[15, "1"], [30, "match"]]


def test_start_times_are_in_the_time_zone_of_the_tournament() -> None:
    round_ = summer_open()
    director = client_of("director")
    director.post(EDIT, SENT)
    sent = {"number": 1, "name": "", "policy": "required", "rules": "us-2013", "format": "singles", "length": 3}
    path = "/director/open/rounds/1/edit/"
    assert director.post(path, sent | {"starts_at": "2026-11-22T10:00"}).status_code == 302
    assert Round.objects.get(pk=round_.pk).starts_at == datetime(2026, 11, 22, 1, 0, tzinfo=UTC)
    assert 'value="2026-11-22T10:00"' in director.get(path).content.decode()
    assert "22 Nov 10:00" in said(director.get("/director/open/rounds/1/"))
    told = re.search(r'data-starts="([^"]*)"', director.get("/director/open/").content.decode())
    assert told and json.loads(html.unescape(told[1])) == {"Round 1": 1_795_309_200_000}
    for wrong in ("at ten", "0001-01-01T00:00", "9999-12-31T23:59"):  # the last two overflow in other zones
        assert director.post(path, sent | {"starts_at": wrong}).status_code == 400
    assert director.post(path, sent | {"starts_at": ""}).status_code == 302
    assert Round.objects.get(pk=round_.pk).starts_at is None


def test_pages_use_the_time_zone_and_files_utc() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    JournalEntry.objects.update(at=1_795_309_200_300)
    director = client_of("director")
    director.post(EDIT, SENT)
    page = said(director.get(f"/director/open/match/{pairing.match.pk}/"))
    assert "10:00:00.3" in page and "Times are JST." in page
    assert "22 Nov 10:00:00" in said(director.get("/director/open/search/"))
    assert 'data-zone="Asia/Tokyo"' in director.get("/hall/open/").content.decode()
    export = director.get(f"/director/open/match/{pairing.match.pk}/export.csv").content.decode()
    assert "2026-11-22T01:00:00.300+00:00" in export


def test_the_default_time_zone_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    summer_open()
    zone.local_zone.cache_clear()
    monkeypatch.setenv("TZ", "Europe/Copenhagen")
    try:
        assert zone.local_zone() == "Europe/Copenhagen"
        director = client_of("director")
        assert 'data-zone="Europe/Copenhagen"' in director.get("/hall/open/").content.decode()
        assert "Same as this computer: Europe/Copenhagen" in said(director.get(EDIT))
    finally:
        zone.local_zone.cache_clear()


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "/etc/passwd"])
def test_an_unknown_time_zone_is_refused(name: str) -> None:
    assert not zone.is_zone(name)
