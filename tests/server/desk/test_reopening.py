"""Reopening a match: permission, table, record, earlier versions."""

from io import StringIO

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.core.management import call_command

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.journal import entries
from clocks.journal.entries import replay_lines
from clocks.models import JournalEntry, Match, Pairing, Table
from clocks.record import match_record
from clocks.record.turn_times import of_match
from clocks.tournament import corrections
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open, win
from tests.server.house import Page, in_loop, sit_down
from tests.server.tournament.test_rounds import at_tables
from tests.server.who_may import socket_of

pytestmark = pytest.mark.django_db(transaction=True)

REOPEN = {"do": "propose", "what": "reopen", "note": "Table 7 was meant"}


def verified() -> str:
    printed = StringIO()
    call_command("verify", stdout=printed)
    return printed.getvalue()


def refusal(match: Match) -> str:
    """Try to reopen a match, which must be rejected; return the desk's error message."""
    answer = desk.submit_and_wait(desk.Request(match.pk, parse_command(REOPEN), "director"))
    assert (answer.ok, answer.code) == (False, "bad-value")
    return answer.words


def test_a_match_ended_by_mistake_goes_on_and_one_more_entry_says_so() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    do(pairing.match, "director", do="propose", what="end", winner="right", note="Ann left")
    do(pairing.match, "director", **REOPEN)
    match = Match.objects.get(pk=pairing.match.pk)
    assert (match.status, match.state["turn_number"], match.state["winner"]) == ("stopped", 1, None)
    *_, ended, back = JournalEntry.objects.filter(match=match).order_by("seq")
    assert [(entry.event, entry.by) for entry in (ended, back)] == [
        ("match_ended", "director"),
        ("reopened", "director"),
    ]
    assert (back.data, back.command) == ({"at": back.at, "note": "Table 7 was meant", "stops": True}, REOPEN)
    assert verified() == f"1 matches, {match.version} journal entries: all as their journals say\n"
    *_, last = replay_lines(match.pk)
    assert last == {"at": back.at, "by": "director", **REOPEN}
    lines = list(match_record.lines(match.pk))
    assert (lines[-1].what, lines[-1].why) == ("The director took back the end of the match", "Table 7 was meant")
    assert lines[-1].is_ruling
    do(match, "director", do="resume")


def test_the_record_says_that_a_game_was_reopened_and_lists_each_turn_once() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    do(pairing.match, "director", do="propose", what="game", winner="left", points=1)
    do(pairing.match, "director", **REOPEN)
    do(pairing.match, "director", do="resume")
    do(pairing.match, "right", do="hit")
    lines = list(match_record.lines(pairing.match.pk))
    assert lines[-3].what == "The director took back the end of the last game"
    assert [(turn.number, turn.seat) for turn in of_match(pairing.match.pk)] == [(1, Seat.RIGHT)]


def test_the_next_pairing_waits_again_if_it_has_not_begun() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    win(playing.match)
    assert at_tables() == [("1", "Eva – Finn")]
    do(playing.match, "director", **REOPEN)
    waiting.refresh_from_db()
    assert (at_tables(), waiting.match) == ([("1", "Ann – Bob")], None)
    do(playing.match, "director", do="resume")
    win(playing.match)
    waiting.refresh_from_db()
    assert (at_tables(), waiting.match.status) == ([("1", "Eva – Finn")], "setup")
    assert verified().endswith("all as their journals say\n")


def test_reopening_does_not_replace_an_unfinished_match() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    win(playing.match)
    waiting.refresh_from_db()
    begin(waiting.match)
    words = "Table 1 is now playing Eva – Finn. End that match or move it to another table first."
    assert refusal(playing.match) == words
    do(waiting.match, "director", do="stop", reason="director")
    assert (refusal(playing.match), at_tables()) == (words, [("1", "Eva – Finn")])
    assert Match.objects.get(pk=playing.match.pk).status == "over"
    do(waiting.match, "director", do="propose", what="end", winner="left")
    do(playing.match, "director", **REOPEN)
    assert at_tables() == [("1", "Ann – Bob")]


