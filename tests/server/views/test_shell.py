"""Service worker, its cache, manifest and offline page."""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

STATIC = Path(settings.BASE_DIR) / "static"


def kept(client: Client) -> dict[str, Any]:
    """Files cached by the service worker, parsed from its source."""
    found = re.search(r"^self\.kept = (\{.*\});$", client.get("/sw.js").content.decode(), re.MULTILINE)
    assert found
    read: dict[str, Any] = json.loads(found.group(1))
    return read


def test_the_service_worker_is_served_from_the_root() -> None:
    answer = Client().get("/sw.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript")
    assert "no-cache" in answer["Cache-Control"]


def test_the_worker_caches_no_page_with_actions() -> None:
    assert set(kept(Client())["pages"]) <= {"/offline/", "/practice/"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/offline/", "/practice/"])
def test_cached_pages_hold_no_personal_data(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, dict(answer.cookies)) == (200, {})
    assert b"csrf" not in answer.content


def test_every_cached_file_exists_and_all_imports_are_cached_too() -> None:
    files = kept(Client())["files"]
    names = [file.removeprefix("/static/") for file in files]
    assert [name for name in names if finders.find(name) is None] == []
    imported = {
        normpath(join(dirname(name), other))
        for name in names
        if name.endswith(".js")
        for other in re.findall(r"""(?:from|import) ['"](\.{1,2}/[\w./-]+\.js)['"]""", (STATIC / name).read_text())
    }
    assert imported - set(names) == set()


def test_a_page_keeps_the_worker_it_started_with() -> None:
    code = re.sub(r"/\*.*?\*/", "", Client().get("/sw.js").content.decode(), flags=re.DOTALL)
    assert "skipWaiting" not in code and "clients.claim" not in code


def test_there_is_no_worker_in_development(settings: Any) -> None:
    settings.DEBUG = True
    assert Client().get("/sw.js").status_code == 404


@pytest.mark.django_db
def test_the_manifest_is_what_a_phone_needs_to_install_the_clock() -> None:
    page = Client().get("/").content.decode()
    link = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert link
    answer = Client().get(link.group(1))
    assert answer["Content-Type"] == "application/manifest+json"
    described = json.loads(answer.content)
    icons = [(icon["sizes"], icon["purpose"]) for icon in described.pop("icons")]
    assert icons == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    assert described == {
        "name": "Backgammon clock",
        "short_name": "Clock",
        "description": "Two phones, one clock",
        "lang": "en",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#0d1116",
        "theme_color": "#0d1116",
    }


def test_every_icon_has_the_size_that_the_manifest_says() -> None:
    for icon in json.loads(Client().get("/manifest.webmanifest").content)["icons"]:
        content = (STATIC / icon["src"].removeprefix("/static/")).read_bytes()
        sizes = [int.from_bytes(content[at : at + 4]) for at in (16, 20)]  # width and height in a PNG's first chunk
        assert icon["sizes"] == f"{sizes[0]}x{sizes[1]}"


def test_the_practice_clock_cannot_be_started_before_its_script_is_there() -> None:
    assert '<button class="go wide" disabled>' in Client().get("/practice/").content.decode()
