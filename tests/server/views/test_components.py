"""The page of the components, which is served only with DEBUG."""

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("debug", "status"), [(True, 200), (False, 404)])
def test_the_components_are_shown_only_with_debug(settings: Settings, debug: bool, status: int) -> None:
    settings.DEBUG = debug
    assert Client().get("/components/").status_code == status
