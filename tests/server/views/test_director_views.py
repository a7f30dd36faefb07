"""The director's pages: permissions, new matches, records and exports."""

import csv
import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine import replay
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.models import JournalEntry, Match, Membership, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

NEW = {"table": "5", "left": "Eva", "right": "Finn", "length": "9", "rules": "us-2007", "format": "singles"}
PATHS = ["", "new/", "match/{match}/", "match/{match}/export.csv", "match/{match}/export.jsonl"]


@pytest.fixture
def match() -> Match:
    desk.forget()
    tournament = Tournament.objects.create(slug="open", name="Summer Open")
    Tournament.objects.create(slug="other", name="Other")
    table = Table.objects.create(tournament=tournament, name="12", code="7K3M9Q")
    return desk.make_match(table, Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "=Bob"]}))


def client_of(role: str) -> Client:
    """Client signed in with a role or as another user; a `stranger` is not signed in."""
    client = Client()
    if role == "stranger":
        return client
    user = User.objects.create_user(role.replace(" ", "-"), is_superuser=role == "superuser")
    if role == "director of another tournament":
        Membership.objects.create(tournament=Tournament.objects.get(slug="other"), user=user, role="director")
    elif role in Membership.Role.values:
        Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=user, role=role)
    client.force_login(user)
    return client


def statuses(client: Client, match: Match) -> list[int]:
    """Status of each tournament page."""
    return [client.get(f"/director/open/{path.format(match=match.pk)}").status_code for path in PATHS]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("superuser", [200, 200, 200, 200, 200]),
        ("owner", [200, 200, 200, 200, 200]),
        ("director", [200, 200, 200, 200, 200]),
        ("helper", [200, 404, 200, 200, 200]),
        ("viewer", [200, 404, 200, 200, 200]),
        ("user without a role", [404, 404, 404, 404, 404]),
        ("director of another tournament", [404, 404, 404, 404, 404]),
        ("stranger", [302, 302, 302, 302, 302]),
    ],
)
def test_each_role_sees_its_pages(match: Match, role: str, expected: list[int]) -> None:
    assert statuses(client_of(role), match) == expected


def test_players_cannot_open_the_directors_pages(match: Match) -> None:
    player = Client()
    player.post("/t/7K3M9Q/seat/", {"seat": "left"})
    assert player.cookies["device"].value
    assert statuses(player, match) == [302, 302, 302, 302, 302]
    assert player.get("/director/open/")["Location"] == "/director/?next=/director/open/"


@pytest.mark.parametrize(
    "role",
    ["viewer", "user without a role", "director of another tournament", "stranger", "superuser", "director", "helper"],
)
def test_creating_a_match_needs_permission_to_arrange(match: Match, role: str) -> None:
    response = client_of(role).post("/director/open/new/", NEW)
    made = Match.objects.exclude(pk=match.pk).count()
    outcomes = {"superuser": (302, 1), "director": (302, 1), "stranger": (302, 0)}
    assert (response.status_code, made) == outcomes.get(role, (404, 0))


@pytest.mark.parametrize("path", ["/director/none/", "/director/open/match/999999/", "/director/other/match/{match}/"])
def test_an_unknown_match_is_404(match: Match, path: str) -> None:
    assert client_of("superuser").get(path.format(match=match.pk)).status_code == 404


def test_the_console_lists_its_users_actions_and_has_no_inline_script(match: Match) -> None:
    for role, may_rule, may_arrange in (("director", True, True), ("helper", True, False), ("viewer", False, False)):
        html = client_of(role).get("/director/open/").content.decode()
        assert ("rule" in re.findall(r'data-may="([^"]*)"', html)[0].split()) == may_rule
        assert ("New match" in html) == may_arrange
        assert re.findall(r"<script(?![^>]*\b(?:src=|type=.application/json))|<style|\sstyle=|\son\w+=", html) == []


# --- a new match ---------------------------------------------------------------------------------------------------


def test_a_new_match_creates_its_table_and_shows_its_board(match: Match) -> None:
    response = client_of("director").post("/director/open/new/", NEW | {"left_score": "2"})
    made = Match.objects.exclude(pk=match.pk).get()
    assert (response.status_code, response["Location"]) == (302, f"/director/open/#match-{made.pk}")
    assert (made.table.name, made.table.tournament.slug, made.table.current_id) == ("5", "open", made.pk)
    assert made.setup == {
        "rules": "us-2007",
        "format": "singles",
        "length": 9,
        "score": [2, 0],
        "crawford": "none",
        "names": ["Eva", "Finn"],
        "options": {},
    }
    first = JournalEntry.objects.get(match=made)
    assert (first.by, first.user.get_username() if first.user else None) == ("director", "director")


def test_the_next_match_keeps_the_tables_code(match: Match) -> None:
    director = client_of("director")
    director.post("/director/open/new/", NEW | {"table": "12"})
    made = Match.objects.exclude(pk=match.pk).get()
    assert (made.table.code, made.table.current_id) == ("7K3M9Q", made.pk)


def test_a_table_in_play_takes_no_new_match(match: Match) -> None:
    desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "confirm"}), "director"))
    response = client_of("director").post("/director/open/new/", NEW | {"table": "12"})
    assert response.status_code == 400
    words = ["Ann – =Bob has begun at table 12 and is not over. End that match first, or replace it."]
    assert response.context["form"].errors == {"table": words}
    assert b'name="replace"' in response.content
    assert Match.objects.count() == 1


def test_the_director_can_replace_a_begun_match(match: Match) -> None:
    desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "confirm"}), "director"))
    response = client_of("director").post("/director/open/new/", NEW | {"table": "12", "replace": "on"})
    made = Match.objects.exclude(pk=match.pk).get()
    assert (response.status_code, made.table_id, made.table.current_id) == (302, match.table_id, made.pk)
    assert Match.objects.get(pk=match.pk).status == "ready"


