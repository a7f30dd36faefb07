"""Run the pure modules in a real browser page that holds nothing else."""

from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page, Route

HOST = "http://modules.test"


def open_blank(page: Page) -> None:
    """Open an empty page that can import the project's modules."""
    page.route(f"{HOST}/**", _serve)
    page.goto(f"{HOST}/")


def _serve(route: Route) -> None:
    file = Path(settings.BASE_DIR) / route.request.url.removeprefix(f"{HOST}/")
    if file.is_file():
        route.fulfill(body=file.read_bytes(), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
