"""Form errors are linked to their fields for screen readers."""

from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.db.models import FileField
from django.test import Client
from django.urls import get_resolver

from clocks.models import Round, Tournament
from tests.server.hall import drawn

pytestmark = pytest.mark.django_db(transaction=True)


class Fields(HTMLParser):
    """Parses a page's ids, and the descriptions and error states of its fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.described: dict[str, list[str]] = {}
        self.wrong: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: dict[str, Any] = dict(attrs)
        if "id" in given:
            self.ids[given["id"]] += 1
        if "aria-describedby" in given:
            self.described.setdefault(given.get("name", tag), given["aria-describedby"].split())
        if given.get("aria-invalid") == "true":
            self.wrong.add(given["name"])


@pytest.fixture
def owner(tournament: Tournament, dora: Any) -> Client:
    """Client of a superuser with a password; the tournament has a drawn round."""
    dora.is_superuser = True
    dora.set_password("correct horse")
    dora.save()
    drawn(Round.objects.create(tournament=tournament, number=1, policy="on-request"), "1,Ann,Bob")
    client = Client()
    client.force_login(dora)
    return client


WRONG = {
    "new/": ({"table": "1", "rules": "us-2013", "length": "0", "left": "", "right": "Bob"}, {"length", "left"}),
    "rounds/new/": ({"number": "1", "policy": "required", "length": "7", "delay_ms": "soon"}, {"number", "delay_ms"}),
    "rounds/1/new/": ({"table": "", "left": "Ann", "right": "Bob"}, {"table"}),
    "tables/": ({"tables": "1"}, {"tables"}),
    "edit/": ({"name": ""}, {"name"}),
    "people/": ({"role": "helper", "hours": "x"}, {"hours"}),
    "tables/{table}/code/": ({"note": ""}, {"note"}),
    "hall/stop/": ({}, {"other"}),
    "hall/message/": ({"text": "", "tables": "77", "minutes": "5"}, {"text", "tables"}),
}


@pytest.mark.parametrize("path", WRONG)
def test_a_wrong_field_is_marked_and_refers_to_its_error(owner: Client, tournament: Tournament, path: str) -> None:
    given, wrong = WRONG[path]
    answer = owner.post(f"/director/open/{path.format(table=tournament.tables.get().pk)}", given)
    page = Fields(answer.content.decode())
    assert (answer.status_code, wrong - page.wrong) == (400, set())
    assert all(any(id_.endswith("_error") for id_ in page.described[name]) for name in wrong)
    assert [id_ for ids in page.described.values() for id_ in ids if page.ids[id_] != 1] == []


@pytest.mark.parametrize("path", ["/director/open/", "/director/password/", "/director/open/rounds/1/draw/", "/"])
def test_a_field_refers_to_its_help_text(owner: Client, path: str) -> None:
    page = Fields(owner.get(path).content.decode())
    assert [id_ for ids in page.described.values() for id_ in ids if page.ids[id_] != 1] == []


def test_a_wrong_password_is_reported_at_its_field(owner: Client) -> None:
    given = {"old_password": "correct horse", "new_password1": "short", "new_password2": "short"}
    page = Fields(owner.post("/director/password/", given).content.decode())
    assert page.wrong == {"new_password2"}
    assert page.described == {
        "new_password1": ["id_new_password1_helptext"],
        "new_password2": ["id_new_password2_error"],
    }
    assert set(page.described["new_password1"] + page.described["new_password2"]) <= set(page.ids)


def test_a_radio_group_refers_to_its_error(owner: Client) -> None:
    page = Fields(owner.post("/director/open/people/", {"role": "king", "hours": "24"}).content.decode())
    assert (page.described["fieldset"], page.ids["id_role_error"]) == (["id_role_error"], 1)


def test_a_wrong_option_is_not_collapsed(owner: Client) -> None:
    page = owner.post("/director/open/rounds/new/", WRONG["rounds/new/"][0]).content.decode()
    details = page[page.rindex("<details", 0, page.index("id_delay_ms_error")) :]
    assert details.startswith("<details open>")


def below(kind: type) -> set[type]:
    """All subclasses of a class, direct and indirect."""
    return {found for each in kind.__subclasses__() for found in (each, *below(each))}


def test_files_are_taken_for_a_draw_and_a_list_of_players_only() -> None:
    assert len(get_resolver("clocks.urls").url_patterns) > 50  # loads the forms of every page
    ours = [form for form in below(forms.BaseForm) if form.__module__.startswith("clocks.")]
    files = {
        form.__name__ for form in ours for field in form.base_fields.values() if isinstance(field, forms.FileField)
    }
    assert files == {"DrawForm", "PlayersForm"}


def test_no_model_stores_a_file() -> None:
    fields = [field for model in apps.get_models() for field in model._meta.get_fields()]
    assert [field for field in fields if isinstance(field, FileField)] == []
