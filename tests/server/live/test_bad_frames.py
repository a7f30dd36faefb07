"""A malformed frame gets a reply, changes nothing and closes no socket."""

import logging

import pytest
from channels.db import database_sync_to_async

from clocks.models import JournalEntry, Match
from tests.server.house import Page, in_loop, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

DO = '{"t":"do","id":"x",'
NOT_AN_OBJECT = "A message is one JSON object."
NO_T = "t must be do, ping, probe, seat or take."
NO_ID = "Every command carries an id of 1 to 64 characters."
A_NUMBER = "c must be a number."
A_REASON = "reason must be one of concession, break, dice, contest, dice-picked-up, score, director, other."
AN_INSTANT = "at must be a whole number of milliseconds since 1970."

# frame, id in the reply, code, message (None: any)
FRAMES = [
    ("hello", None, "bad-message", NOT_AN_OBJECT),
    ("{", None, "bad-message", NOT_AN_OBJECT),
    ("null", None, "bad-message", NOT_AN_OBJECT),
    ("17", None, "bad-message", NOT_AN_OBJECT),
    ('"do"', None, "bad-message", NOT_AN_OBJECT),
    ("[]", None, "bad-message", NOT_AN_OBJECT),
    ('[{"t":"ping","c":1}]', None, "bad-message", NOT_AN_OBJECT),
    ('{"t":"ping","c":1}{"t":"ping","c":1}', None, "bad-message", NOT_AN_OBJECT),
    ("[" * 4000, None, "bad-message", NOT_AN_OBJECT),
    ('{"t":"ping","c":"\\ud800"}', None, "bad-message", NOT_AN_OBJECT),
    ("\x00", None, "bad-message", NOT_AN_OBJECT),
    (b"\x00\xff", None, "bad-message", "Messages are text, not binary."),
    (b'{"t":"ping","c":1}', None, "bad-message", "Messages are text, not binary."),
    ('{"t":"ping","c":1,"x":"' + "a" * 4096 + '"}', None, "bad-message", "A message may have at most 4096 bytes."),
    ('{"t":"ping","c":1,"x":"' + "é" * 2048 + '"}', None, "bad-message", "A message may have at most 4096 bytes."),
    ("{}", None, "bad-message", NO_T),
    ('{"t":null}', None, "bad-message", NO_T),
    ('{"t":"drop table"}', None, "bad-message", NO_T),
    ('{"t":{"t":"do"}}', None, "bad-message", NO_T),
    ('{"t":["do"],"id":"x"}', "x", "bad-message", NO_T),
    ('{"t":"match","id":"x"}', "x", "bad-message", NO_T),
    ('{"t":"ping"}', None, "bad-value", A_NUMBER),
    ('{"t":"ping","c":"1"}', None, "bad-value", A_NUMBER),
    ('{"t":"ping","c":true}', None, "bad-value", A_NUMBER),
    ('{"t":"ping","c":[1]}', None, "bad-value", A_NUMBER),
    ('{"t":"ping","c":NaN}', None, "bad-message", NOT_AN_OBJECT),
    ('{"t":"ping","c":Infinity}', None, "bad-message", NOT_AN_OBJECT),
    ('{"t":"ping","c":1e999}', None, "bad-message", NOT_AN_OBJECT),
    ('{"t":"probe"}', None, "bad-value", "p must be the number of the probe."),
    ('{"t":"probe","p":"1"}', None, "bad-value", "p must be the number of the probe."),
    ('{"t":"do","do":"hit"}', None, "bad-message", NO_ID),
    ('{"t":"do","id":5,"do":"hit"}', None, "bad-message", NO_ID),
    ('{"t":"do","id":"","do":"hit"}', None, "bad-message", NO_ID),
    ('{"t":"do","id":"' + "x" * 65 + '","do":"hit"}', None, "bad-message", NO_ID),
    ('{"t":"do","id":"a\\u0000b","do":"hit"}', None, "bad-message", NO_ID),
    ('{"t":"do","id":null,"do":"hit"}', None, "bad-message", NO_ID),
    (DO + '"do":"win"}', "x", "bad-message", None),
    (DO + '"do":null}', "x", "bad-message", None),
    (DO + '"do":["hit"]}', "x", "bad-message", None),
    (DO + '"do":{"do":"hit"}}', "x", "bad-message", None),
    (DO + '"nothing":1}', "x", "bad-message", None),
    (DO + '"do":"look"}', "x", "bad-message", "Only the server may send “look”."),
    (DO + '"do":"expire"}', "x", "bad-message", "Only the server may send “expire”."),
    (DO + '"do":"take-seat","device":1,"seats":["left"]}', "x", "bad-message", "Only the server may send “take-seat”."),
    (DO + '"do":"hit","seat":"middle"}', "x", "bad-value", "seat must be left or right."),
    (DO + '"do":"hit","seat":0}', "x", "bad-value", "seat must be left or right."),
    (DO + '"do":"hit","seat":["right"]}', "x", "bad-value", "seat must be left or right."),
    (DO + '"do":"hit","seat":"left"}', "x", "no-seat", "Ann has not taken a seat yet."),
    (DO + '"do":"hit","at":"now"}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","at":1.5}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","at":true}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","at":-1}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","at":99999999999999999999999}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","at":9223372036854775807}', "x", "bad-value", AN_INSTANT),
    (DO + '"do":"hit","turn_number":"1"}', "x", "bad-value", None),
    (DO + '"do":"hit","turn_number":1.0}', "x", "bad-value", None),
    (DO + '"do":"hit","turn_number":-1}', "x", "bad-value", None),
    (DO + '"do":"hit","turn_number":0}', "x", "stale", "That turn is already over."),
    (DO + '"do":"hit","turn_number":2}', "x", "stale", "That turn is already over."),
    (DO + '"do":"hit","match":"1"}', "x", "bad-value", "match must be the number of a match."),
    (DO + '"do":"hit","match":-1}', "x", "bad-value", "match must be the number of a match."),
    (DO + '"do":"stop","reason":"lunch"}', "x", "bad-value", A_REASON),
    (DO + '"do":"stop","reason":"outage"}', "x", "bad-value", None),
    (DO + '"do":"stop","reason":7}', "x", "bad-value", None),
    (DO + '"do":"resume","turn_of":"nobody"}', "x", "bad-value", None),
    (DO + '"do":"resume","fresh_delay":"yes"}', "x", "bad-value", None),
    (DO + '"do":"propose"}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"peace"}', "x", "bad-value", None),
    (DO + '"do":"propose","what":["game"]}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"expiry"}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"game","winner":"left","points":0}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"game","winner":"left","points":1e400}', None, "bad-message", NOT_AN_OBJECT),
    (DO + '"do":"propose","what":"score","score":[1]}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"cube","value":3}', "x", "bad-value", None),
    (DO + '"do":"propose","what":"time","seat":"left","by_ms":"5"}', "x", "bad-value", None),
    (DO + '"do":"answer"}', "x", "not-director", "In a match between the two of you nobody can do that."),
    (DO + '"do":"call","note":7}', "x", "bad-value", None),
    (DO + '"do":"call","note":"' + "x" * 401 + '"}', "x", "bad-value", None),
    (DO + '"do":"call","note":"a\\u0000b"}', "x", "bad-value", "note must be text, without control characters."),
    (DO + '"do":"agree","note":{}}', "x", "bad-value", None),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "id_", "code", "words"), FRAMES, ids=lambda value: repr(value)[:60])
@in_loop
async def test_a_malformed_frame_is_answered_and_changes_nothing(frame, id_, code, words, caplog) -> None:
    match = await database_sync_to_async(running_match)()
    _, token = await database_sync_to_async(sit_down)(match, "right")
    page = Page.at(match, token)
    await page.open()
    await page.say(frame)
    answer = await page.hear()
    assert answer == {"t": "refused", "id": id_, "code": code, "v": 4, "words": words or answer["words"]}
    assert answer["words"]
    assert await page.is_silent()
    assert (await page.do("hit", "still there", turn_number=1))["v"] == 5
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert await database_sync_to_async(_stored)(match) == (5, 5)


def _stored(match: Match) -> tuple[int, int]:
    match.refresh_from_db()
    return match.version, JournalEntry.objects.filter(match=match).count()
