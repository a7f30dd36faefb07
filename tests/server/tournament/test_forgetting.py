"""Removing names, on request or after some time; journals stay valid."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from clocks import desk
from clocks.engine.commands import AnswerCall, Call, Confirm, Hit
from clocks.engine.setup import Setup
from clocks.interchange import exports
from clocks.journal import entries
from clocks.journal.tournament_events import StoppedAll
from clocks.models import ApiAnswer, JournalEntry, Match, Membership, Message, Pairing, Round, Tournament
from clocks.people import api_tokens, members
from clocks.record import tournament_record
from clocks.tournament import forgetting, hall, messages, player_list, tables
from tests.server.house import US_2013, make_match

pytestmark = pytest.mark.django_db(transaction=True)

NOTE = "Zacharias shook the dice twice"
SECRETS = ["Zacharias", "Yolanda"]


@pytest.fixture
def olga() -> User:
    return User.objects.create_user("olga", password="seven green doors")


@pytest.fixture
def tournament(olga: User) -> Tournament:
    return members.make_tournament("open", "Summer Open", olga)


@pytest.fixture
def match(tournament: Tournament, olga: User) -> Match:
    """A stopped match, with names and notes in every kind of row."""
    setup = Setup.parse(US_2013 | {"names": ["Zacharias Zed", "Yolanda"]})
    made = desk.make_match(tables.add_table(tournament, "1"), setup)
    round_ = Round.objects.create(tournament=tournament, number=1)
    Pairing.objects.create(round=round_, table=made.table, setup=setup.to_dict(), match=made)
    Match.objects.filter(pk=made.pk).update(round=round_)
    Pairing.objects.create(round=round_, table=tables.add_table(tournament, "2"), setup=setup.to_dict())
    assert desk.submit_and_wait(desk.Request(made.pk, Confirm(), "director")).ok
    assert desk.submit_and_wait(desk.Request(made.pk, Hit(), "left")).ok
    hall.stop_all(tournament, olga, "Yolanda is ill")
    assert desk.submit_and_wait(desk.Request(made.pk, Call(NOTE), "right")).ok
    messages.send(tournament, olga, "Zacharias, please come.", [], 15)
    return Match.objects.get(pk=made.pk)


def everything() -> str:
    """All stored rows, as text."""
    models = [*apps.get_app_config("clocks").get_models(), User, LogEntry]
    return "\n".join(str(row) for model in models for row in model._default_manager.values_list())


def named(text: str) -> list[str]:
    return [name for name in SECRETS if name in text]


def verified() -> str:
    printed = StringIO()
    call_command("verify", stdout=printed)
    return printed.getvalue()


def forget(*arguments: str) -> str:
    printed = StringIO()
    call_command("forget", *arguments, stdout=printed)
    return printed.getvalue()


# --- a tournament --------------------------------------------------------------------------------------------------


def test_removing_names_keeps_the_journals_valid(match: Match) -> None:
    before = entries.refold(match.pk)[1]
    assert named(everything()) == SECRETS
    assert forget("--tournament", "open", "--yes").endswith("1 journals say that their names were removed.\n")
    assert named(everything()) == []
    assert verified().endswith("all as their journals say; names and notes were removed from 1 of them\n")
    after = entries.refold(match.pk)[1]
    assert after.setup.names == ("Player 1", "Player 2")
    same = ("status", "clock", "score", "cube", "turn_number", "hits", "confirmed", "called", "crawford")
    assert {name: getattr(after, name) for name in same} == {name: getattr(before, name) for name in same}
    last = JournalEntry.objects.filter(match=match).order_by("-seq")[0]
    assert (last.event, last.by, last.data["names"]) == ("names_removed", "server", ["Player 1", "Player 2"])
    assert "Names and notes were removed from this record; everything else is as it was" in "".join(
        exports.match_csv(match.pk)
    )


def test_removing_names_by_command_is_logged(match: Match) -> None:
    forget("--tournament", "open", "--yes")
    newest = next(tournament_record.lines(match.table.tournament))
    assert (newest.who, newest.what) == ("The server", "Removed all names and notes")


def test_a_dry_run_comes_first_and_changes_nothing(match: Match) -> None:
    before = everything()
    said = forget("--tournament", "open")
    assert "Zacharias Zed – Yolanda" in said
    assert said.endswith("Nothing has been changed. To forget this for good, add --yes.\n")
    assert everything() == before


def test_later_notes_are_removed_the_next_time(match: Match, olga: User) -> None:
    assert forget("--tournament", "open", "--yes").endswith("1 journals say that their names were removed.\n")
    assert desk.submit_and_wait(desk.Request(match.pk, AnswerCall("Yolanda"), "director", user_id=olga.pk)).ok
    assert named(everything()) == ["Yolanda"]
    assert forget("--tournament", "open", "--yes").endswith("1 journals say that their names were removed.\n")
    assert named(everything()) == []
    assert forget("--tournament", "open", "--yes").endswith("0 journals say that their names were removed.\n")
    assert verified().endswith("all as their journals say; names and notes were removed from 1 of them\n")


def test_a_match_goes_on_with_its_new_names_everywhere(match: Match, olga: User) -> None:
    forgetting.carry_out(forgetting.of_tournament(match.table.tournament), olga)
    desk.forget()
    assert desk.submit_and_wait(desk.Request(match.pk, AnswerCall(), "director")).ok
    assert verified().endswith("removed from 1 of them\n")
    lines = "".join(f"{json.dumps(line)}\n" for line in entries.replay_lines(match.pk))
    assert (named(lines), "remove-names" in lines) == ([], False)


def test_names_are_not_removed_while_a_clock_runs(match: Match, olga: User) -> None:
    hall.resume_all(match.table.tournament, olga)
    running = desk.make_match(tables.add_table(match.table.tournament, "9"), Setup.parse(US_2013))
    for by, command in [("director", Confirm()), ("left", Hit())]:
        assert desk.submit_and_wait(desk.Request(running.pk, command, by)).ok
    before = everything()
    with pytest.raises(CommandError, match="A clock is running"):
        forget("--tournament", "open", "--yes")
    assert everything() == before


def test_an_unknown_tournament_is_answered_with_the_known_ones(tournament: Tournament) -> None:
    with pytest.raises(CommandError, match=r"There is no tournament 'closed'\. Known: open\."):
        forget("--tournament", "closed")


# --- the page ------------------------------------------------------------------------------------------------------


def test_an_owner_removes_names_by_typing_the_tournament(match: Match, olga: User) -> None:
    client = Client()
    client.force_login(olga)
    assert 'href="/director/open/forget/"' in client.get("/director/open/rounds/").content.decode()
    for wrong in ("", "Winter Open"):
        assert client.post("/director/open/forget/", {"name": wrong}).status_code == 400
    assert named(everything()) == SECRETS
    answer = client.post("/director/open/forget/", {"name": "summer open "})
    assert (answer.status_code, answer["Location"]) == (302, "/director/open/rounds/")
    assert named(everything()) == []
    last = JournalEntry.objects.filter(match=match).order_by("-seq")[0]
    assert (last.event, last.by, last.user_id) == ("names_removed", "director", olga.pk)
    log = match.table.tournament.hall_entries.order_by("pk").values_list("event", "user")
    assert list(log)[-1] == ("names_removed", olga.pk)
    for page in ("rounds/", "results/", f"match/{match.pk}/", "journals.csv", "tables/"):
        assert named(b"".join(client.get(f"/director/open/{page}")).decode()) == []


# --- a person ------------------------------------------------------------------------------------------------------


def test_only_the_given_person_is_forgotten(match: Match) -> None:
    casual = make_match(names=["Bob / yolanda", "Carl"])
    other = make_match(names=["Yolandas Bruder", "Carl"])
    said = forget("--person", "  YOLANDA ", "--yes")
    assert "2 matches with their notes, 2 lines of draws" in said
    names = {found.pk: tuple(found.setup["names"]) for found in Match.objects.all()}
    assert names == {
        match.pk: ("Zacharias Zed", "Player 2"),
        casual.pk: ("Player 1", "Carl"),
        other.pk: ("Yolandas Bruder", "Carl"),
    }
    assert "Yolanda is ill" not in everything()
    assert verified().endswith("names and notes were removed from 2 of them\n")
    assert forget("--person", "Zacharias Zed", "--yes").endswith("1 journals say that their names were removed.\n")
    assert "Zed" not in everything()
    assert verified().endswith("names and notes were removed from 2 of them\n")


def test_a_person_is_forgotten_in_notes_of_other_matches(match: Match) -> None:
    other = desk.make_match(
        tables.add_table(match.table.tournament, "7"), Setup.parse(US_2013 | {"names": ["Eva", "Fritz"]})
    )
    for by, command in [("director", Confirm()), ("left", Hit()), ("right", Call("Zacharias  zed talks to Eva"))]:
        assert desk.submit_and_wait(desk.Request(other.pk, command, by)).ok
    assert forget("--person", "Zacharias Zed", "--yes").endswith("2 journals say that their names were removed.\n")
    assert "talks to Eva" not in everything()
    assert Match.objects.get(pk=other.pk).setup["names"] == ["Eva", "Fritz"]
    assert verified().endswith("names and notes were removed from 2 of them\n")


def test_a_person_who_is_only_mentioned_is_forgotten(match: Match, olga: User) -> None:
    messages.send(match.table.tournament, olga, "Zoe Zimmer has lost her keys.", [], 15)
    forgotten = forget("--person", "zoe zimmer", "--yes")
    assert forgotten.endswith("Forgotten. 0 journals say that their names were removed.\n")
    assert "Zimmer" not in everything()
    assert forget("--person", "Zoe Zimmer") == "There is nothing to forget.\n"


def test_two_players_never_get_the_same_name() -> None:
    made = make_match(names=["Ann", "Player 1"])
    forget("--person", "Ann", "--yes")
    assert Match.objects.get(pk=made.pk).setup["names"] == ["Former player", "Player 1"]
    assert verified().endswith("removed from 1 of them\n")


def test_a_forgotten_account_is_anonymous_and_closed(match: Match, olga: User) -> None:
    with pytest.raises(CommandError, match="Olga is the only owner"):
        forget("--person", "Olga", "--yes")
    path = members.invite(match.table.tournament, olga, "owner", timedelta(hours=1))
    members.accept(path.split("/")[3], User.objects.create_user("otto"))
    olga.first_name, olga.last_name = "Ольга", "Петрова"
    olga.save()
    forgetting.tournament_log.write(match.table.tournament, olga, StoppedAll(""))
    assert desk.submit_and_wait(desk.Request(match.pk, AnswerCall(), "director", user_id=olga.pk)).ok
    assert "Петрова" in str(list(JournalEntry.objects.values_list("user_name", flat=True)))
    assert "The account olga loses its name" in forget("--person", "Ольга Петрова", "--yes")
    assert "Петрова" not in everything()
    assert "olga" not in everything().replace("Olga", "olga")
    olga.refresh_from_db()
    assert (olga.username, olga.is_active, olga.has_usable_password()) == (f"former user {olga.pk}", False, False)


def test_former_names_of_an_account_are_forgotten(match: Match, olga: User) -> None:
    otto = User.objects.create_user("otto", first_name="Ottokar")
    path = members.invite(match.table.tournament, olga, "director", timedelta(hours=1))
    members.accept(path.split("/")[3], otto)
    members.change_role(match.table.tournament, otto.pk, "helper", olga)
    otto.first_name = "Otmar"
    otto.save()
    LogEntry.objects.log_actions(
        olga.pk, Membership.objects.filter(user=otto), CHANGE, [{"changed": {"object": "otto"}}]
    )
    assert "Ottokar" in everything()
    forget("--person", "Otmar", "--yes")
    assert "otto" not in everything().casefold()
    assert [name for name in ("Ottokar", "Otmar") if name in everything()] == []


# --- expiry --------------------------------------------------------------------------------------------------------


def days_later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    later = timezone.now() + timedelta(days=days)
    monkeypatch.setattr(forgetting.timezone, "now", lambda: later)


def answer_to_a_program(tournament: Tournament) -> ApiAnswer:
    """Store an API response under an idempotency key; it is kept for a day."""
    api_tokens.make(tournament, User.objects.get(username="olga"), "Draws", "director", None)
    return ApiAnswer.objects.create(token=tournament.api_tokens.get(), key="17", asked="", status=200, body="{}")


def test_names_are_kept_unless_keep_days_is_set(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    days_later(monkeypatch, 10_000)
    assert settings.KEEP_DAYS == 0
    assert forgetting.forget_expired() == 0
    with pytest.raises(CommandError, match="KEEP_DAYS is not set"):
        forget("--expired")
    assert named(everything()) == SECRETS


def test_names_expire_after_keep_days_without_an_event(match: Match, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.KEEP_DAYS = 30
    make_match(names=["Yolanda", "Bob"])
    days_later(monkeypatch, 29.9)
    assert forgetting.forget_expired() == 0
    days_later(monkeypatch, 30.1)
    assert "2 matches with their notes" in forget("--expired")
    assert forgetting.forget_expired() == 2
    assert named(everything()) == []
    answered = answer_to_a_program(match.table.tournament)
    assert (forgetting.forget_expired(), ApiAnswer.objects.get()) == (0, answered)
    assert verified().endswith("removed from 2 of them\n")


def test_names_of_a_tournament_without_play_expire_too(
    tournament: Tournament, olga: User, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KEEP_DAYS = 30
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=100))
    tournament.hall_entries.update(at=0)
    player_list.store(tournament, [player_list.Listed("Yolanda")], olga)
    assert forgetting.expired() == forgetting.Plan()
    days_later(monkeypatch, 30.1)
    assert "1 tournaments" in forget("--expired")
    forgetting.forget_expired()
    assert named(everything()) == []
    days_later(monkeypatch, 90.3)
    assert forgetting.expired() == forgetting.Plan()


def test_a_recent_match_keeps_the_names_of_its_tournament(
    match: Match, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KEEP_DAYS = 30
    JournalEntry.objects.update(at=0)
    match.table.tournament.hall_entries.update(at=0)
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=100))
    fresh = desk.make_match(tables.add_table(match.table.tournament, "9"), Setup.parse(US_2013))
    assert forgetting.expired() == forgetting.Plan()
    JournalEntry.objects.filter(match=fresh).update(at=0)
    assert sorted(forgetting.expired().matches) == [match.pk, fresh.pk]


def test_a_page_forgets_one_person_in_one_tournament(tournament: Tournament, match: Match, olga: User) -> None:
    elsewhere = members.make_tournament("side", "Side", olga)
    other = desk.make_match(
        tables.add_table(elsewhere, "1"), Setup.parse(US_2013 | {"names": ["Zacharias Zed", "Yolanda"]})
    )
    messages.send(elsewhere, olga, "Zacharias Zed, please come.", [], 15)
    messages.send(tournament, olga, "Zacharias Zed, your lunch is here.", [], 15)
    player_list.store(tournament, [player_list.Listed(name) for name in ("Zacharias Zed", "Yolanda")], olga)
    answer_to_a_program(tournament)
    kept = answer_to_a_program(elsewhere)
    client, path = Client(), "/director/open/forget/person/"
    client.force_login(olga)
    assert b"Nobody of this name is known" in client.post(path, {"person": "Xaver"}).content
    shown = client.post(path, {"person": "zacharias  zed"}).content.decode()
    assert "1 match" in shown and "2 lines of draws" in shown
    assert Match.objects.get(pk=match.pk).setup["names"] == ["Zacharias Zed", "Yolanda"]
    assert client.post(path, {"person": "Zacharias Zed", "forget": "yes"}).status_code == 302
    assert Match.objects.get(pk=match.pk).setup["names"] == ["Player 1", "Yolanda"]
    assert {tuple(each.setup["names"]) for each in Pairing.objects.all()} == {("Player 1", "Yolanda")}
    texts = set(Message.objects.filter(tournament=tournament).values_list("text", flat=True))
    assert texts == {"Zacharias, please come.", "…, your lunch is here."}
    assert Match.objects.get(pk=other.pk).setup["names"] == ["Zacharias Zed", "Yolanda"]
    assert Message.objects.get(tournament=elsewhere).text == "Zacharias Zed, please come."
    assert list(ApiAnswer.objects.all()) == [kept]
    assert [player.name for player in tournament.players.all()] == ["Yolanda"]
