"""Creating matches with unknown names."""

import pytest

from tests.server.hall import client_of, drawn, summer_open
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)


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
