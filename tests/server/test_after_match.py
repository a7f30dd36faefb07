"""After a match: the rematch of a casual one, and the record for those who played."""

import json
from typing import Any

import pytest
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Propose
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.journal.stored import matches
from clocks.models import Match, Tournament
from clocks.tournament import casual_limit, tables
from tests.server.house import US_2013, make_match

pytestmark = pytest.mark.django_db(transaction=True)


def seated(match: Match, seat: str) -> Client:
    """Return the browser of a phone that has taken a seat."""
    phone = Client()
    phone.post(f"/t/{match.table.code}/seat/", {"seat": seat})
    return phone


def over(match: Match) -> None:
    assert desk.submit_and_wait(desk.Request(match.pk, Propose(EndMatch(Seat.LEFT)), "director")).ok


def in_tournament() -> Match:
    tournament = Tournament.objects.create(slug="open", name="Open")
    return desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013))


def test_a_rematch_has_the_same_settings_from_the_start_and_each_phone_in_its_seat() -> None:
    match = make_match(score=[2, 1], options={"lag_credit_ms": 100})
    ann, bob = seated(match, "left"), seated(match, "right")
    over(match)
    address = f"/t/{match.table.code}"
    assert ann.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"
    new = Match.objects.latest("pk")
    assert new.pk != match.pk and new.table.current_id == new.pk
    assert new.setup == {**match.setup, "score": [0, 0]}
    assert matches([new.pk])[new.pk].devices == matches([match.pk])[match.pk].devices
    assert bob.get(f"{address}/clock/").status_code == 200
    assert bob.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"  # the other was quicker
    assert Match.objects.count() == 2


def test_one_phone_between_the_players_has_both_seats_of_the_next_match_too() -> None:
    match = make_match()
    phone = seated(match, "both")
    over(match)
    phone.post(f"/t/{match.table.code}/rematch/")
    new = Match.objects.latest("pk")
    before, after = (matches([pk])[pk] for pk in (match.pk, new.pk))
    assert (after.devices, after.tenure) == (before.devices, before.tenure)
    assert after.tenure.between is not None


def test_of_two_who_begin_a_rematch_at_the_same_moment_one_does_and_both_are_led_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = make_match()
    ann, bob = seated(match, "left"), seated(match, "right")
    over(match)
    address, refusal = f"/t/{match.table.code}", casual_limit.refusal

    def meanwhile(*asked: Any) -> Any:
        monkeypatch.setattr(casual_limit, "refusal", refusal)
        assert bob.post(f"{address}/rematch/").status_code == 302
        return refusal(*asked)

    monkeypatch.setattr(casual_limit, "refusal", meanwhile)
    assert ann.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"
    assert Match.objects.count() == 2


def test_nobody_else_begins_a_rematch_and_nobody_while_the_match_goes_on() -> None:
    match = make_match()
    ann, address = seated(match, "left"), f"/t/{match.table.code}"
    assert ann.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"
    over(match)
    assert Client().post(f"{address}/rematch/").status_code == 403
    assert ann.get(f"{address}/rematch/")["Location"] == f"{address}/"
    assert Match.objects.count() == 1


def test_in_a_tournament_there_is_no_rematch() -> None:
    match = in_tournament()
    ann = seated(match, "left")
    over(match)
    assert ann.post(f"/t/{match.table.code}/rematch/").status_code == 409
    assert Match.objects.count() == 1
    assert "data-rematch" not in ann.get(f"/t/{match.table.code}/clock/").content.decode()


def test_those_who_played_read_the_record_and_take_it_with_them() -> None:
    match = make_match()
    ann = seated(match, "left")
    over(match)
    address = f"/t/{match.table.code}/record/{match.pk}"
    page = ann.get(f"{address}/").content.decode()
    assert "Ann won" in page
    assert "14:00.0 left, 0 presses" in page or "14:00 left, 0 presses" in page
    assert 'datetime="' in page and "Times are " in page
    lines = [json.loads(line) for line in ann.get(f"{address}.jsonl").content.decode().splitlines()]
    assert lines[0]["setup"]["director"] is False
    assert lines[-1]["what"] == "end"
    file = ann.get(f"{address}.csv")
    name = f"table-{match.table.code.lower()}-ann-bob-match-{match.pk}.csv"
    assert file["Content-Disposition"] == f'attachment; filename="{name}"'
    assert file.content.decode().count("\n") >= 4
    assert f'href="{address}/"' in ann.get(f"/t/{match.table.code}/").content.decode()


@pytest.mark.parametrize("path", ["/", ".csv", ".jsonl"])
def test_nobody_else_finds_a_record(path: str) -> None:
    match, other = make_match(), make_match()
    stranger = seated(other, "left")
    address = f"/t/{match.table.code}/record/{match.pk}{path}"
    assert Client().get(address).status_code == 404
    assert stranger.get(address).status_code == 404
    assert stranger.get(f"/t/{other.table.code}/record/{match.pk}{path}").status_code == 404
    assert stranger.get(f"/t/%00/record/{match.pk}{path}").status_code == 404


def test_the_record_of_the_match_before_stays_with_those_who_played_it() -> None:
    match = make_match()
    ann = seated(match, "left")
    over(match)
    ann.post(f"/t/{match.table.code}/rematch/")
    assert ann.get(f"/t/{match.table.code}/record/{match.pk}/").status_code == 200
