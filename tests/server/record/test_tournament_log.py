"""Text of tournament log entries, as stored by all versions."""

from typing import Any

import pytest

from clocks.journal import tournament_events
from clocks.models import HallEntry, Tournament
from clocks.record import tournament_record

WON: dict[str, Any] = {"winner": "Ann", "score": [7, 5]}
WON_BY_BOB: dict[str, Any] = {"winner": "Bob", "score": None}

STORED: list[tuple[str, dict[str, Any], str]] = [
    ("stopped_all", {"reason": "Fire alarm"}, "Stopped all clocks"),
    ("resumed_all", {"stops": [4]}, "Resumed all stopped clocks"),
    (
        "message_sent",
        {"text": "Lunch", "tables": [], "minutes": 15},
        "Message to all tables, for 15 min: “Lunch”",
    ),
    (
        "message_sent",
        {"text": "Come", "tables": ["A1", "2"], "minutes": 5},
        "Message to tables A1, 2, for 5 min: “Come”",
    ),
    ("message_withdrawn", {"text": "Lunch"}, "Withdrew the message “Lunch”"),
    ("code_replaced", {"table": "3", "after": "BCDF", "reason": "lost"}, "Gave table 3 the new code BCDF"),
    ("round_made", {"round": 2}, "Created round 2"),
    ("round_started", {"round": 2, "matches": 1}, "Started 1 match of round 2"),
    ("round_started", {"round": 2, "matches": 8}, "Started 8 matches of round 2"),
    (
        "round_drawn",
        {"round": 2, "made": 3, "kept": 4, "gone": 5},
        "Drew round 2 (new matches: 3, unchanged: 4, taken back: 5)",
    ),
    ("draw_imported", {"round": 2}, "Imported the draw of round 2"),
    ("match_added", {"match": "Ann – Bob", "table": "3", "round": 2}, "Drew Ann – Bob at table 3 in round 2"),
    (
        "match_entered",
        {"match": "Ann – Bob", "table": "3", "round": 2, "phone": 9},
        "Entered Ann – Bob at table 3 in round 2",
    ),
    (
        "match_struck_out",
        {"match": "Ann – Bob", "table": "3"},
        "Struck out Ann – Bob at table 3, which the players had entered",
    ),
    (
        "match_moved",
        {"match": "Ann – Bob", "before": "3", "after": "4"},
        "Moved Ann – Bob from table 3 to table 4",
    ),
    (
        "result_entered",
        {"pairing": 7, "match": "Ann – Bob", "after": WON},
        "Entered the result of Ann – Bob: “Ann won, 7–5”",
    ),
    (
        "result_corrected",
        {"pairing": 7, "match": "Ann – Bob", "before": WON, "after": WON_BY_BOB, "reason": "slip"},
        "Corrected the result of Ann – Bob: it was “Ann won, 7–5” and is “Bob won”",
    ),
    (
        "result_withdrawn",
        {"pairing": 7, "match": "Ann – Bob", "before": WON_BY_BOB, "reason": "slip"},
        "Took back the result of Ann – Bob, which was “Bob won”",
    ),
    ("players_listed", {}, "Imported a list of players"),
    ("player_renamed", {"was": "An", "player": "Ann", "reason": ""}, "Changed the name of An to Ann"),
    ("player_joined", {"was": "An", "player": "Ann", "reason": ""}, "Merged An and Ann into one player"),
    (
        "place_taken",
        {"was": "Ann", "player": "Zoe", "reason": "late"},
        "Gave the place of Ann in the draw to Zoe",
    ),
    ("player_admitted", {"player": "Ann"}, "Admitted Ann, who had entered by phone"),
    ("player_declined", {"player": "Ann"}, "Declined Ann, who had entered by phone"),
    ("entry_opened", {}, "Let players enter by phone"),
    ("entry_closed", {}, "No longer lets players enter by phone"),
    (
        "names_corrected",
        {"was": "Ann – Bob", "player": "Ann – Cyd", "reason": "slip"},
        "Corrected who played: Ann – Cyd, not Ann – Bob",
    ),
    ("names_removed", {}, "Removed all names and notes"),
    ("tournament_made", {}, "Created the tournament"),
    ("archived", {}, "Put the tournament in the archive"),
    ("brought_back", {}, "Brought the tournament back from the archive"),
    (
        "invited",
        {"role": "helper", "until": "2026-11-23 10:00"},
        "Created an invitation as helper, valid until 2026-11-23 10:00 UTC",
    ),
    ("invite_revoked", {"role": "helper"}, "Revoked an invitation as helper"),
    ("joined", {"role": "helper", "by": "dora"}, "Joined as helper, invited by dora"),
    (
        "role_changed",
        {"of": "dora", "before": "helper", "after": "director"},
        "Changed dora’s role to director (was helper)",
    ),
    ("removed", {"of": "dora", "role": "helper"}, "Removed dora (helper)"),
    (
        "token_made",
        {"token": "Draws", "role": "director", "until": "2026-11-23 10:00"},
        "Created a token for the program Draws as director, valid until 2026-11-23 10:00 UTC",
    ),
    (
        "token_made",
        {"token": "Draws", "role": "director", "until": ""},
        "Created a token for the program Draws as director, valid until it is revoked",
    ),
    ("token_revoked", {"token": "Draws"}, "Revoked the token of the program Draws"),
    ("webhook_made", {"address": "example.org"}, "Started sending events to example.org"),
    ("webhook_removed", {"address": "example.org"}, "Stopped sending events to example.org"),
    ("feed_opened", {}, "Opened the feed to everybody"),
    ("feed_closed", {}, "Limited the feed to programs with a token"),
]
# Before the feed existed, results did not name their pairing.
WITHOUT_PAIRING = [
    (name, {key: value for key, value in data.items() if key != "pairing"}, words)
    for name, data, words in STORED
    if "pairing" in data
]


@pytest.mark.parametrize(("name", "data", "words"), [*STORED, *WITHOUT_PAIRING])
def test_every_entry_has_its_sentence(name: str, data: dict[str, Any], words: str) -> None:
    event = tournament_events.parse(name, data)
    assert event is not None
    assert tournament_record.sentence(event) == words


@pytest.mark.django_db
def test_an_entry_of_an_unknown_kind_shows_its_name() -> None:
    tournament = Tournament.objects.create(slug="open", name="Open")
    HallEntry.objects.create(tournament=tournament, at=0, event="hall_painted", data={"colour": "red"})
    (line,) = tournament_record.lines(tournament)
    assert (line.who, line.what, line.why) == ("The server", "hall painted", "")
