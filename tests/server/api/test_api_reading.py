"""API reads: tokens, permissions, paging, ETags and errors."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clocks.api import gate
from clocks.engine.match import Match as MatchState
from clocks.host.ratelimit import RateLimiter
from clocks.models import ApiToken, Match, Membership, Pairing, Tournament
from clocks.people import api_tokens, members
from tests.server import hall
from tests.server.programs import OPEN, Program, owner_of

EVENTS = ["setup", "confirmed", "hit", "stopped", "proposed", "agreed", "game_ended"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played() -> Tournament:
    """A tournament with a finished, a running and an unstarted match."""
    round_ = hall.summer_open()
    first, second = hall.drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    hall.win(first.match)
    hall.begin(second.match)
    hall.drawn(hall.next_round(round_, policy="on-request"), "3,Eva,Finn")
    return round_.tournament


@pytest.fixture
def program(played: Tournament) -> Program:
    return Program(played)


# --- tokens --------------------------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_kept_as_a_hash(played: Tournament) -> None:
    client = Client()
    client.force_login(owner_of(played))
    made = client.post("/director/open/people/tokens/", {"name": "DrawBoss", "token_role": "director", "days": "7"})
    text = made.context["token_text"]
    stored = ApiToken.objects.get()
    assert text.startswith("bgc_") and text in made.content.decode()
    assert (stored.name, stored.role, str(stored)) == ("DrawBoss", "director", "DrawBoss: director of Summer Open")
    assert text not in str(list(ApiToken.objects.values())) and len(stored.token_hash) == 64
    assert timedelta(days=6) < stored.expires_at - timezone.now() < timedelta(days=8)
    again = client.get("/director/open/people/").content.decode()
    assert "DrawBoss" in again and text not in again


def test_a_token_can_have_each_validity_on_the_page(played: Tournament) -> None:
    client = Client()
    client.force_login(owner_of(played))
    offered = client.get("/director/open/people/").context["token_form"].fields["days"].choices
    for days, _words in offered:
        given = {"name": "Screens", "token_role": "viewer", "days": days}
        assert client.post("/director/open/people/tokens/", given).status_code == 200
    ends = ApiToken.objects.order_by("pk").values_list("made_at", "expires_at")
    assert [end and round((end - made) / timedelta(days=1)) for made, end in ends] == [1, 7, 31, 366, None]


def test_a_token_needs_a_name(played: Tournament) -> None:
    client = Client()
    client.force_login(owner_of(played))
    answer = client.post("/director/open/people/tokens/", {"name": " ", "token_role": "owner", "days": "7"})
    assert (answer.status_code, sorted(answer.context["token_form"].errors)) == (400, ["name", "token_role"])
    assert not ApiToken.objects.exists()


def test_a_token_records_its_last_use(program: Program) -> None:
    assert ApiToken.objects.get().last_used_at is None
    program.get()
    assert timezone.now() - ApiToken.objects.get().last_used_at < timedelta(minutes=1)


@pytest.mark.parametrize(("dry_run", "noted"), [("1", False), ("true", False), ("0", True), ("maybe", True)])
def test_only_a_dry_run_of_a_draw_leaves_the_last_use(program: Program, dry_run: str, noted: bool) -> None:
    program.ask("put", f"/rounds/1/pairings?dry_run={dry_run}", {"pairings": []})
    assert (ApiToken.objects.get().last_used_at is not None) == noted


def test_dry_run_at_another_operation_hides_no_use(program: Program) -> None:
    program.get("?dry_run=1")
    assert ApiToken.objects.get().last_used_at is not None


def test_a_tokens_account_is_no_member_and_keeps_its_role(program: Program, played: Tournament) -> None:
    account = ApiToken.objects.get().user
    assert account not in [member.user for member in members.of_tournament(played)]
    client = Client()
    client.force_login(owner_of(played))
    assert client.post(f"/director/open/people/{account.pk}/role/", {"role": "owner"}).status_code == 409
    assert Membership.objects.get(user=account).role == "director"
    assert not account.has_usable_password()


def test_a_revoked_or_expired_token_does_not_work(program: Program, played: Tournament) -> None:
    other = Program(played, "viewer")
    ApiToken.objects.filter(role="viewer").update(expires_at=timezone.now())
    assert other.ask("get", "").status_code == 401
    client = Client()
    client.force_login(owner_of(played))
    token = ApiToken.objects.get(role="director")
    assert client.post(f"/director/open/people/tokens/{token.pk}/revoke/").status_code == 302
    answer = program.ask("get", "")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="backgammon clock"')
    assert not Membership.objects.filter(user=token.user_id).exists()
    book = list(played.hall_entries.order_by("pk").values_list("event", "data__token"))
    assert book == [("token_made", "Draws"), ("token_made", "Draws"), ("token_revoked", "Draws")]


def test_a_token_is_void_once_its_maker_is_no_owner(program: Program, played: Tournament) -> None:
    other = User.objects.create_user("second-owner")
    Membership.objects.create(tournament=played, user=other, role="owner")
    members.remove(played, owner_of(played).pk, other)
    assert program.ask("get", "").status_code == 401


def test_a_token_over_its_rate_limit_gets_429_with_retry_after(program: Program, monkeypatch) -> None:
    monkeypatch.setattr(gate, "LIMITS", RateLimiter(2, 0.001))
    answers = [program.ask("get", "") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert (answers[2]["Retry-After"], answers[2]["Content-Type"]) == ("1", "application/problem+json")


# --- reading -------------------------------------------------------------------------------------------------------


def test_a_token_sees_only_its_own_tournament(program: Program) -> None:
    Tournament.objects.create(slug="other", name="Other")
    found = program.get("/api/v1/tournaments")
    assert ([each["slug"] for each in found["items"]], found["next"]) == (["open"], None)
    assert program.ask("get", "/api/v1/tournaments/other").status_code == 404


def test_rounds_tables_pairings_matches_and_results_can_be_read(program: Program) -> None:
    assert [(each["number"], each["drawn"], each["over"]) for each in program.get("/rounds")] == [(1, 2, 1), (2, 1, 0)]
    assert program.get("/rounds/2")["policy"] == "on-request"
    assert [table["name"] for table in program.get("/tables")["items"]] == ["1", "2", "3"]
    pairings = program.get("/rounds/1/pairings")["items"]
    assert [(each["names"], each["state"]) for each in pairings] == [
        (["Ann", "Bob"], "over"),
        (["Chi", "Dov"], "running"),
    ]
    assert [match["names"] for match in program.get("/matches?status=running")["items"]] == [["Chi", "Dov"]]
    assert len(program.get("/matches?round=1")["items"]) == 2
    results = program.get("/rounds/1/results")["items"]
    assert [(each["names"], each["winner"], each["score"], each["by"]) for each in results] == [
        (["Ann", "Bob"], "left", [3, 0], "points"),
        (["Chi", "Dov"], None, [0, 0], ""),
    ]
    assert [each["round"] for each in program.get("/results")["items"]] == [1, 1, 2]


def test_a_match_can_be_read_with_its_turns_and_journal(program: Program) -> None:
    match = Match.objects.get(setup__names=["Ann", "Bob"])
    snapshot = program.get(f"/matches/{match.pk}")
    assert (snapshot["t"], snapshot["v"], snapshot["winner"]) == ("match", match.version, "left")
    turns = program.get(f"/matches/{match.pk}/turns")["items"]
    assert [(turn["seat"], turn["ended_by"], turn["game"]) for turn in turns] == [("right", "game_ended", 1)]
    journal = program.get(f"/matches/{match.pk}/journal")["items"]
    assert [entry["event"] for entry in journal] == EVENTS
    assert [entry["seq"] for entry in journal] == [1, 2, 3, 4, 5, 6, 7]


def test_lists_are_paged_by_cursor(program: Program) -> None:
    first = program.get("/results?limit=2")
    rest = program.get(f"/results?limit=2&cursor={first['next']}")
    assert [len(first["items"]), len(rest["items"]), rest["next"]] == [2, 1, None]
    assert [*first["items"], *rest["items"]] == program.get("/results")["items"]
    journal = f"/matches/{Match.objects.first().pk}/journal"
    page = program.get(f"{journal}?limit=4")
    assert [entry["seq"] for entry in program.get(f"{journal}?cursor={page['next']}")["items"]] == [5, 6, 7]


@pytest.mark.parametrize(
    "path", ["/results?cursor=x", "/results?cursor=1-2-3", "/results?limit=0", "/matches?status=x"]
)
def test_a_wrong_parameter_is_named(program: Program, path: str) -> None:
    answer = program.ask("get", path)
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert problem["errors"][0]["pointer"] == path.split("?")[1].split("=")[0]


def test_an_unchanged_response_is_304(program: Program) -> None:
    match = Match.objects.get(setup__names=["Chi", "Dov"])
    for path in (
        "",
        "/rounds",
        "/tables",
        "/rounds/1/pairings",
        "/matches",
        f"/matches/{match.pk}",
        "/api/v1/tournaments",
    ):
        first = program.ask("get", path)
        again = program.ask("get", path, If_None_Match=first["ETag"])
        assert (path, again.status_code, again.content, again["ETag"]) == (path, 304, b"", first["ETag"])
    before = program.ask("get", f"/matches/{match.pk}")["ETag"]
    hall.do(match, "right", do="hit")
    assert program.ask("get", f"/matches/{match.pk}", If_None_Match=before).status_code == 200


def test_a_renamed_round_changes_the_etag_of_its_matches(program: Program, played: Tournament) -> None:
    match = Match.objects.get(setup__names=["Chi", "Dov"])
    paths = ("/matches", f"/matches/{match.pk}", "/live.json")
    known = {path: program.ask("get", path)["ETag"] for path in paths}
    played.rounds.filter(number=1).update(name="Quarter-finals")
    found = {path: program.ask("get", path, If_None_Match=known[path]) for path in paths}
    assert [answer.status_code for answer in found.values()] == [200] * 3
    assert found[f"/matches/{match.pk}"].json()["round"] == "Quarter-finals"


def test_a_renumbered_round_changes_the_etag_of_its_matches(program: Program, played: Tournament) -> None:
    match = Match.objects.get(setup__names=["Chi", "Dov"])
    played.rounds.filter(number=1).update(name="")
    paths = ("/matches", f"/matches/{match.pk}", "/live.json")
    known = {path: program.ask("get", path)["ETag"] for path in paths}
    played.rounds.filter(number=1).update(number=3)
    found = [program.ask("get", path, If_None_Match=known[path]) for path in paths]
    assert [answer.status_code for answer in found] == [200] * 3


def test_a_renamed_event_changes_the_etag_of_its_results(program: Program, played: Tournament) -> None:
    event = played.sections.create(name="Main", method="knockout")
    played.rounds.update(section=event)
    paths = ("/results", "/rounds/1/results")
    known = {path: program.ask("get", path)["ETag"] for path in paths}
    played.sections.update(name="Masters")
    found = [program.ask("get", path, If_None_Match=known[path]) for path in paths]
    assert [answer.status_code for answer in found] == [200, 200]
    assert {each["stage"] for answer in found for each in answer.json()["items"] if each["round"]} == {"Masters"}


def test_polling_reads_no_match_until_something_changes(program: Program, monkeypatch) -> None:
    paths = ("/results", "/rounds/1/results", "/matches", "/live.json")

    def changed_since(known: dict[str, str]) -> list[str]:
        return [path for path in paths if program.ask("get", path, If_None_Match=known[path]).status_code == 200]

    def read(*_: Any) -> None:
        raise AssertionError("this reads whole matches")

    known = {path: program.ask("get", path)["ETag"] for path in paths}
    with monkeypatch.context() as patch:
        patch.setattr(MatchState, "from_dict", read)
        assert changed_since(known) == []
    hall.do(Match.objects.get(setup__names=["Chi", "Dov"]), "right", do="hit")
    assert changed_since(known) == list(paths)
    known = {path: program.ask("get", path)["ETag"] for path in paths}
    assert changed_since(known) == []
    pairing = Pairing.objects.get(round__number=2)
    program.ask("put", f"/rounds/2/pairings/{pairing.pk}/result", {"winner": "right", "score": [1, 3]})
    assert changed_since(known) == ["/results"]


@pytest.mark.parametrize(
    "path", ["/rounds/7", "/rounds/99999", "/matches/1000000", f"/matches/{10**30}", "/nothing", "/api/v1/nothing"]
)
def test_an_unknown_address_is_404_with_a_problem_document(program: Program, path: str) -> None:
    answer = program.ask("get", path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["title"] == "Not Found" and answer.json()["detail"]


def test_a_wrong_method_is_405_with_the_allowed_ones(program: Program) -> None:
    answer = program.ask("delete", "/rounds")
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
    assert sorted(answer["Allow"].split(", ")) == ["GET", "HEAD", "POST"]


def test_head_answers_like_get_without_the_body(program: Program) -> None:
    for path in ("/rounds", "", "/rounds/77"):
        get, head = (program.ask(method, path) for method in ("get", "head"))
        same = ("Content-Type", "Content-Length", "ETag", "Allow")
        expected = {name: get.headers.get(name) for name in same} | {"Content-Length": str(len(get.content))}
        assert ({name: head.headers.get(name) for name in same}, head.content) == (expected, b"")
        assert head.status_code == get.status_code
    assert program.ask("head", "/messages").status_code == 405


def test_only_the_documents_need_no_token(program: Program) -> None:
    stranger = Program()
    assert stranger.ask("get", "").status_code == 401
    assert stranger.ask("get", "/api/v1/openapi.json").json()["openapi"].startswith("3.1")
    page = stranger.ask("get", "/api/v1/docs").content.decode()
    assert f"{OPEN.replace('open', '{slug}')}/rounds" in page


def test_a_viewers_token_can_read_everything(played: Tournament) -> None:
    viewer = Program(played, "viewer")
    assert len(viewer.get("/results")["items"]) == 3
    assert api_tokens.find(viewer.token).role == "viewer"
