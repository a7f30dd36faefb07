"""Names with invisible characters are rejected in forms, lists and draws."""

import pytest

from clocks.models import Match
from clocks.tournament import player_list
from tests.server.hall import client_of, drawn, next_round, summer_open
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)

HIDDEN = "must not contain the invisible character U+202E. Type it again without that character."
MATCH = {"table": "9", "left": "Ann", "right": "B\u202eob", "length": "5", "rules": "us-2013", "format": "singles"}


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/director/open/new/", MATCH),
        ("/director/open/new/", MATCH | {"right": "Bob", "table": "\u202e9"}),
        ("/director/open/rounds/1/new/", MATCH),
        ("/director/open/edit/", {"name": "Summer\u202e Open"}),
        ("/director/open/tables/", {"tables": "5,\u202e6"}),
        ("/director/open/rounds/new/", {"name": "Fi\u202enal", "number": "2"}),
        ("/director/", {"name": "Winter\u202e Open"}),
        ("/director/open/people/tokens/", {"name": "draw\u202eer", "days": "7", "token_role": "viewer"}),
        ("/start/", MATCH | {"left": "Ann\u202e", "right": "Bob"}),
    ],
)
def test_no_form_accepts_invisible_characters_in_names(path: str, sent: dict[str, str]) -> None:
    drawn(summer_open(), "1,Ann,Bob Carter")
    page = client_of("owner").post(path, sent)
    assert (page.status_code, HIDDEN in said(page)) == (400, True)
    assert Match.objects.count() == 1


def test_lists_and_draws_name_the_line_with_an_invisible_character() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob Carter")
    found = player_list.parse("Ann Berg\nB\u202eob Berg\n")
    assert found.faults_of(found.lines) == [
        "Line 2 contains the invisible character U+202E. Type it again without that character."
    ]
    later = next_round(round_)
    page = client_of("director").post(
        f"/director/open/rounds/{later.number}/draw/", {"pasted": "Ann,Bob\u202e\nCyd\u202e,bye"}
    )
    assert page.status_code == 400
    assert [f"{seat} {HIDDEN}" in said(page) for seat in ("right", "left")] == [True, True]
    assert names() == ["Ann", "Bob Carter"]
