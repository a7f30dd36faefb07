"""Input and output of `manage.py replay`."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from clocks.engine.replay import run

SETUP = '{"setup": {"rules": "us-2013", "format": "singles", "length": 9, "score": [0, 0]}}'
FIELDS = (
    "at ok code status turn turn_number reserve_ms delay_ms score game crawford cube flagged flag_at control limits "
    "offences forfeit wait_until proposal winner hits called"
).split()


def replayed(*lines: str) -> list[dict]:
    return list(run([SETUP, *lines]))


def test_a_short_match_prints_a_line_for_each_line_with_all_fields() -> None:
    lines = replayed(
        '{"at": 0, "by": "left", "do": "confirm"}',
        '{"at": 0, "by": "right", "do": "confirm"}',
        '{"at": 1000, "by": "left", "do": "hit"}',
        '{"at": 26000, "by": "right", "do": "hit"}',
        '{"at": 30000, "do": "look"}',
    )
    assert [list(line) for line in lines] == [FIELDS] * 6
    assert lines[-1] == {
        "at": 30000,
        "ok": True,
        "code": None,
        "status": "running",
        "turn": "left",
        "turn_number": 2,
        "reserve_ms": [1080000, 1067000],
        "delay_ms": [8000, 12000],
        "score": [0, 0],
        "game": 1,
        "crawford": False,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
        "flagged": None,
        "flag_at": 1118000,
        "control": 1,
        "limits": True,
        "offences": [0, 0],
        "forfeit": [False, False],
        "wait_until": None,
        "proposal": None,
        "winner": None,
        "hits": [1, 1],
        "called": False,
    }


def test_a_refused_line_says_so_and_the_replay_goes_on() -> None:
    lines = replayed('{"at": 0, "by": "left", "do": "hit"}', '{"at": 0, "by": "director", "do": "confirm"}')
    assert [(line["ok"], line["code"], line["status"]) for line in lines[1:]] == [
        (False, "setup-not-confirmed", "setup"),
        (True, None, "ready"),
    ]


def test_a_wrong_value_is_refused_and_a_flag_that_was_due_has_fallen() -> None:
    lines = replayed(
        '{"at": 0, "by": "director", "do": "confirm"}',
        '{"at": 0, "by": "left", "do": "hit"}',
        '{"at": 2000000, "by": "left", "do": "stop", "reason": "hunger"}',
    )
    assert (lines[-1]["code"], lines[-1]["status"], lines[-1]["flagged"]) == ("bad-value", "flagged", "right")


def test_a_recorded_resume_is_applied_as_it_stands() -> None:
    begun = (
        '{"at": 0, "by": "director", "do": "confirm"}',
        '{"at": 0, "by": "left", "do": "hit"}',
        '{"at": 5000, "by": "left", "do": "stop", "reason": "other"}',
    )
    lines = replayed(*begun, '{"at": 9000, "recorded": {"at": 9000, "turn_of": "left"}}')
    assert [lines[-1][field] for field in ("ok", "status", "turn", "turn_number")] == [True, "running", "left", 2]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "line 1: there is no setup: the first line must be {\"setup\": {...}}"),
        (['{"at": 0, "do": "look"}'], "line 1: the first line must be {\"setup\": {...}}"),
        (['{"setup": {"rules": "us-2013", "length": 0}}'], "line 1: length must be a whole number from 1 to 99."),
        ([SETUP, "nonsense"], "line 2: not JSON (Expecting value: line 1 column 1 (char 0))"),
        ([SETUP, "[1]"], "line 2: not a JSON object"),
        ([SETUP, "[" * 100_000], "line 2: not JSON that can be read (nested too deeply)"),
        ([SETUP, '{"do": "look"}'], "line 2: at must be a whole number of milliseconds"),
        ([SETUP, '{"at": true, "do": "look"}'], "line 2: at must be a whole number of milliseconds"),
        ([SETUP, '{"at": 1.5, "do": "look"}'], "line 2: at must be a whole number of milliseconds"),
        ([SETUP, '{"at": 5, "do": "look"}', '{"at": 4, "do": "look"}'], "line 3: at 4 is before the last one, 5"),
        ([SETUP, '{"at": 0, "do": "hit"}'], "line 2: by must be one of left, right, director, server"),
        ([SETUP, '{"at": 0, "recorded": {"at": 0}}'],
         "line 2: recorded must be a resume as an earlier version wrote it"),
        ([SETUP, '{"at": 0, "by": "left", "do": "dance"}'],
         "line 2: do must be one of confirm, hit, stop, resume, double, take, pass, propose, agree, decline, "
         "withdraw, call, answer."),
    ],
)  # fmt: skip
def test_a_malformed_line_stops_the_replay_with_status_2(lines: list[str], words: str, tmp_path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines))
    with pytest.raises(CommandError) as error:
        call_command("replay", str(file), stdout=io.StringIO())
    assert (error.value.returncode, str(error.value)) == (2, words)


def test_the_lines_before_a_malformed_one_are_printed(tmp_path) -> None:
    file, printed = tmp_path / "match.jsonl", io.StringIO()
    file.write_text(f"{SETUP}\n\nnonsense\n")
    with pytest.raises(CommandError, match="line 3"):
        call_command("replay", str(file), stdout=printed)
    assert [json.loads(line)["status"] for line in printed.getvalue().splitlines()] == ["setup"]


def test_standard_input_is_read_with_a_dash(monkeypatch) -> None:
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{SETUP}\n"))
    call_command("replay", "-", stdout=printed)
    assert json.loads(printed.getvalue())["reserve_ms"] == [1_080_000, 1_080_000]


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(CommandError, match=r"cannot read .*nowhere") as error:
        call_command("replay", str(tmp_path / "nowhere"))
    assert error.value.returncode == 2
