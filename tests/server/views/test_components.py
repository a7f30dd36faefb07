"""The component page, served only with DEBUG."""

import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("debug", "status"), [(True, 200), (False, 404)])
def test_the_components_are_shown_only_with_debug(settings: Settings, debug: bool, status: int) -> None:
    settings.DEBUG = debug
    assert Client().get("/components/").status_code == status


def test_the_components_show_every_class_of_the_shared_styles(settings: Settings) -> None:
    settings.DEBUG = True
    page = Client().get("/components/").content.decode()
    shown = {name for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}
    sheets = (Path(settings.BASE_DIR) / "static/clocks/style").glob("*.css")
    styles = "".join(sheet.read_text() for sheet in sheets if sheet.name != "bracket-svg.css")  # styles of a drawing
    rules = re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)
    styled = set(re.findall(r"\.([a-z][\w-]*)(?=[^;{}]*\{)", rules))
    assert styled - {"pad"} == styled & shown  # only the clock page has pads