@pytest.mark.parametrize("by", ["page", "socket"])
def test_a_refused_reopening_stops_no_later_match(by: str) -> None:
    first = summer_open()
    playing, _other = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    win(playing.match)
    (final,) = drawn(next_round(first), "1,Ann,Chi")
    begin(final.match)
    if by == "page":
        director, path = client_of("director"), f"/director/open/match/{playing.match.pk}/reopen/"
        seen = director.get(path).context["seen"]
        answer = director.post(path, {"note": "Not over yet", "seen": seen})
        assert "Table 1 is now playing Ann – Chi." in answer.content.decode()
    else:
        user = User.objects.create(username="dora")
        hold, then = corrections.beside_reopening(playing.match.pk, user)
        asked = desk.Request(playing.match.pk, parse_command(REOPEN), "director", alongside=hold)
        assert [reply.ok for reply in desk.submit_all_and_wait([asked, *then])] == [False, False]
    states = [Match.objects.get(pk=each.match.pk).status for each in (playing, final)]
    assert (states, final.places.exists()) == (["over", "running"], False)


def test_a_match_in_a_break_between_games_has_begun() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    win(playing.match)
    waiting.refresh_from_db()
    win(waiting.match, points=1)
    do(waiting.match, "left", do="stop", reason="break")
    assert Match.objects.get(pk=waiting.match.pk).status == "setup"
    assert (
        refusal(playing.match) == "Table 1 is now playing Eva – Finn. End that match or move it to another table first."
    )


def test_a_match_made_by_hand_at_the_table_is_not_lost() -> None:
    (playing,) = drawn(summer_open(), "1,Ann,Bob")
    win(playing.match)
    table = Table.objects.get(pk=playing.table_id)
    desk.make_match(table, Setup.parse({"rules": "us-2013", "length": 3, "names": ["Gus", "Hana"]}))
    assert (
        refusal(playing.match) == "Table 1 is now playing Gus – Hana. End that match or move it to another table first."
    )
    assert at_tables() == [("1", "Gus – Hana")]


def test_an_old_match_is_reopened_from_its_journal() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    do(pairing.match, "director", do="propose", what="end", winner="right")
    match = Match.objects.get(pk=pairing.match.pk)
    del match.state["last_end"]
    match.save(update_fields=["state"])
    desk.forget()
    do(pairing.match, "director", **REOPEN)
    match.refresh_from_db()
    assert (match.status, match.state["clock"]["turn"]) == ("stopped", "right")
    assert verified().endswith("all as their journals say\n")


def test_a_request_to_reopen_reads_no_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    (pairing,) = drawn(summer_open(length=1), "1,Ann,Bob")
    monkeypatch.setattr(entries, "refold", lambda match_id: pytest.fail("it read the journal"))
    assert refusal(pairing.match) == "There is no end to take back."
    begin(pairing.match)
    win(pairing.match, "left", 1)
    do(pairing.match, "director", **REOPEN)
    assert Match.objects.get(pk=pairing.match.pk).status == "stopped"


def test_a_phone_that_joins_after_the_end_looks_for_no_next_match(monkeypatch: pytest.MonkeyPatch) -> None:
    (pairing,) = drawn(summer_open(length=1), "1,Ann,Bob")
    begin(pairing.match)
    win(pairing.match, "left", 1)
    looked: list[object] = []
    monkeypatch.setattr(desk.batch.pairings, "fill_places", lambda ids: looked.append(ids) or set())
    version = Match.objects.get(pk=pairing.match.pk).version
    sit_down(pairing.match, "left")
    match = Match.objects.get(pk=pairing.match.pk)
    assert (match.status, match.version, looked) == ("over", version + 1, [])


def test_reopening_without_an_end_is_refused() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    assert refusal(pairing.match) == "There is no end to take back."


@pytest.mark.parametrize("role", ["owner", "director", "helper", "viewer"])
@in_loop
async def test_a_director_takes_back_an_end_and_a_helper_does_not(role: str) -> None:
    in_thread = database_sync_to_async
    (pairing,) = await in_thread(drawn)(await in_thread(summer_open)(), "1,Ann,Bob")
    match = await Match.objects.aget(pk=pairing.match_id)
    await in_thread(win)(match)
    page = socket_of(await in_thread(client_of)(role), "/ws/director/open/")
    await page.open()
    answer = await page.do("propose", "id-1", match=match.pk, what="reopen", note="wrong winner")
    may = role in ("owner", "director")
    assert (answer["t"], answer.get("code")) == (("ack", None) if may else ("refused", "not-director"))
    assert (await Match.objects.aget(pk=match.pk)).status == ("stopped" if may else "over")


