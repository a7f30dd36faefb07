"""Successive matches at a table."""

import asyncio
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.management import call_command
from django.test import Client

from clocks.models import JournalEntry, Match
from tests.server.hall import begin, do, drawn, next_round, summer_open, win
from tests.server.house import Page, in_loop, sit_down
from tests.server.tournament.test_rounds import at_tables

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_next_match_starts_when_the_table_is_free() -> None:
    first = summer_open()
    playing, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    begin(playing.match)
    code = playing.table.code
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    assert (waiting.match, at_tables()) == (None, [("1", "Ann – Bob"), ("2", "Chi – Dov")])
    win(playing.match)
    waiting.refresh_from_db()
    assert at_tables() == [("1", "Eva – Finn"), ("2", "Chi – Dov")]
    assert (waiting.match.round, waiting.match.status, waiting.match.table.code) == (waiting.round, "setup", code)
    entries = JournalEntry.objects.filter(match=waiting.match).values_list("seq", "by", "event", "data")
    assert list(entries) == [(1, "server", "setup", waiting.setup)]


def test_matches_waiting_for_a_table_start_in_round_order() -> None:
    first = summer_open(length=1)
    (playing,) = drawn(first, "1,Ann,Bob")
    second = next_round(first)
    (last,) = drawn(next_round(second), "1,Gus,Hana")
    (middle,) = drawn(second, "1,Eva,Finn")
    win(playing.match, points=1)
    assert at_tables() == [("1", "Eva – Finn")]
    middle.refresh_from_db()
    win(middle.match, points=1)
    last.refresh_from_db()
    assert (at_tables(), last.match.status) == ([("1", "Gus – Hana")], "setup")


def test_a_match_ended_by_a_ruling_frees_its_table() -> None:
    first = summer_open()
    (absent,) = drawn(first, "1,Ann,Bob")
    drawn(next_round(first), "1,Eva,Finn")
    do(absent.match, "director", do="propose", what="end", winner="right", note="Ann did not come")
    assert at_tables() == [("1", "Eva – Finn")]


def test_a_table_whose_match_is_over_is_taken_at_once() -> None:
    first = summer_open(length=1)
    (playing,) = drawn(first, "1,Ann,Bob")
    win(playing.match, points=1)
    drawn(next_round(first), "1,Eva,Finn")
    assert at_tables() == [("1", "Eva – Finn")]


def test_a_corrected_draw_replaces_only_matches_that_have_not_begun() -> None:
    round_ = summer_open()
    begun, unbegun = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    begin(begun.match)
    drawn(round_, "1,Ann,Bob", "2,Eva,Finn")
    assert at_tables() == [("1", "Ann – Bob"), ("2", "Eva – Finn")]
    assert [str(pairing) for pairing in round_.pairings.order_by("pk")] == ["Ann – Bob", "Eva – Finn"]
    assert JournalEntry.objects.filter(match=unbegun.match_id).count() == 1, "what was recorded stays"


def test_phones_follow_to_the_next_match_without_a_seat() -> None:
    first = summer_open(length=1)
    (playing,) = drawn(first, "1,Ann,Bob")
    (waiting,) = drawn(next_round(first), "1,Eva,Finn")
    match = Match.objects.select_related("table").get(pk=playing.match_id)
    _, token = sit_down(match, "left")

    @in_loop
    async def phones() -> None:
        player, watcher = Page.at(match, token), Page.at(match)
        assert [(await page.open())["match"] for page in (player, watcher)] == [match.pk, match.pk]
        await database_sync_to_async(win)(match, points=1)
        for page in (player, watcher):
            frame = await page.hear("match")
            while frame["match"] == match.pk:
                last, frame = frame, await page.hear("match")
            assert (last["status"], last["winner"]) == ("over", "left"), "the end is told before the next begins"
            seats = [seat["held"] for seat in frame["seats"]]
            assert (frame["names"], frame["status"], seats) == (["Eva", "Finn"], "setup", [False, False])
        assert (await player.do("confirm"))["code"] == "no-seat"
        await asyncio.gather(player.leave(), watcher.leave())

    phones()
    waiting.refresh_from_db()
    assert (waiting.match.left_device, waiting.match.right_device) == (None, None)


def test_a_code_leads_to_the_current_match_of_its_table() -> None:
    first = summer_open(length=1)
    (playing,) = drawn(first, "1,Ann,Bob")
    drawn(next_round(first), "1,Eva,Finn")
    path = f"/t/{playing.table.code}/"
    assert Client().get(path).context["names"] == ("Ann", "Bob")
    win(playing.match, points=1)
    assert Client().get(path).context["names"] == ("Eva", "Finn")


def test_every_journal_verifies_after_several_rounds(capsys: Any) -> None:
    first = summer_open(length=1)
    (playing,) = drawn(first, "1,Ann,Bob")
    drawn(next_round(first), "1,Eva,Finn")
    win(playing.match, points=1)
    call_command("verify")
    assert "all as their journals say" in capsys.readouterr().out
