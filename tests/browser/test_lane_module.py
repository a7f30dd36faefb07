"""`lane.js` where a tapped button gets no focus, as in Safari."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_texts

LANE = """async () => {
    const { Lane } = await import('/static/clocks/console/lane.js');
    document.body.innerHTML = '<h1>Boards</h1><p data-count></p><p data-quiet></p><ul data-lane></ul>';
    addEventListener('mousedown', (event) => event.preventDefault(), true);
    window.acted = [];
    const button = (key) => ({ label: 'Apply', confirm: 'End the match', act: () => acted.push(key) });
    const describe = ({ key }) => ({ head: key, players: '', what: '', detail: '', open() {}, buttons: [button(key)] });
    window.lane = new Lane(document.body, describe, () => {});
}"""
SHOW = "(alerts) => { lane.show(alerts); }"
LATE = {"key": "late", "kind": "late", "level": 2, "since": 5_000}
FLAG = {"key": "flag", "kind": "flag", "level": 1, "since": 9_000}


@pytest.fixture
def lane(module_page: Page) -> Page:
    """A lane with one line, whose button ends a match at the second tap."""
    module_page.evaluate(LANE)
    module_page.evaluate(SHOW, [LATE])
    return module_page


def order(lane: Page) -> Any:
    return shown_texts(lane.locator(".line-table"))


def test_the_lane_keeps_its_order_between_two_taps(lane: Page) -> None:
    lane.get_by_role("button", name="Apply").click()
    lane.evaluate(SHOW, [FLAG, LATE])
    assert order(lane) == ["late", "flag"]
    lane.get_by_role("button", name="End the match").click()
    assert lane.evaluate("acted") == ["late"]


def test_a_tap_elsewhere_disarms_the_button_and_lets_the_lane_sort(lane: Page) -> None:
    lane.get_by_role("button", name="Apply").click()
    lane.evaluate(SHOW, [FLAG, LATE])
    lane.get_by_role("heading", name="Boards").click()
    expect(lane.locator(".line-table")).to_have_text(["flag", "late"])
    assert lane.get_by_role("button", name="End the match").count() == 0
    assert lane.evaluate("acted") == []


def test_a_second_tap_does_not_press_the_button_that_replaced_the_first(lane: Page) -> None:
    lane.evaluate("""() => {
        const button = ({ label }) => ({ label, act: () => acted.push(label) });
        lane.describe = (alert) => ({
            head: alert.key, players: '', what: '', detail: '', open() {}, buttons: [button(alert)],
        });
    }""")
    call = {"key": "call", "kind": "call", "level": 1, "since": 5_000}
    lane.evaluate(SHOW, [{**call, "label": "I’m coming"}])
    coming, resume = (lane.get_by_role("button", name=name) for name in ("I’m coming", "Resume"))
    coming.click()
    awaited = [{**call, "kind": "awaited", "level": 3, "label": "Resume"}]
    taps = "(alerts) => { lane.show(alerts); document.querySelector('.line-buttons button').click(); }"
    lane.evaluate(taps, awaited)
    assert lane.evaluate("acted") == ["I’m coming"]
    resume.click()
    assert lane.evaluate("acted") == ["I’m coming", "Resume"]