@in_loop
async def test_a_reopened_match_is_back_on_phones_and_the_directors_page() -> None:
    in_thread = database_sync_to_async
    first = await in_thread(summer_open)()
    (playing,) = await in_thread(drawn)(first, "1,Ann,Bob")
    await in_thread(drawn)(await in_thread(next_round)(first), "1,Eva,Finn")
    match = await Match.objects.select_related("table").aget(pk=playing.match_id)
    _, ann = await in_thread(sit_down)(match, "left")
    await in_thread(win)(match)
    phone = Page.at(match, ann)
    director = socket_of(await in_thread(client_of)("director"), "/ws/director/open/")
    assert (await phone.open())["names"] == ["Eva", "Finn"]
    assert [board["names"] for board in (await director.open())["boards"]] == [["Eva", "Finn"]]
    await in_thread(do)(match, "director", **REOPEN)
    back = await phone.hear("match")
    assert (back["match"], back["status"], back["turn"], back["reopens"]) == (match.pk, "stopped", "right", None)
    assert [seat["held"] for seat in back["seats"]] == [True, False]
    assert (await director.hear("match"))["match"] == match.pk
    assert await in_thread(at_tables)() == [("1", "Ann – Bob")]
    assert (await Pairing.objects.aget(setup__names=["Eva", "Finn"])).match_id is None


def test_the_reopening_page_asks_for_a_reason() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    director, path = client_of("director"), f"/director/open/match/{pairing.match.pk}/reopen/"
    begin(pairing.match)
    assert director.get(path).status_code == 409
    win(pairing.match)
    record = f"/director/open/match/{pairing.match.pk}/"
    offered = [f'href="{path}"' in client_of(role).get(record).content.decode() for role in ("director", "helper")]
    assert offered == [True, False]
    assert "Ann won the match. The score is 3–0." in director.get(path).content.decode()
    assert director.post(path, {"note": " "}).status_code == 400
    assert Match.objects.get(pk=pairing.match.pk).status == "over"
    response = director.post(path, {"note": "Bob won"})
    assert (response.status_code, response["Location"]) == (302, f"/director/open/#match-{pairing.match.pk}")
    *_, last = match_record.lines(pairing.match.pk)
    assert (last.what, last.who, last.why) == ("The director took back the end of the match", "director", "Bob won")


def test_the_reopening_page_says_why_it_is_impossible() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    win(playing.match)
    waiting.refresh_from_db()
    begin(waiting.match)
    path = f"/director/open/match/{playing.match.pk}/reopen/"
    response = client_of("director").post(path, {"note": "Bob won"})
    words = "Table 1 is now playing Eva – Finn. End that match or move it to another table first."
    assert (response.status_code, words in response.content.decode()) == (400, True)


def test_a_corrected_score_without_a_winner_restores_the_table() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    second = next_round(first)
    (waiting,) = drawn(second, "1,winner of table 1,Zoe")
    win(playing.match)
    waiting.refresh_from_db()
    assert (at_tables(), waiting.setup["names"]) == ([("1", "Ann – Zoe")], ["Ann", "Zoe"])
    not_won = {"do": "propose", "what": "score", "score": [2, 0], "note": "It was 2–0"}
    do(playing.match, "director", **not_won)
    waiting.refresh_from_db()
    assert (at_tables(), waiting.match) == ([("1", "Ann – Bob")], None)
    assert waiting.setup["names"] == ["winner of table 1, round 1", "Zoe"]
    do(playing.match, "left", do="hit")
    win(playing.match, points=1)
    begin(Pairing.objects.get(pk=waiting.pk).match)
    answer = desk.submit_and_wait(desk.Request(playing.match.pk, parse_command(not_won), "director"))
    assert answer.words == "Table 1 is now playing Ann – Zoe. End that match or move it to another table first."
    assert Match.objects.get(pk=playing.match.pk).status == "over"
