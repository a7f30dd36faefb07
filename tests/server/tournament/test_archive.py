"""Archiving and deleting tournaments."""

from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from clocks.models import Device, InstallationEntry, Match, Tournament
from clocks.tournament import archive, forgetting, messages, tables
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open, win
from tests.server.house import make_match
from tests.server.tournament.test_next_round import said

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = {"InstallationEntry", "Device"}  # a phone's row has no name and no reference


def test_an_archived_tournament_is_read_only_until_brought_back() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    win(pairing.match)
    owner, director = client_of("owner"), client_of("director")
    assert director.post("/director/open/archive/").status_code == 404
    assert owner.post("/director/open/archive/", follow=True).status_code == 200
    page = said(owner.get("/director/"))
    assert "1 tournament in the archive Summer Open" in page
    for path in ("results/", "results.csv", f"match/{pairing.match.pk}/", "rounds/", "rounds/1/"):
        assert director.get(f"/director/open/{path}").status_code == 200
    for path in ("edit/", "rounds/new/", "rounds/1/draw/", "hall/", f"match/{pairing.match.pk}/reopen/"):
        assert director.get(f"/director/open/{path}").status_code == 404
    owner.post("/director/open/archive/")
    assert director.get("/director/open/edit/").status_code == 200
    events = [entry.event for entry in round_.tournament.hall_entries.order_by("pk")]
    assert events == ["archived", "brought_back"]


def test_the_archive_warns_of_matches_without_a_result() -> None:
    round_ = summer_open()
    first, second, _third = drawn(round_, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    drawn(next_round(round_, policy="on-request"), "1,Gus,Hana")
    win(first.match)
    begin(second.match)
    owner = client_of("owner")
    assert "3 matches have no result yet." in said(owner.get("/director/open/archive/"))
    round_.tournament.rounds.get(number=2).pairings.update(winner="left")
    assert "2 matches have no result yet." in said(owner.get("/director/open/archive/"))


def test_no_clock_starts_in_an_archived_tournament() -> None:
    round_ = summer_open(policy="on-request")
    (pairing,) = drawn(round_, "1,Ann,Bob")
    client_of("owner").post("/director/open/archive/")
    address = f"/t/{pairing.table.code}/ask/{pairing.pk}/"
    asked = {"seat": "left", "score_left": "0", "score_right": "0"}
    for answer in (Client().get(address), Client().post(address, asked)):
        assert (answer.status_code, "This tournament is over" in said(answer)) == (404, True)
    assert (Match.objects.count(), Device.objects.count()) == (0, 0)


def test_a_tournament_with_a_running_clock_cannot_be_archived() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    owner = client_of("owner")
    assert "A clock is running. Stop it first." in said(owner.post("/director/open/archive/", follow=True))
    assert "A clock is running. Stop it first." in said(owner.post("/director/open/delete/", {"name": "Summer Open"}))
    assert Tournament.objects.filter(slug="open", archived_at=None).exists()
    do(pairing.match, "director", do="stop", reason="director")
    assert owner.post("/director/open/delete/", {"name": "summer  open"}).status_code == 302


def test_deleting_asks_for_the_name_and_leaves_one_log_entry() -> None:
    other = make_match()
    before = {model.__name__: model._default_manager.count() for model in apps.get_app_config("clocks").get_models()}
    round_ = summer_open()
    one, _ = drawn(round_, "1,Ann,Bob", "2,Chi,Dov", ",Eva,bye")
    win(one.match)
    drawn(next_round(round_), "1,winner of table 1,winner of table 2")
    owner = client_of("owner")
    messages.send(round_.tournament, User.objects.get(username="owner"), "Welcome.", [], 15)
    tables.replace_code_of_empty(tables.add_table(round_.tournament, "9"), User.objects.get(username="owner"), "Lost")
    assert owner.post("/director/open/delete/", {"name": "Winter Open"}).status_code == 400
    assert owner.post("/director/open/delete/", {"name": "Summer Open"}).status_code == 302
    after = {model.__name__: model._default_manager.count() for model in apps.get_app_config("clocks").get_models()}
    assert {name: count for name, count in after.items() if name not in KEPT} == {
        name: count for name, count in before.items() if name not in KEPT
    }
    entry = InstallationEntry.objects.get()
    assert (entry.event, entry.user_name) == ("tournament_deleted", "owner")
    assert entry.data == {"name": "Summer Open", "slug": "open", "matches": 2}
    assert "owner: deleted Summer Open with 2 matches" in said(client_of("superuser").get("/director/"))
    assert "deleted Summer Open" not in said(owner.get("/director/"))
    printed = StringIO()
    call_command("verify", stdout=printed)
    assert "1 matches" in printed.getvalue()
    do(other, "director", do="confirm")


def test_the_casual_tournament_cannot_be_deleted() -> None:
    make_match()
    client = client_of("superuser", "casual")
    page = said(client.post("/director/casual/delete/", {"name": "Casual matches"}))
    assert "The matches that belong to no tournament can be neither archived nor deleted." in page
    assert Tournament.objects.filter(slug="casual").exists()


def test_forgetting_an_account_covers_the_log_of_deletions() -> None:
    summer_open()
    User.objects.create_superuser("root")
    client_of("superuser").post("/director/open/delete/", {"name": "Summer Open"})
    forgetting.carry_out(forgetting.of_person("superuser"))
    assert InstallationEntry.objects.get().user_name.startswith("former user")


@pytest.mark.parametrize("archived", [True, False])
def test_a_deletion_that_was_cut_short_leaves_an_archived_tournament(
    archived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = summer_open().tournament
    user = User.objects.create(username="olga")
    if archived:
        archive.archive(tournament, user)
        tournament.refresh_from_db()

    def stopped(*_rows: object) -> None:
        raise SystemExit

    monkeypatch.setattr(archive, "delete_in_slices", stopped)
    with pytest.raises(SystemExit):
        archive.delete(tournament, user)
    assert [entry.event for entry in tournament.hall_entries.all()] == ["archived"]
    assert Tournament.objects.get().archived_at is not None
