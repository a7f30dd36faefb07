"""API writes: draws, results without a clock, messages; idempotency and log."""

import threading
from typing import Any

import pytest
from django.db import connection

from clocks.api import idempotency
from clocks.models import ApiAnswer, ApiToken, HallEntry, Match, Message, Pairing, Player, Round, Tournament
from clocks.tournament import players
from tests.server import hall
from tests.server.programs import Program, owner_of

pytestmark = pytest.mark.django_db(transaction=True)
FIRST = "/rounds/1/pairings"


@pytest.fixture
def round_() -> Round:
    return hall.summer_open()


@pytest.fixture
def program(round_: Round) -> Program:
    return Program(round_.tournament)


def draw(*pairs: str, **more: Any) -> dict[str, Any]:
    """Draw request body: `m1 1 Ann Bob` is id, table and players; `-` omits a field."""
    found = []
    for pair in pairs:
        id_, table, left, right = pair.split()
        named = {"external_id": id_, "table": table}
        found.append({name: value for name, value in named.items() if value != "-"} | {"left": left, "right": right})
    return {"pairings": found, **more}


def stored(round_: Round) -> list[tuple[str, str, str]]:
    """Pairings of a round as (id, table, players)."""
    found = round_.pairings.select_related("table").order_by("table__name")
    return [(pairing.external_id, pairing.table.name, str(pairing)) for pairing in found]


def book(round_: Round) -> list[tuple[str, str]]:
    """Log as (user name, event) pairs, without token creation."""
    entries = HallEntry.objects.filter(tournament=round_.tournament).exclude(event="token_made").order_by("pk")
    return list(entries.values_list("user_name", "event"))


# --- a whole draw --------------------------------------------------------------------------------------------------


def test_a_draw_is_stored_and_its_matches_start(program: Program, round_: Round) -> None:
    answer = program.ask("put", FIRST, draw("m1 1 Ann Bob", "m2 - Chi Dov", "m3 - Eva bye"))
    assert answer.status_code == 200, answer.content
    lines = answer.json()["lines"]
    assert [(line["external_id"], line["act"], line["table"]) for line in lines] == [
        ("m1", "start", "1"),
        ("m2", "start", "2"),
        ("m3", "bye", ""),
    ]
    assert stored(round_) == [("m1", "1", "Ann – Bob"), ("m2", "2", "Chi – Dov")]
    assert [line["pairing"] for line in lines[:2]] == list(Pairing.objects.order_by("pk").values_list("pk", flat=True))
    assert Match.objects.count() == 2 and book(round_) == [("Draws", "round_drawn")]


def test_sending_the_same_draw_twice_changes_nothing(program: Program, round_: Round) -> None:
    given = draw("m1 1 Ann Bob", "m2 - Chi Dov")
    first = program.ask("put", FIRST, given).json()
    before = [stored(round_), list(Match.objects.values_list("pk", "version"))]
    again = program.ask("put", FIRST, given).json()
    assert [line["act"] for line in again["lines"]] == ["keep", "keep"]
    assert [line["pairing"] for line in again["lines"]] == [line["pairing"] for line in first["lines"]]
    assert [stored(round_), list(Match.objects.values_list("pk", "version"))] == before
    assert book(round_) == [("Draws", "round_drawn")]


