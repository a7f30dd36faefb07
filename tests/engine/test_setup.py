"""Valid setups, and error messages for invalid ones."""

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.match import Match
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup

PLAIN = {"rules": "us-2013", "length": 7}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rules": "us-1999"}, "rules must be one of us-2013, us-2007, unified-2001, aba-2003-standard, "
         "aba-2003-bronstein, michigan-2002, modern, custom."),
        ({"length": 0}, "length must be a whole number from 1 to 99."),
        ({"length": "7"}, "length must be a whole number from 1 to 99."),
        ({"format": "triples"}, "format must be one of singles, doubles."),
        ({"rules": "unified-2001", "format": "doubles"},
         "unified-2001 does not cover doubles. Doubles can be played under us-2013, us-2007, modern, custom."),
        ({"score": [7, 0]}, "score in a match to 7 must be a whole number from 0 to 6."),
        ({"score": 3}, "score must be a pair [left, right]."),
        ({"crawford": "maybe"}, "crawford must be one of none, now, done."),
        ({"crawford": "now"}, "crawford can be “now” only when exactly one player needs one point."),
        ({"crawford": "done"}, "crawford can be “done” only when a player needs one point."),
        ({"names": ["Ann", " "]}, "Both players need a name."),
        ({"names": ["Ann", "Ann"]}, "The two players need different names."),
        ({"names": ["Ann", "x" * 81]}, "a name must be text of at most 80 characters."),
        ({"names": ["Ann", "B\x00b"]}, "a name must be text, without control characters."),
        ({"names": ["Ann", "B\udcffb"]}, "a name must be text, without control characters."),
        (
            {"names": ["Ann", "B\u202eob"]},
            "a name must not contain the invisible character U+202E. Type it again without that character.",
        ),
        (
            {"names": ["Ann", "Bo\u200db"]},
            "a name must not contain the invisible character U+200D. Type it again without that character.",
        ),
        (
            {"names": ["Ann", "\u3164"]},
            "a name must not contain the invisible character U+3164. Type it again without that character.",
        ),
        ({"options": {"reset": "add"}}, "us-2013 has no option “reset”. It has reserve_ms, delay_ms, lag_credit_ms."),
        ({"options": {"reserve_ms": -1}}, "reserve_ms must be a whole number from 1 to 86400000."),
        ({"options": {"reserve_ms": [1, 0]}}, "reserve_ms must be a whole number from 1 to 86400000."),
        ({"options": {"lag_credit_ms": 5000}}, "lag_credit_ms must be a whole number from 0 to 2000."),
        ({"options": []}, "options must be an object."),
        ({"colour": "red"}, "A setup has no “colour”."),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused_with_what_is_allowed(change: dict, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        Setup.parse({**PLAIN, **change})
    assert (refusal.value.code, refusal.value.words) == ("bad-value", words)


@pytest.mark.parametrize("name", ["علی\u200cرضا", "ශ්\u200dරී", "क्\u200dष", "José Ñandú", "小林"])
def test_a_name_keeps_the_joiners_of_its_script(name: str) -> None:
    assert Setup.parse({**PLAIN, "names": ["Ann", name]}).names == ("Ann", name)


def test_a_stored_setting_keeps_its_names() -> None:
    stored = {**PLAIN, "names": ["Ann", "B\u202eob"]}
    assert Setup.from_dict(stored).names == ("Ann", "B\u202eob")


def test_a_name_is_one_line_however_it_was_typed() -> None:
    assert Setup.parse({**PLAIN, "names": [" Ann\n Alba ", "B\tB"]}).names == ("Ann Alba", "B B")


@pytest.mark.parametrize(
    ("score", "crawford"),
    [([0, 0], "none"), ([6, 0], "now"), ([3, 6], "now"), ([6, 6], "done"), ([5, 5], "none")],
)
def test_the_crawford_game_defaults_to_the_score(score: list[int], crawford: str) -> None:
    assert Setup.parse({**PLAIN, "score": score}).crawford == crawford


@pytest.mark.parametrize("rules", list(RULESETS))
def test_a_setting_survives_a_round_trip(rules: str) -> None:
    setup = Setup.parse({"rules": rules, "length": 9, "score": [1, 2], "options": {"reserve_ms": [5, 6]}})
    assert Setup.parse(setup.to_dict()) == setup


@pytest.mark.parametrize("rules", list(RULESETS))
def test_a_state_survives_a_round_trip(rules: str) -> None:
    match = Match.begin(Setup.parse({"rules": rules, "length": 9}))
    assert Match.from_dict(match.to_dict()) == match


@pytest.mark.parametrize("rules", list(RULESETS))
def test_every_rule_set_answers_for_its_option_names(rules: str) -> None:
    for option in RULESETS[rules].options:
        with pytest.raises(Refused) as refusal:
            Setup.parse({"rules": rules, "length": 5, "options": {option: "nonsense"}})
        assert refusal.value.words.startswith(option)


def test_a_state_of_an_earlier_version_gets_defaults_for_new_fields() -> None:
    match = Match.begin(Setup.parse(PLAIN))
    written = match.to_dict()
    del written["freeze_next"], written["called_at"]
    assert Match.from_dict(written) == match
