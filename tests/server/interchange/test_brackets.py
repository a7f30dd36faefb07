"""Brackets JSON: round trip, drawing from a file, ignored content."""

import json
from typing import Any

import pytest

from clocks.engine.refusals import Refused
from clocks.interchange import brackets
from clocks.interchange.brackets import Line
from tests.server import hall
from tests.server.programs import Program

ROUNDS = [
    (1, [Line("Ann", "Bob", "left", (3, 1)), Line("Chi", "Dov", "right", (0, 3)), Line("Eva", None)]),
    (2, [Line("Ann", "", "", None), Line("Dov", "Eva", "", (1, 0), running=True)]),
]


def test_brackets_survive_a_round_trip() -> None:
    told = brackets.write("Summer Open", ROUNDS)
    found = brackets.parse(json.dumps(told))
    assert found.ignored == ()
    assert brackets.pairings(found, 1) == [("Ann", "Bob"), ("Chi", "Dov"), ("Eva", "bye")]
    assert found.rounds[2] == [("Ann", ""), ("Dov", "Eva")]


def test_exported_tables_are_those_of_brackets_model() -> None:
    told = brackets.write("Summer Open", ROUNDS)
    assert list(told) == ["participant", "stage", "group", "round", "match", "match_game"]
    assert told["participant"][:2] == [
        {"id": 0, "tournament_id": 0, "name": "Ann"},
        {"id": 1, "tournament_id": 0, "name": "Bob"},
    ]
    assert [(stage["name"], stage["type"]) for stage in told["stage"]] == [("Summer Open", "round_robin")]
    assert told["match"][0] == {
        "id": 0,
        "stage_id": 0,
        "group_id": 0,
        "round_id": 0,
        "number": 1,
        "child_count": 0,
        "status": 4,
        "opponent1": {"id": 0, "score": 3, "result": "win"},
        "opponent2": {"id": 1, "score": 1, "result": "loss"},
    }
    assert [match["status"] for match in told["match"]] == [4, 4, 0, 0, 3]
    assert [match["opponent2"] for match in told["match"]][2:4] == [None, {"id": None}]
    halves = [(1, [Line("Ann", "Bob"), Line("Chi", "Dov")]), (2, [Line("", "")])]
    assert brackets.write("Open", halves)["stage"][0]["type"] == "single_elimination"


def changed(**more: Any) -> dict[str, Any]:
    return {**brackets.write("Open", ROUNDS), **more}


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ([], "Brackets are an object"),
        ({}, "The file has no “participant”"),
        (changed(match={"id": 1}), "“match” must be a list of objects"),
        (changed(stage=[{"id": 0}, {"id": 1}]), "several stages"),
        (changed(participant=[{"id": 0, "name": " "}]), "Participant 0 has no name"),
        (changed(round=[{"id": 7, "number": 1}]), "Match 0 is in no round"),
        (changed(participant=[{"id": 0, "name": "Ann"}]), "Match 0 has an opponent who is not a participant"),
        (changed(match=[{"id": 3, "round_id": 0, "opponent1": 5}]), "Match 3 has an opponent who is not a participant"),
        (changed(match=[{"id": 3, "round_id": 1, "opponent1": {"id": 0}}]), "nothing for round 1"),
        (changed(match=[{"id": 3, "round_id": 0, "opponent1": {"id": None}}]), "whose players are not known yet"),
    ],
)
def test_faults_of_brackets_are_named(tables: Any, words: str) -> None:
    with pytest.raises(Refused, match=words):
        brackets.pairings(brackets.read(tables), 1)


def test_brackets_that_are_not_json_are_refused() -> None:
    for text in ("{", "{" * 100_000):
        with pytest.raises(Refused, match="This is not JSON"):
            brackets.parse(text)


@pytest.mark.django_db(transaction=True)
def test_the_api_imports_and_exports_brackets() -> None:
    program = Program(hall.summer_open().tournament)
    given = changed(sponsor=[], match=[{**match, "date": "today"} for match in changed()["match"]])
    answer = program.ask("put", "/rounds/1/pairings/brackets", {"brackets": given})
    assert answer.status_code == 200, answer.content
    assert [line["names"] for line in answer.json()["lines"]] == [["Ann", "Bob"], ["Chi", "Dov"], ["Eva", "bye"]]
    assert answer.json()["left"] == ["sponsor", "match.date"]
    told = program.get("/brackets")
    names = {each["id"]: each["name"] for each in told["participant"]}
    sides = [[match["opponent1"], match["opponent2"]] for match in told["match"]]
    drawn = [[names[side["id"]] for side in two if side] for two in sides]
    assert drawn == [["Ann", "Bob"], ["Chi", "Dov"], ["Eva"]]
    again = program.ask("put", "/rounds/1/pairings/brackets", {"brackets": told}).json()
    assert [line["act"] for line in again["lines"]] == ["keep", "keep", "bye"]
    wrong = program.ask("put", "/rounds/1/pairings/brackets", {"brackets": {}})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-value")
    long = changed(participant=[{"id": id_, "name": f"{id_}" * 90} for id_ in range(5)])
    wrong = program.ask("put", "/rounds/1/pairings/brackets", {"brackets": long})
    assert wrong.status_code == 422 and "at most 80 characters" in wrong.json()["detail"]


@pytest.mark.django_db(transaction=True)
def test_the_pages_import_and_export_brackets() -> None:
    round_ = hall.summer_open()
    director = hall.client_of("director")
    preview = director.post("/director/open/rounds/1/draw/", {"pasted": json.dumps(changed(sponsor=[]))})
    assert preview.status_code == 200 and "The file also has sponsor, which is not used." in preview.content.decode()
    director.post("/director/open/rounds/1/draw/", hall.plan_in(preview))
    assert [str(pairing) for pairing in round_.pairings.order_by("pk")] == ["Ann – Bob", "Chi – Dov"]
    hall.win(round_.pairings.get(setup__names=["Ann", "Bob"]).match)
    assert "/director/open/brackets.json" in director.get("/director/open/rounds/1/").content.decode()
    told = json.loads(director.get("/director/open/brackets.json").content)
    assert [(match["status"], match["opponent1"].get("result")) for match in told["match"]] == [
        (4, "win"),
        (2, None),
        (0, None),
    ]
