"""What the record keeps of a ruling and a call besides what they change: who, when and why."""

from clocks.engine.commands import Call, Propose, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.proposals import SetScore
from clocks.engine.setup import Setup


def test_a_ruling_keeps_its_reason_in_the_command_and_not_in_the_terms() -> None:
    given = {"do": "propose", "what": "score", "score": [1, 2], "note": "written down wrongly"}
    command = parse_command(given)
    assert command == Propose(SetScore((1, 2)), "written down wrongly")
    assert command.to_dict() == given


def test_a_ruling_without_a_reason_is_written_down_as_it_was_asked() -> None:
    given = {"do": "propose", "what": "undo"}
    assert parse_command(given).to_dict() == given


def test_a_call_says_who_made_it_when_and_why() -> None:
    match = Match.begin(Setup.parse({"rules": "us-2013", "length": 3}))
    called = perform(match, Call("a dice is on the floor"), "right", 7000).match
    wire = called.wire(9000)
    assert {key: wire[key] for key in ("called", "called_by", "called_at", "call_note")} == {
        "called": True,
        "called_by": "right",
        "called_at": 7000,
        "call_note": "a dice is on the floor",
    }