def test_a_match_with_a_running_clock_is_never_replaced(match: Match) -> None:
    for command, by in (({"do": "confirm"}, "director"), ({"do": "hit"}, "left")):
        desk.submit_and_wait(desk.Request(match.pk, parse_command(command), by))
    response = client_of("director").post("/director/open/new/", NEW | {"table": "12", "replace": "on"})
    assert response.context["form"].errors == {"table": ["Table 12 is playing Ann – =Bob. Stop that clock first."]}
    assert b'name="replace"' not in response.content
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"table": ""}, "table"),
        ({"table": "x" * 21}, "table"),
        ({"length": "0"}, "length"),
        ({"right": "Eva"}, "right"),
    ],
)
def test_a_wrong_value_shows_the_form_again_and_creates_nothing(
    match: Match, wrong: dict[str, str], field: str
) -> None:
    response = client_of("director").post("/director/open/new/", NEW | wrong)
    assert (response.status_code, list(response.context["form"].errors)) == (400, [field])
    assert (Match.objects.count(), Table.objects.count()) == (1, 1)


def test_the_form_suggests_the_next_table(match: Match) -> None:
    html = client_of("director").get("/director/open/new/").content.decode()
    assert re.search(r'name="table" value="13"', html)


# --- the record ----------------------------------------------------------------------------------------------------


@pytest.fixture
def played(match: Match) -> Match:
    """A match with a turn of 25 s, a call, and corrections with reasons."""
    began = JournalEntry.objects.get(match=match).at
    user = User.objects.create_user("dora")
    story = [
        (1_000, "left", {"do": "confirm"}),
        (2_000, "right", {"do": "confirm"}),
        (3_000, "left", {"do": "hit"}),
        (28_000, "right", {"do": "hit"}),
        (30_000, "left", {"do": "call", "note": "+1 dice on the floor"}),
        (40_000, "director", {"do": "answer"}),
        (50_000, "director", {"do": "propose", "what": "time", "seat": "left", "by_ms": 90_000, "note": "phone fell"}),
        (60_000, "director", {"do": "propose", "what": "score", "score": [1, 0], "note": "written down wrongly"}),
        (70_000, "director", {"do": "resume"}),
    ]
    for after, by, command in story:
        user_id = user.pk if by == "director" else None
        answer = desk.submit_and_wait(
            desk.Request(match.pk, parse_command(command), by, began + after, user_id=user_id)
        )
        assert answer.ok, answer
    return match


def test_the_record_shows_who_did_what_with_which_effect_and_why(played: Match) -> None:
    lines = client_of("viewer").get(f"/director/open/match/{played.pk}/").context["lines"]
    told = [(line.who, line.what, [tuple(change) for change in line.changes], line.why) for line in lines]
    assert told == [
        (
            "server",
            "Match created: Ann – =Bob to 7, US 2013 · simple delay, singles; reserve 14:00, delay 12 s",
            [],
            "",
        ),
        ("Ann", "Ann confirmed the settings", [], ""),
        ("=Bob", "=Bob confirmed the settings", [("Status", "setup", "ready")], ""),
        ("Ann", "Ann started =Bob’s clock", [("Status", "ready", "running"), ("Turn", "nobody", "=Bob")], ""),
        ("=Bob", "=Bob pressed after 25 s", [("=Bob’s reserve", "14:00", "13:47")], ""),
        ("Ann", "Ann stopped both clocks for the director", [("Status", "running", "stopped")], ""),
        ("Ann", "Ann called the director", [], "+1 dice on the floor"),
        ("director dora", "The director is coming", [], ""),
        ("director dora", "Ann’s time changed by +1:30", [("Ann’s reserve", "14:00", "15:30")], "phone fell"),
        ("director dora", "Score set to 1–0", [("Score", "0–0", "1–0")], "written down wrongly"),
        ("director dora", "Ann’s clock resumed", [("Status", "stopped", "running")], ""),
    ]


def test_the_record_can_omit_presses(played: Match) -> None:
    client = client_of("viewer")
    counts = [
        len(client.get(f"/director/open/match/{played.pk}/{query}").context["lines"]) for query in ("", "?hits=no")
    ]
    assert counts == [11, 9]


def test_the_json_lines_replay_to_the_same_state(played: Match) -> None:
    response = client_of("viewer").get(f"/director/open/match/{played.pk}/export.jsonl")
    *_, last = replay.run(response.content.decode().splitlines())
    played.refresh_from_db()
    assert response["Content-Disposition"] == f'attachment; filename="open-table-12-ann-bob-match-{played.pk}.jsonl"'
    shown = {key: last[key] for key in ("ok", "status", "turn", "turn_number", "score", "flag_at")}
    assert shown == {
        "ok": True,
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "score": [1, 0],
        "flag_at": played.flag_at,
    }


def test_the_csv_has_every_entry_and_no_formulas(played: Match) -> None:
    response = client_of("viewer").get(f"/director/open/match/{played.pk}/export.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [int(row["seq"]) for row in rows] == list(range(1, 12))
    assert (rows[2]["who"], rows[6]["why"]) == ("'=Bob", "'+1 dice on the floor")
    assert [text for row in rows for text in row.values() if text[:1] in ("=", "+", "-", "@")] == []
    assert json.loads(rows[8]["command"]) == {
        "do": "propose",
        "what": "time",
        "seat": "left",
        "by_ms": 90_000,
        "note": "phone fell",
    }
    assert (rows[8]["before"], rows[8]["after"]) == ("Ann’s reserve: 14:00", "Ann’s reserve: 15:30")
