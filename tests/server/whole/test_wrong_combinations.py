"""Invalid combinations are rejected with a message naming the valid ones."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from clocks.models import Match, Round
from clocks.tournament import draw, draw_columns

SETUPS = {
    "doubles under a book that does not know them": (
        {"rules": "unified-2001", "format": "doubles"},
        "unified-2001 does not cover doubles. Doubles can be played under us-2013, us-2007, modern, custom.",
    ),
    "a score beyond the length": (
        {"score": [7, 0]},
        "score in a match to 7 must be a whole number from 0 to 6.",
    ),
    "a negative score": ({"score": [0, -1]}, "score in a match to 7 must be a whole number from 0 to 6."),
    "a match to nothing": ({"length": 0}, "length must be a whole number from 1 to 99."),
    "a negative time": (
        {"options": {"reserve_ms": -60_000}},
        "reserve_ms must be a whole number from 1 to 86400000.",
    ),
    "an option of another book": (
        {"options": {"reset": "set"}},
        "us-2013 has no option “reset”. It has reserve_ms, delay_ms, lag_credit_ms.",
    ),
    "a Crawford game that cannot be": (
        {"crawford": "now"},
        "crawford can be “now” only when exactly one player needs one point.",
    ),
    "precredited clocks without a Bronstein delay": (
        {"rules": "michigan-2002", "options": {"bronstein": "precredited"}},
        "The option bronstein needs a Bronstein delay.",
    ),
}
COMMANDS = {
    "a cube value of 3": (
        {"do": "propose", "what": "cube", "value": 3, "owner": "left"},
        "value must be a cube: 1, 2, 4, 8 and so on.",
    ),
    "a cube of 1 that is somebody’s": (
        {"do": "propose", "what": "cube", "value": 1, "owner": "left"},
        "A cube at 1 is in the middle, so leave the owner out.",
    ),
    "a score beyond the length": (
        {"do": "propose", "what": "score", "score": [8, 0]},
        "In a match to 7 a score is at most 7, and only one player can have it.",
    ),
    "two winners": (
        {"do": "propose", "what": "score", "score": [7, 7]},
        "In a match to 7 a score is at most 7, and only one player can have it.",
    ),
    "a negative score": (
        {"do": "propose", "what": "score", "score": [-1, 0]},
        "score must be a whole number from 0 to 99.",
    ),
    "more time taken than there is": (
        {"do": "propose", "what": "time", "seat": "left", "by_ms": -840_000},
        "Ann has only 14:00 left: no more than that can be taken away.",
    ),
    "a game for no points": (
        {"do": "propose", "what": "game", "winner": "left", "points": 0},
        "points must be a whole number from 1 to 3072.",
    ),
}
cases = pytest.mark.parametrize


def setup_of(change: dict) -> dict:
    return {"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"], **change}


@cases(("change", "words"), SETUPS.values(), ids=SETUPS)
def test_a_wrong_setting_stops_a_replay_with_the_reason(change: dict, words: str, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"setup": setup_of(change)}) + "\n"))
    with pytest.raises(CommandError) as error:
        call_command("replay", "-", stdout=io.StringIO())
    assert (error.value.returncode, str(error.value)) == (2, f"line 1: {words}")


@cases(("command", "words"), COMMANDS.values(), ids=COMMANDS)
def test_a_wrong_command_in_a_replay_goes_to_standard_error(command: dict, words: str, monkeypatch) -> None:
    lines = [
        {"setup": setup_of({})},
        {"at": 0, "by": "director", "do": "confirm"},
        {"at": 0, "by": "left", "do": "hit"},
    ]
    lines.append({"at": 1_000, "by": "director", **command})
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(line) + "\n" for line in lines)))
    printed, said = io.StringIO(), io.StringIO()
    call_command("replay", "-", stdout=printed, stderr=said)
    last = json.loads(printed.getvalue().splitlines()[-1])
    assert (last["ok"], last["code"], last["status"], last["score"]) == (False, "bad-value", "running", [0, 0])
    assert said.getvalue() == f"line 4: {words}\n"


def arguments_of(setup: dict) -> list[str]:
    """Arguments of `manage.py newmatch` for a setup."""
    arguments = ["--names", *setup["names"], "--rules", setup["rules"], "--length", str(setup["length"])]
    if "format" in setup:
        arguments += ["--format", setup["format"]]
    if "score" in setup:
        arguments += ["--score", *map(str, setup["score"])]
    if "crawford" in setup:
        arguments += ["--crawford", setup["crawford"]]
    for name, value in setup.get("options", {}).items():
        arguments.append(f"--option={name}={value}")
    return arguments


@pytest.mark.django_db(transaction=True)
@cases(("change", "words"), SETUPS.values(), ids=SETUPS)
def test_a_wrong_setting_creates_no_match_on_the_command_line(change: dict, words: str) -> None:
    with pytest.raises(CommandError) as error:
        call_command("newmatch", *arguments_of(setup_of(change)), stdout=io.StringIO())
    assert str(error.value) == words
    assert not Match.objects.exists()


def csv_of(setup: dict) -> str:
    """Draw with a header and one line, for a setup."""
    left, right = setup.get("score", [0, 0])
    options = " ".join(f"{name}={value}" for name, value in setup.get("options", {}).items())
    cells = ["12", *setup["names"], setup["length"], setup["rules"], setup.get("format", ""), left, right, options]
    return f"{','.join(draw_columns.NAMES)}\n{','.join(map(str, cells))}\n"


@cases(
    ("change", "words"),
    [case for case in SETUPS.values() if "crawford" not in case[0]],
    ids=[name for name, case in SETUPS.items() if "crawford" not in case[0]],
)
def test_a_wrong_setting_in_a_draw_is_named_with_its_line(change: dict, words: str) -> None:
    (line,) = draw.parse(csv_of(setup_of(change)), Round(number=1, rules="us-2013", length=7)).lines
    assert (line.number, line.setup, line.faults) == (2, None, (words,))


@pytest.mark.django_db(transaction=True)
@cases(
    ("fields", "words"),
    [
        (
            {"rules": "unified-2001", "format": "doubles"},
            "Unified 2001 · penalty points has no doubles. These have: US 2013 · simple delay, US 2007 · Bronstein, "
            "Modern · simple delay, Custom · the director’s own.",
        ),
        ({"left_score": "7"}, "Before the end of a match to 7 a player has at most 6 points."),
        ({"left_score": "-1"}, "Write the points so far as a whole number, or leave this empty."),
        ({"length": "0"}, "A match is played to a number of points from 1 to 99."),
        ({"rules": "us-1999"}, "Select a valid choice. us-1999 is not one of the available choices."),
        ({"right": "Ann"}, "The two players need different names."),
    ],
)
def test_a_wrong_setting_is_explained_in_the_form(client: Client, fields, words: str) -> None:
    given = {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles", **fields}
    response = client.post("/start/", given)
    assert response.status_code == 400
    assert words in [str(error) for errors in response.context["form"].errors.values() for error in errors]
    assert not Match.objects.exists()
