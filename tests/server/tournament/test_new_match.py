"""New matches: occupied tables, replacement, and unknown names."""

from typing import Any

import pytest

from clocks import desk
from clocks.engine.commands import Command, Confirm, Expire, Hit, Stop
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Match, Table
from tests.server.hall import client_of, drawn, summer_open
from tests.server.house import US_2013, make_match, running_match
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_table_with_a_running_match_gets_no_new_one() -> None:
    match = running_match()
    with pytest.raises(Refused, match="is playing Ann – Bob"):
        desk.make_match(match.table, Setup.parse(US_2013), replace=True)
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("status", "options", "then"),
    [("ready", {}, ()), ("stopped", {}, (Hit(), Stop())), ("flagged", {"reserve_ms": [600_000, 1]}, (Hit(),))],
)
def test_replacing_an_unfinished_match_needs_confirmation(
    status: str, options: dict[str, Any], then: tuple[Command, ...]
) -> None:
    match = make_match(rules="us-2007", options=options)
    desk.submit_and_wait(desk.Request(match.pk, Confirm(), "director"))
    for command in then:
        desk.submit_and_wait(desk.Request(match.pk, command, "left"))
    desk.submit_and_wait(desk.Request(match.pk, Expire(), "server", at=now_ms() + 1_000))
    match.refresh_from_db()
    assert match.status == status
    with pytest.raises(Refused, match="Ann – Bob has begun at table"):
        desk.make_match(match.table, Setup.parse(US_2013))
    new = desk.make_match(match.table, Setup.parse(US_2013), replace=True)
    assert Table.objects.get().current_id == new.pk


@pytest.mark.parametrize("path", ["/director/open/rounds/1/new/", "/director/open/new/"])
def test_two_unknown_names_are_asked_about_once(path: str) -> None:
    drawn(summer_open(), "1,Ann Berg,Bob Carter")
    director = client_of("director")
    sent = {
        "table": "9",
        "left": "Anne Berg",
        "right": "Anne Berg",
        "length": "5",
        "rules": "us-2013",
        "format": "singles",
    }
    page = director.post(path, sent)
    assert page.status_code == 400
    assert said(page).count("Nobody in the list is called Anne Berg. Is it Ann Berg?") == 2
    again = director.post(path, sent | {"new_player": "on"})
    assert (again.status_code, "The two players need different names." in said(again)) == (400, True)
    assert names() == ["Ann Berg", "Bob Carter"]