def test_a_new_draw_replaces_the_old_one(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob", "m2 2 Chi Dov", "m3 3 Eva Finn"))
    answer = program.ask("put", FIRST, draw("m1 2 Ann Bob", "m2 1 Chi Dov")).json()
    assert stored(round_) == [("m2", "1", "Chi – Dov"), ("m1", "2", "Ann – Bob")]
    assert answer["removed"] == ["Ann – Bob", "Chi – Dov", "Eva – Finn"]
    current = {table.name: str(table.current) for table in round_.tournament.tables.select_related("current")}
    assert current == {"1": "Chi – Dov", "2": "Ann – Bob", "3": "None"}


def test_a_begun_match_stays_at_its_table_and_must_be_in_the_draw(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob", "m2 2 Chi Dov"))
    hall.begin(Match.objects.get(setup__names=["Ann", "Bob"]))
    before = stored(round_)
    answer = program.ask("put", FIRST, draw("m2 2 Chi Dov"))
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "Ann – Bob" in answer.json()["detail"] and stored(round_) == before
    other = program.ask("put", FIRST, draw("m1 1 Gus Hana", "m2 2 Chi Dov"))
    assert other.status_code == 409 and stored(round_) == before
    moved = program.ask("put", FIRST, draw("m1 7 Ann Bob", "m2 2 Chi Dov")).json()
    assert [(line["act"], line["table"]) for line in moved["lines"]] == [("keep", "1"), ("keep", "2")]


def test_a_corrected_name_still_identifies_its_match(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    match = Match.objects.get()
    hall.begin(match)
    player = round_.tournament.players.get(name="Ann")
    players.rename(player, "Anna", owner_of(round_.tournament), "A slip")
    answer = program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    assert [(line["act"], line["names"]) for line in answer.json()["lines"]] == [("keep", ["Anna", "Bob"])]


def test_an_old_spelling_still_means_the_same_player(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    owner = owner_of(round_.tournament)
    for name in ("Anna", "Anne"):
        players.rename(round_.tournament.players.get(name__startswith="Ann"), name, owner, "A slip")
    hall.next_round(round_)
    second = "/rounds/2/pairings"
    answer = program.ask("put", second, draw("m2 2 Bob Ann", "m3 3 Chi Dov"))
    assert [line["names"] for line in answer.json()["lines"]] == [["Bob", "Anne"], ["Chi", "Dov"]]
    answer = program.ask("put", second, draw("m2 2 Bob Anna", "m3 3 Chi Dov"))
    assert [line["act"] for line in answer.json()["lines"]] == ["keep", "keep"]
    assert sorted(player.name for player in round_.tournament.players.all()) == ["Anne", "Bob", "Chi", "Dov"]
    Player.objects.create(tournament=round_.tournament, name="Ann")  # a new player with the former name
    answer = program.ask("put", second, draw("m2 2 Bob Ann", "m3 3 Chi Dov"))
    assert answer.json()["lines"][0]["names"] == ["Bob", "Ann"]


def test_a_dry_run_reports_each_line_and_changes_nothing(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    before = [stored(round_), book(round_), Match.objects.count()]
    answer = program.ask("put", f"{FIRST}?dry_run=1", draw("m1 1 Ann Bob", "m2 9 Chi Dov")).json()
    assert answer["dry_run"] and [(line["act"], line["words"]) for line in answer["lines"]] == [
        ("keep", "Already drawn. Left as it is."),
        ("start", "New table. Ready to play."),
    ]
    assert [stored(round_), book(round_), Match.objects.count()] == before


@pytest.mark.parametrize(
    ("given", "pointer", "words"),
    [
        (draw("m1 1 Ann Ann"), "/pairings/0", "different names"),
        (draw("m1 1 Ann Bob", "m2 1 Chi Dov"), "/pairings/1", "Table 1 is already in line 0"),
        (draw("m1 1 Ann Bob", "m1 2 Chi Dov"), "/pairings/1", "m1 is already in line 0"),
        (draw("m1 1 Ann Bob", "m2 2 Ann Dov"), "/pairings/1", "Ann is already in line 0"),
        ({"pairings": [{"left": "Ann"}]}, "/pairings/0/right", "required"),
        ({"pairings": [{"left": "Ann", "right": "Bob", "lenght": 7}]}, "/pairings/0/lenght", "not permitted"),
        ({"pairings": [{"left": "Ann", "right": "Bob", "options": {"x": 1}}]}, "/pairings/0", "no option “x”"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_changes(
    program: Program, round_: Round, given: dict[str, Any], pointer: str, words: str
) -> None:
    program.ask("put", FIRST, draw("m9 9 Ida Jon"))
    answer = program.ask("put", FIRST, given)
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert words in problem["errors"][0]["detail"]
    assert stored(round_) == [("m9", "9", "Ida – Jon")]


@pytest.mark.parametrize(
    ("method", "path", "given", "pointer"),
    [
        ("post", "/rounds", {"number": 1}, "/number"),
        ("post", "/rounds", {"rules": "chess"}, "/rules"),
        ("post", "/rounds", {"options": {"delay_ms": -1}}, "/options/delay_ms"),
        ("post", "/rounds", {"options": {"dice": 1}}, "/options/dice"),
        ("post", FIRST, {"external_id": "m1", "left": "Chi", "right": "Dov"}, "/external_id"),
        ("post", FIRST, {"table": "1", "left": "Chi", "right": "Dov"}, "/table"),
        ("put", f"{FIRST}/trf", {"trf": "012 Open"}, "/trf"),
        ("put", f"{FIRST}/brackets", {"brackets": {}}, "/brackets"),
        ("put", FIRST + "/{pairing}/result", {"winner": "left", "score": [1, 3]}, "/score"),
        ("post", FIRST + "/{pairing}/move", {"table": "2"}, "/table"),
    ],
)
def test_every_refusal_points_at_its_field(
    program: Program, round_: Round, method: str, path: str, given: dict[str, Any], pointer: str
) -> None:
    Round.objects.filter(pk=round_.pk).update(policy="on-request")
    program.ask("put", FIRST, draw("m1 1 Ann Bob", "m2 2 Eva Finn"))
    pairing = Pairing.objects.get(external_id="m1")
    answer = program.ask(method, path.format(pairing=pairing.pk), given)
    problem = answer.json()
    assert problem["errors"] == [{"pointer": pointer, "detail": problem["detail"]}], problem


def test_of_two_draws_at_once_one_is_stored_whole(program: Program, round_: Round) -> None:
    draws = [draw(*(f"{name}{n} {n} {name}{n}a {name}{n}b" for n in range(1, 9))) for name in ("x", "y")]
    for _ in range(5):
        start = threading.Barrier(2)
        statuses = []

        def put(given: dict[str, Any], start: threading.Barrier = start, statuses: list[int] = statuses) -> None:
            other = Program()
            other.token = program.token
            start.wait()
            statuses.append(other.ask("put", FIRST, given).status_code)
            connection.close()

        threads = [threading.Thread(target=put, args=(given,)) for given in draws]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses == [200, 200]
        names = {id_[0] for id_, _table, _names in stored(round_)}
        assert len(names) == 1 and len(stored(round_)) == 8


# --- rounds, single matches, results, messages ---------------------------------------------------------------------


def test_a_round_is_created_like_the_last_and_started(program: Program, round_: Round) -> None:
    made = program.ask("post", "/rounds", {"length": 9})
    assert (made.status_code, made.json()["number"], made.json()["length"]) == (201, 2, 9)
    assert program.ask("post", "/rounds", {"number": 2}).status_code == 409
    wrong = program.ask("post", "/rounds", {"options": {"delay_ms": -1}})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-value")
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    program.ask("put", "/rounds/2/pairings", draw("m2 1 Ann Bob"))
    second = Pairing.objects.get(external_id="m2")
    assert program.ask("post", "/rounds/2/start", {}).json() == {"started": [], "waiting": [second.pk]}
    hall.win(Match.objects.get())
    second.refresh_from_db()
    assert second.match is not None
    assert book(round_)[0] == ("Draws", "round_made")


def test_a_match_is_added_and_moved_with_its_clock(program: Program, round_: Round) -> None:
    added = program.ask("post", FIRST, {"external_id": "m1", "table": "1", "left": "Ann", "right": "Bob"})
    assert (added.status_code, added.json()["state"]) == (201, "setup")
    again = program.ask("post", FIRST, {"external_id": "m1", "table": "4", "left": "Ida", "right": "Jon"})
    assert again.status_code == 422 and "m1" in again.json()["detail"]
    taken = program.ask("post", FIRST, {"table": "1", "left": "Ida", "right": "Jon"})
    assert taken.status_code == 422 and "Ann – Bob" in taken.json()["detail"]
    match = Match.objects.get()
    hall.begin(match)
    moved = program.ask("post", f"{FIRST}/{added.json()['id']}/move", {"table": "7"})
    assert (moved.status_code, moved.json()["table"], moved.json()["match"]) == (200, "7", match.pk)
    assert match.journal.order_by("-seq").values_list("event", "user_name")[0] == ("moved", "Draws")
    other = program.ask("post", FIRST, {"table": "1", "left": "Ida", "right": "Jon"}).json()
    refused = program.ask("post", f"{FIRST}/{other['id']}/move", {"table": "7"})
    assert refused.status_code == 422 and "taken" in refused.json()["detail"]
    assert book(round_) == [("Draws", "match_added"), ("Draws", "match_moved"), ("Draws", "match_added")]


def test_a_waiting_match_moved_to_a_free_table_starts(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    program.ask("post", "/rounds", {})
    program.ask("put", "/rounds/2/pairings", draw("m2 1 Chi Dov"))
    waiting = Pairing.objects.get(external_id="m2")
    moved = program.ask("post", f"/rounds/2/pairings/{waiting.pk}/move", {"table": "2"}).json()
    assert (moved["table"], moved["state"]) == ("2", "setup")


def test_a_result_without_a_clock_is_entered_and_corrected_with_a_reason(round_: Round) -> None:
    Round.objects.filter(pk=round_.pk).update(policy="on-request")
    program = Program(round_.tournament)
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    path = f"{FIRST}/{Pairing.objects.get().pk}/result"
    wrong = program.ask("put", path, {"winner": "left", "score": [1, 3]})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-value")
    entered = program.ask("put", path, {"winner": "left", "score": [3, 1]})
    assert (entered.status_code, entered.json()["state"]) == (200, "no-clock")
    assert program.ask("put", path, {"winner": "left", "score": [3, 1]}).status_code == 200
    unexplained = program.ask("put", path, {"winner": "right"})
    assert (unexplained.status_code, unexplained.json()["errors"][0]["pointer"]) == (422, "/reason")
    assert program.ask("put", path, {"winner": "right", "reason": "Read wrongly"}).status_code == 200
    assert [name for _who, name in book(round_)] == ["round_drawn", "result_entered", "result_corrected"]
    assert Pairing.objects.get().winner == "right"


def test_the_result_of_a_match_with_a_clock_cannot_be_set(program: Program) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    answer = program.ask("put", f"{FIRST}/{Pairing.objects.get().pk}/result", {"winner": "left"})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")


def test_a_message_is_sent_to_tables_or_to_all(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    sent = program.ask("post", "/messages", {"text": "Lunch at one.", "tables": ["1"], "minutes": 5})
    assert (sent.status_code, sent.json()["tables"]) == (201, ["1"])
    unknown = program.ask("post", "/messages", {"text": "Lunch", "tables": ["77"]})
    assert unknown.json()["errors"] == [{"pointer": "/tables/0", "detail": "There is no table 77."}]
    assert [message.text for message in Message.objects.all()] == ["Lunch at one."]


# --- permissions and idempotency -----------------------------------------------------------------------------------


def test_a_viewers_token_cannot_write(round_: Round) -> None:
    viewer = Program(round_.tournament, "viewer")
    for method, path, body in (
        ("put", FIRST, draw("m1 1 Ann Bob")),
        ("post", "/rounds", {}),
        ("post", "/messages", {"text": "Hello"}),
    ):
        answer = viewer.ask(method, path, body)
        assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")
    assert (Pairing.objects.count(), Round.objects.count(), Message.objects.count()) == (0, 1, 0)


def test_another_tournaments_token_gets_404(round_: Round) -> None:
    other = Program(Tournament.objects.create(slug="other", name="Other"))
    assert other.ask("put", FIRST, draw("m1 1 Ann Bob")).status_code == 404


def test_a_repeated_request_gets_the_first_response(program: Program) -> None:
    body = {"text": "Lunch at one."}
    first = program.ask("post", "/messages", body, Idempotency_Key="a")
    again = program.ask("post", "/messages", body, Idempotency_Key="a")
    assert (again.status_code, again.content) == (first.status_code, first.content) and first.status_code == 201
    assert again["Idempotent-Replayed"] == "true" and Message.objects.count() == 1
    other = program.ask("post", "/messages", {"text": "Dinner"}, Idempotency_Key="a")
    assert other.status_code == 422 and Message.objects.count() == 1
    assert program.ask("post", "/messages", body, Idempotency_Key="b").status_code == 201


def test_a_token_keeps_its_latest_responses_only(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "MOST_KEPT", 3)
    other = Program(Tournament.objects.get(), "owner")
    other.ask("post", "/messages", {"text": "Lunch"}, Idempotency_Key="1")
    for number in range(6):
        assert program.ask("post", "/messages", {"text": "Lunch"}, Idempotency_Key=str(number)).status_code == 201
    kept = ApiAnswer.objects.order_by("pk").values_list("token", "key")
    (theirs, _), *own = kept
    assert [key for token, key in own if token != theirs] == ["2", "3", "4", "5"]
    again = program.ask("post", "/messages", {"text": "Lunch"}, Idempotency_Key="3")
    assert again["Idempotent-Replayed"] == "true"


def test_a_rejected_request_can_be_corrected_under_its_key(program: Program) -> None:
    path = "/rounds/7/pairings"
    assert program.ask("put", path, draw("m1 1 Ann Bob"), Idempotency_Key="a").status_code == 404
    program.ask("post", "/rounds", {"number": 7})
    assert program.ask("put", path, draw("m1 1 Ann Bob"), Idempotency_Key="a").status_code == 200


def test_two_identical_moves_at_once_are_one_move(program: Program, round_: Round) -> None:
    program.ask("put", FIRST, draw("m1 1 Ann Bob"))
    path = f"{FIRST}/{Pairing.objects.get().pk}/move"
    first = program.ask("post", path, {"table": "7"}, Idempotency_Key="a")
    program.ask("post", path, {"table": "8"})
    again = program.ask("post", path, {"table": "7"}, Idempotency_Key="a")
    assert (again.content, Pairing.objects.get().table.name) == (first.content, "8")
    assert ApiAnswer.objects.get(key="a").token == ApiToken.objects.get()
