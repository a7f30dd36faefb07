"""After a match: rematch of a casual match, and access to the record."""

import json
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Propose, parse_command
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal.stored import StoredMatch, matches
from clocks.journal.tenure import IN_FULL
from clocks.models import JournalEntry, Match, Tournament
from clocks.seats import presence
from clocks.tournament import casual_limit, forgetting, tables
from tests.server.house import US_2013, make_match

pytestmark = pytest.mark.django_db(transaction=True)


def seated(match: Match, seat: str) -> Client:
    """Client of a phone with one seat, or both."""
    phone = Client()
    phone.post(f"/t/{match.table.code}/seat/", {"seat": seat})
    return phone


def over(match: Match) -> None:
    assert desk.submit_and_wait(desk.Request(match.pk, Propose(EndMatch(Seat.LEFT)), "director")).ok


def in_tournament() -> Match:
    tournament = Tournament.objects.create(slug="open", name="Open")
    return desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013))


def test_a_rematch_keeps_settings_and_seats() -> None:
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
    assert bob.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"  # Ann has already started it
    assert Match.objects.count() == 2


def test_a_shared_phone_keeps_both_seats_in_the_rematch() -> None:
    match = make_match()
    phone = seated(match, "both")
    over(match)
    phone.post(f"/t/{match.table.code}/rematch/")
    new = Match.objects.latest("pk")
    before, after = (matches([pk])[pk] for pk in (match.pk, new.pk))
    assert (after.devices, after.tenure) == (before.devices, before.tenure)
    assert after.tenure.between is not None


