"""TRF26: round trip, drawing from a file, ignored tags."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks.engine.refusals import Refused
from clocks.interchange import tournament_files, trf
from clocks.models import Player, Round
from clocks.tournament import corrections
from tests.server import hall
from tests.server.programs import Program

PLAYED = [
    [("Ann", "Bob", "left"), ("Chi", "Dov", "right"), ("Eva", "", "")],
    [("Dov", "Ann", ""), ("Bob", "Eva", "left"), ("Chi", "", "")],
]


@pytest.mark.parametrize("rounds", [PLAYED, [*PLAYED, []], [[], []]], ids=["all drawn", "the last not drawn", "none"])
def test_a_trf_file_survives_a_round_trip(rounds: list[list[tuple[str, str, str]]]) -> None:
    text = trf.write(trf.of_rounds("Summer Open", rounds))
    assert trf.read(text) == trf.of_rounds("Summer Open", rounds)
    assert trf.write(trf.read(text)) == text


def test_the_columns_are_those_of_the_format() -> None:
    lines = trf.write(trf.of_rounds("Summer Open", PLAYED)).split("\r\n")
    assert lines[0] == "012 Summer Open"
    ann = next(line for line in lines if "Ann" in line)
    assert (ann[:3], ann[4:8], ann[14:17], ann[80:84], ann[85:89]) == ("001", "   1", "Ann", " 1.0", "   1")
    assert (ann[91:99], ann[101:107]) == ("0002 w 1", "0004 b")
    eva = next(line for line in lines if "Eva" in line)
    assert eva[91:99] == "0000 - U"


def test_trf_pairings_have_white_on_the_left() -> None:
    file = trf.read(trf.write(trf.of_rounds("Summer Open", PLAYED)))
    assert trf.pairings(file, 2) == [("Bob", "Eva"), ("Chi", "bye"), ("Dov", "Ann")]


def test_rounds_beyond_the_hundredth_are_read_too() -> None:
    rounds = [[("Ann", "Bob", "left")]] * 98 + [[("Bob", "Ann", "left")]] * 3
    found = trf.read(trf.write(trf.of_rounds("Long", rounds)))
    assert trf.pairings(found, 98) == [("Ann", "Bob")]
    assert trf.pairings(found, 101) == [("Bob", "Ann")]


def test_a_player_who_is_absent_from_a_round_has_no_bye() -> None:
    rounds = [*PLAYED[:1], [("Dov", "Ann", ""), ("Bob", "Eva", "left")]]
    given = trf.write(trf.of_rounds("Summer Open", rounds)).replace("0000 - U", "0000 - Z")
    assert trf.pairings(trf.read(given), 1) == [("Ann", "Bob"), ("Chi", "Dov")]
    assert trf.write(trf.read(given)) == given


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("001 xxxx      Ann", "Line 1 has no start number"),
        ("001    1      Ann" + " " * 74 + "0009 w 1", "plays number 9"),
        ("001    1      Ann" + " " * 74 + "00w9 1 1", "a round that cannot be read"),
        ("001    1      Ann\n001    1      Bob", "the same start number"),
        ("001    1      Ann", "nothing for round 1"),
    ],
)
def test_faults_of_a_trf_file_are_named(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        trf.pairings(trf.read(text), 1)


@pytest.mark.django_db(transaction=True)
def test_a_round_is_drawn_from_trf_and_exported_again() -> None:
    program = Program(hall.summer_open().tournament)
    given = trf.write(trf.of_rounds("Summer Open", PLAYED)) + "XYZ something of theirs\r\n"
    answer = program.ask("put", "/rounds/1/pairings/trf", {"trf": given})
    assert answer.status_code == 200, answer.content
    assert [line["names"] for line in answer.json()["lines"]] == [["Ann", "Bob"], ["Chi", "Dov"], ["Eva", "bye"]]
    assert answer.json()["left"] == ["XYZ"]
    again = program.ask("put", "/rounds/1/pairings/trf", {"trf": given}).json()
    assert [line["act"] for line in again["lines"]] == ["keep", "keep", "bye"]
    hall.win(Round.objects.get().pairings.get(setup__names=["Ann", "Bob"]).match)
    file = trf.read(program.get("/trf")["trf"])
    assert (file.name, [player.name for player in file.players]) == ("Summer Open", ["Ann", "Bob", "Chi", "Dov", "Eva"])
    assert [player.points for player in file.players] == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert trf.pairings(file, 1) == [("Ann", "Bob"), ("Chi", "Dov"), ("Eva", "bye")]
    wrong = program.ask("put", "/rounds/1/pairings/trf", {"trf": "no file"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-value")


@pytest.mark.django_db
def test_the_pages_import_and_export_trf() -> None:
    round_ = hall.summer_open()
    director = hall.client_of("director")
    given = trf.write(trf.of_rounds("Summer Open", PLAYED)) + "XYZ something of theirs\r\n"
    preview = director.post("/director/open/rounds/1/draw/", {"pasted": given})
    assert preview.status_code == 200 and "The file also has XYZ, which is not used." in preview.content.decode()
    director.post("/director/open/rounds/1/draw/", hall.plan_in(preview))
    assert [str(pairing) for pairing in round_.pairings.order_by("pk")] == ["Ann – Bob", "Chi – Dov"]
    assert director.get("/director/open/rounds/1/").content.decode().count("/director/open/tournament.trf") == 1
    answer = director.get("/director/open/tournament.trf")
    assert trf.pairings(trf.read(answer.content.decode()), 1) == [("Ann", "Bob"), ("Chi", "Dov"), ("Eva", "bye")]
    wrong = director.post("/director/open/rounds/1/draw/", {"pasted": given.replace("0002 w 1", "00w2 w 1")})
    assert wrong.status_code == 400 and "has a round that cannot be read" in wrong.content.decode()


def gaps(client: Client, path: str) -> list[str]:
    """Warnings on a page about data that a TRF file omits or invents."""
    page = html.unescape(client.get(path).content.decode())
    return re.findall(r"(?:The TRF file|Not drawn, and so)[^.<]*\.", page)


@pytest.mark.django_db(transaction=True)
def test_the_pages_say_what_a_trf_file_lacks_before_it_is_taken() -> None:
    first = hall.summer_open(policy="on-request")
    hall.drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    second = hall.next_round(first)
    hall.drawn(second, "3,winner of table 1,winner of table 2")
    hall.next_round(second)
    Player.objects.filter(name__in=["Ann", "Bob", "Chi"]).update(number="7")
    Player.objects.filter(name="Ann").update(number="1")
    director = hall.client_of("director")
    found = [
        "The TRF file has no results for 2 matches that are not decided.",
        "The TRF file leaves out 1 match that waits for its players.",
        "Not drawn, and so empty in the TRF file: Round 3.",
        "The TRF file gives free numbers to 3 players without a unique number.",
    ]
    paths = ["/director/open/rounds/1/", "/director/open/players/"]
    assert [gaps(director, path) for path in paths] == [found] * 2
    for number, name in enumerate(["Ann", "Bob", "Chi", "Dov"], 1):
        Player.objects.filter(name=name).update(number=str(number))
    for pairing in first.pairings.order_by("pk"):
        corrections.enter(pairing, "left", (3, 0), User.objects.get(username="director"))
    Round.objects.get(number=3).delete()
    assert gaps(director, paths[0]) == ["The TRF file has no result for 1 match that is not decided."]
    corrections.enter(second.pairings.get(), "left", (3, 0), User.objects.get(username="director"))
    assert gaps(director, paths[0]) == []


@pytest.mark.django_db(transaction=True)
def test_the_gaps_named_are_those_of_the_file() -> None:
    first = hall.summer_open(policy="on-request")
    hall.drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    hall.drawn(hall.next_round(first), "3,winner of table 1,winner of table 2")
    file = trf.read(tournament_files.trf_of(first.tournament, 0))
    assert [[each and each.result for each in player.rounds] for player in file.players] == [["", None]] * 4
    assert tournament_files.trf_gaps(first.tournament) == [
        "The TRF file has no results for 2 matches that are not decided.",
        "The TRF file leaves out 1 match that waits for its players.",
        "The TRF file gives free numbers to 4 players without a unique number.",
    ]
