"""`expect` compares visible text only, in every engine."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect

TESTS = Path(__file__).parent


@pytest.mark.parametrize("hiding", ["display: none", "visibility: hidden"])
def test_a_text_that_is_hidden_fails_its_expectation(module_page: Page, hiding: str) -> None:
    module_page.evaluate("document.body.innerHTML = '<p>Late</p>'")
    expect(module_page.locator("p")).to_have_text("Late")
    module_page.evaluate("(hiding) => { document.querySelector('p').style.cssText = hiding; }", hiding)
    for holds in (expect(module_page.locator("p")).to_have_text, expect(module_page.locator("p")).to_contain_text):
        with pytest.raises(AssertionError):
            holds("Late", timeout=1)


def test_no_test_reads_a_text_whether_or_not_it_is_shown() -> None:
    bare = re.compile(
        r"^from playwright\.sync_api import .*\bexpect\b|\.(?:all_)?(?:inner_texts?|text_contents?)\(", re.MULTILINE
    )
    assert [path.name for path in TESTS.glob("*.py") if bare.search(path.read_text())] == []
