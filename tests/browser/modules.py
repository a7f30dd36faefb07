"""Run scripts on a blank page of a real browser."""

from typing import Any

import orjson
from playwright.sync_api import Page

from tests.browser.served import blank_address

# Encodes values that JSON omits or replaces with null.
AS_TEXT = """async (text) => {
    const odd = (value) => value === undefined || (typeof value === 'number' && !Number.isFinite(value));
    const told = await (%s)(JSON.parse(text));
    return JSON.stringify(told, (_, value) => (odd(value) ? `${value} is no JSON` : value));
}"""


def open_blank(page: Page) -> None:
    """Open a blank page that can import the project's modules."""
    page.goto(blank_address())


def made_of(page: Page, script: str, given: object) -> Any:
    """Call a function in a page with a value; return its result.

    Both are passed as text: Playwright serialises values piecemeal, which takes ten times as long.
    """
    return orjson.loads(
        page.evaluate(AS_TEXT.replace("%s", script), orjson.dumps(given, option=orjson.OPT_NON_STR_KEYS).decode())
    )
