"""Players of later matches after a match is reopened and decided again."""

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User

from clocks import desk
from clocks.desk import batch
from clocks.engine.commands import Look
from clocks.models import Match, Pairing, Place
from clocks.tournament import forgetting, without_clock
from clocks.tournament.players import correct
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open, win
from tests.server.house import in_loop, sit_down
from tests.server.who_may import socket_of

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async


def played(*lines: str) -> tuple[Match, Match]:
    """Ann's win at table 1, and a running final against Chi, who won at table 2."""
    first = summer_open()
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    (final,) = drawn(next_round(first), *lines) if "winner" in lines[0] else (None,)
    for each in made:
        assert each.match
        win(each.match)
    if final is None:
        (final,) = drawn(next_round(first), *lines)
    match = Pairing.objects.select_related("match").get(pk=final.pk).match
    assert made[0].match and match
    begin(match)
    return made[0].match, match


def names(match: Match) -> list[str]:
    """Names of the players in a match's stored state."""
    found: list[str] = Match.objects.get(pk=match.pk).state["setup"]["names"]
    return found


def settle(match: Match) -> None:
    """Wait until the desk has settled earlier requests and their follow-ups."""
    for _turn in range(2):  # follow-ups are settled in the next batch
        desk.submit_and_wait(desk.Request(match.pk, Look(), "server"))


def stopped_after_the_result(monkeypatch: pytest.MonkeyPatch) -> tuple[Match, Match]:
    """Decide a match again, as if the server stopped right after the commit."""
    match, final = played("7,winner of table 1,winner of table 2")
    do(match, "director", do="propose", what="reopen", note="Bob won")
    with monkeypatch.context() as patched:
        patched.setattr(batch, "_other_players", lambda match_ids: [])
        do(match, "director", do="propose", what="end", winner="right")
    settle(match)
    assert names(final) == ["Ann", "Chi"]
    return match, final


def test_players_change_although_the_server_stopped_before_it_did_that(monkeypatch: pytest.MonkeyPatch) -> None:
    match, final = stopped_after_the_result(monkeypatch)
    sit_down(final, "left")
    chi, _token = sit_down(final, "right")
    desk.finish_exchanges()
    settle(match)
    assert names(final) == ["Bob", "Chi"]
    assert Pairing.objects.get(match=final).setup["names"] == ["Bob", "Chi"]
    now = Match.objects.get(pk=final.pk)
    assert (now.left_device_id, now.right_device_id) == (None, chi.pk)
    desk.finish_exchanges()
    settle(match)
    assert Match.objects.get(pk=final.pk).version == now.version


def test_what_a_director_corrected_since_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    match, final = stopped_after_the_result(monkeypatch)
    dora = User.objects.create(username="dora")
    correct(Match.objects.get(pk=final.pk), ("Bob", "Chi"), dora, "Bob won")
    correct(Match.objects.get(pk=final.pk), ("Ann", "Chi"), dora, "Bob has gone home")
    desk.finish_exchanges()
    settle(match)
    assert names(final) == ["Ann", "Chi"]


def test_a_later_spelling_does_not_hide_what_a_director_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    match, final = stopped_after_the_result(monkeypatch)
    dora = User.objects.create(username="dora")
    correct(Match.objects.get(pk=final.pk), ("Bob", "Chi"), dora, "Bob won")
    correct(Match.objects.get(pk=final.pk), ("Ann", "Chi"), dora, "Bob has gone home")
    correct(Match.objects.get(pk=match.pk), ("Ann", "Bobby"), dora, "Misspelt")
    desk.finish_exchanges()
    settle(match)
    assert names(final) == ["Ann", "Chi"]


def test_a_match_whose_names_were_removed_since_keeps_them_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    match, final = stopped_after_the_result(monkeypatch)
    do(final, "director", do="stop", reason="director")
    forgetting.carry_out(forgetting.of_tournament(final.table.tournament))
    assert names(final) == ["Player 1", "Player 2"]
    desk.finish_exchanges()
    settle(match)
    assert names(final) == ["Player 1", "Player 2"]


def test_a_corrected_spelling_is_no_exchange_that_is_due() -> None:
    match, final = played("7,winner of table 1,winner of table 2")
    correct(Match.objects.get(pk=final.pk), ("Anne", "Chi"), User.objects.create(username="dora"), "Misspelt")
    desk.finish_exchanges()
    settle(match)
    assert names(final) == ["Anne", "Chi"]


def test_a_substitute_stays_if_the_same_player_wins_again() -> None:
    match, final = played("7,winner of table 1,winner of table 2")
    phone, _token = sit_down(final, "left")
    correct(Match.objects.get(pk=final.pk), ("Dan", "Chi"), User.objects.create(username="dora"), "Ann has gone home")
    do(match, "director", do="propose", what="reopen", note="It was 3-1")
    do(match, "director", do="propose", what="end", winner="left")
    settle(match)
    now = Match.objects.get(pk=final.pk)
    assert (now.setup["names"], now.left_device_id, now.status) == (["Dan", "Chi"], phone.pk, "running")


def test_a_substitute_stays_if_a_score_without_a_clock_is_corrected() -> None:
    first = summer_open(policy="on-request")
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    (final,) = drawn(next_round(first, policy="required"), "7,winner of table 1,winner of table 2")
    dora = User.objects.create(username="dora")
    for each in made:
        without_clock.enter(first.tournament, each, "left", (3, 0), dora)
    match = Pairing.objects.select_related("match").get(pk=final.pk).match
    assert match
    begin(match)
    correct(Match.objects.get(pk=match.pk), ("Dan", "Chi"), dora, "Ann has gone home")
    without_clock.enter(first.tournament, Pairing.objects.get(pk=made[0].pk), "left", (3, 1), dora, "It was 3-1")
    settle(match)
    now = Match.objects.get(pk=match.pk)
    assert (now.setup["names"], now.status) == (["Dan", "Chi"], "running")


@in_loop
async def test_an_end_taken_back_on_the_socket_holds_the_places() -> None:
    match, final = await in_thread(played)("7,Ann,Chi")
    assert not await Place.objects.aexists()
    director = socket_of(await in_thread(client_of)("director"), "/ws/director/open/")
    await director.open()
    answer = await director.do("propose", "id-1", match=match.pk, what="reopen", note="Bob won")
    assert answer["t"] == "ack"
    await in_thread(settle)(match)
    assert (await Match.objects.aget(pk=final.pk)).status == "stopped"
    place = await Place.objects.select_related("source__match").aget()
    assert place.source and (place.source.match_id, place.takes, place.seat) == (match.pk, "winner", "left")
    await in_thread(do)(match, "director", do="propose", what="end", winner="right")
    await in_thread(settle)(match)
    assert await in_thread(names)(final) == ["Bob", "Chi"]
    await director.leave()


@in_loop
async def test_a_helper_who_takes_back_an_end_stops_no_clock() -> None:
    match, final = await in_thread(played)("7,Ann,Chi")
    helper = socket_of(await in_thread(client_of)("helper"), "/ws/director/open/")
    await helper.open()
    answer = await helper.do("propose", "id-1", match=match.pk, what="reopen", note="Bob won")
    assert (answer["t"], answer["code"]) == ("refused", "not-director")
    await in_thread(settle)(match)
    assert (await Match.objects.aget(pk=final.pk)).status == "running"
    assert not await Place.objects.aexists()
    await helper.leave()
