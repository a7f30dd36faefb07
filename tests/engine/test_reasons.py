"""Author, time and reason of rulings and calls in the record."""

from clocks.engine.commands import Call, Propose, RemoveNames, StopAll, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import DirectorCalled
from clocks.engine.match import Halt, Match
from clocks.engine.proposals import SetScore
from clocks.engine.setup import Setup
from tests.engine.board import Board, running


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


def test_a_repeated_call_changes_nothing() -> None:
    board = Board()
    board.does(0, "left", "hit")
    board.does(7000, "right", "call", note="a dice is on the floor")
    called, events = board.match, list(board.events)
    for by, note in (("right", {}), ("left", {}), ("right", {"note": "a dice is on the floor"})):
        board.does(9000, by, "call", **note)
    assert (board.match, board.events) == (called, events)


def test_the_other_players_reason_for_a_call_is_kept() -> None:
    board = Board()
    board.does(7000, "right", "call", note="a dice is on the floor")
    board.does(9000, "left", "call", note="it was cocked")
    notes = [event.note for event in board.events if isinstance(event, DirectorCalled)]
    assert (notes, board.match.call_note) == (["a dice is on the floor", "it was cocked"], "it was cocked")


def test_a_repeated_call_still_stops_a_running_clock() -> None:
    board = Board()
    board.does(0, "left", "hit")
    for at in (7000, 9000):
        assert board.does(at, "right", "call")["status"] == "stopped"
        board.does(at, "left", "resume")
    assert board.match.called


def test_a_call_after_the_answer_calls_again() -> None:
    board = Board()
    board.does(7000, "right", "call", note="a dice is on the floor")
    board.does(8000, "director", "answer")
    board.does(9000, "right", "call", note="a dice is on the floor")
    assert (board.match.called, board.match.called_at) == (True, 9000)


def test_removing_the_names_empties_the_notes_and_keeps_the_stop() -> None:
    stopped = perform(running().match, StopAll(4, "fire alarm"), "director", 3000).match
    called = perform(stopped, Call("Ann left"), "right", 4000).match
    cleared = perform(called, RemoveNames(("A", "B")), "server", 5000).match
    assert (cleared.halt, cleared.call_note) == (Halt("director", "director", 3000, 4, ""), "")
    assert (cleared.setup.names, cleared.called) == (("A", "B"), True)