def test_two_simultaneous_rematches_become_one(
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


def test_only_the_players_of_a_finished_match_start_a_rematch() -> None:
    match = make_match()
    ann, address = seated(match, "left"), f"/t/{match.table.code}"
    assert ann.post(f"{address}/rematch/")["Location"] == f"{address}/clock/"
    over(match)
    assert Client().post(f"{address}/rematch/").status_code == 403
    assert ann.get(f"{address}/rematch/")["Location"] == f"{address}/"
    assert Match.objects.count() == 1


def test_a_tournament_has_no_rematch() -> None:
    match = in_tournament()
    ann = seated(match, "left")
    over(match)
    assert ann.post(f"/t/{match.table.code}/rematch/").status_code == 409
    assert Match.objects.count() == 1
    assert "data-rematch" not in ann.get(f"/t/{match.table.code}/clock/").content.decode()


def test_players_read_and_download_their_record() -> None:
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


def kept_by(phone: Client, match: Match) -> Any:
    """Data that the record's page gives the phone to store, or None."""
    page = phone.get(f"/t/{match.table.code}/record/{match.pk}/").content.decode()
    found = re.search(r'<script id="own-pace" type="application/json">(.*?)</script>', page)
    return found and json.loads(found[1])


def play_some(match: Match) -> None:
    """Play two of Bob's turns and one of Ann's, 4 s each."""
    at = now_ms()
    for number, (by, what) in enumerate(
        [("director", "confirm"), ("left", "hit"), ("right", "hit"), ("left", "hit"), ("right", "hit")]
    ):
        request = desk.Request(match.pk, parse_command({"do": what}), by, at=at + 4_000 * number)
        assert desk.submit_and_wait(request).ok


def test_a_players_phone_gets_figures_to_keep_without_names() -> None:
    match = make_match()
    bob = seated(match, "right")
    play_some(match)
    kept = kept_by(bob, match)
    assert (kept["over"], kept["forgotten"], kept["turns"]["all"]) == (False, False, [2, 8_000])
    over(match)
    assert kept_by(bob, match)["over"] is True
    assert "Ann" not in json.dumps(kept) and "Bob" not in json.dumps(kept)


def test_a_shared_phone_compares_its_players_and_keeps_nothing() -> None:
    match = make_match()
    phone = seated(match, "both")
    play_some(match)
    page = phone.get(f"/t/{match.table.code}/record/{match.pk}/").content.decode()
    assert "Time for a turn" in page
    assert kept_by(phone, match) is None


def test_removed_names_are_forgotten_on_the_phone_too() -> None:
    match = make_match()
    bob = seated(match, "right")
    play_some(match)
    over(match)
    forgetting.carry_out(forgetting.of_person("Ann"))
    assert kept_by(bob, match)["forgotten"] is True


@pytest.mark.parametrize("path", ["/", ".csv", ".jsonl"])
def test_nobody_else_finds_a_record(path: str) -> None:
    match, other = make_match(), make_match()
    stranger = seated(other, "left")
    address = f"/t/{match.table.code}/record/{match.pk}{path}"
    assert Client().get(address).status_code == 404
    assert stranger.get(address).status_code == 404
    assert stranger.get(f"/t/{other.table.code}/record/{match.pk}{path}").status_code == 404
    assert stranger.get(f"/t/%00/record/{match.pk}{path}").status_code == 404


def test_players_keep_access_to_an_earlier_record() -> None:
    match = make_match()
    ann = seated(match, "left")
    over(match)
    ann.post(f"/t/{match.table.code}/rematch/")
    assert ann.get(f"/t/{match.table.code}/record/{match.pk}/").status_code == 200


def borrowed_after_the_end() -> tuple[Match, Client, Client]:
    """Finished match, Ann's phone (which has borrowed Bob's seat), and Bob's phone."""
    match = make_match()
    ann, bob = seated(match, "left"), seated(match, "right")
    over(match)
    presence._seen[match.pk][Seat.RIGHT.index] = now_ms() - presence.silent_ms(False)
    assert ann.post(f"/t/{match.table.code}/seat/", {"seat": "both"}).status_code == 302
    assert set(matches([match.pk])[match.pk].devices) == {matches([match.pk])[match.pk].devices[0]}
    return match, ann, bob


def seats_of_the_next(match: Match) -> tuple[StoredMatch, StoredMatch]:
    new = Match.objects.latest("pk")
    assert new.pk != match.pk
    call_command("verify")
    before, after = (matches([pk])[pk] for pk in (match.pk, new.pk))
    return before, after


def test_a_seat_borrowed_after_the_end_is_not_owned_in_the_rematch() -> None:
    match, ann, bob = borrowed_after_the_end()
    assert ann.post(f"/t/{match.table.code}/rematch/")["Location"] == f"/t/{match.table.code}/clock/"
    before, after = seats_of_the_next(match)
    assert (after.devices, after.tenure) == ((before.devices[0], before.tenure.owners[1]), IN_FULL)
    assert bob.get(f"/t/{match.table.code}/clock/").status_code == 200
    events = JournalEntry.objects.filter(match=after.id).order_by("seq").values_list("event", "by", "device")
    assert list(events) == [
        ("setup", "server", None),
        ("seat_taken", "server", after.devices[0]),
        ("seat_taken", "server", after.devices[1]),
    ]


def test_a_seat_taken_before_confirmation_is_not_owned_either() -> None:
    match, ann, _ = borrowed_after_the_end()
    ann.post(f"/t/{match.table.code}/rematch/")
    _, new = seats_of_the_next(match)
    presence._seen[new.id][Seat.RIGHT.index] = now_ms() - presence.silent_ms(False)
    assert ann.post(f"/t/{match.table.code}/seat/", {"seat": "both"}).status_code == 302
    _, taken = seats_of_the_next(match)
    assert (taken.devices, taken.tenure.owners) == ((new.devices[0],) * 2, (None, new.devices[1]))
    asked = [desk.Request(new.id, Confirm(), seat, device_id=new.devices[0]) for seat in Seat]
    assert [desk.submit_and_wait(each).ok for each in asked] == [True, False]


def test_only_the_owner_of_a_seat_starts_a_rematch() -> None:
    match = make_match()
    seated(match, "left")
    bob = seated(match, "right")
    over(match)
    presence._seen[match.pk][Seat.RIGHT.index] = now_ms() - presence.silent_ms(False)
    carl = seated(match, "right")
    assert carl.post(f"/t/{match.table.code}/rematch/").status_code == 403
    assert bob.post(f"/t/{match.table.code}/rematch/").status_code == 302
    before, after = seats_of_the_next(match)
    assert after.devices == before.tenure.rightful(before.devices)


def test_the_next_match_of_a_tournament_keeps_no_seats() -> None:
    match = in_tournament()
    seated(match, "both")
    over(match)
    new = desk.make_match(match.table, Setup.parse(US_2013))
    assert matches([new.pk])[new.pk].devices == (None, None)
