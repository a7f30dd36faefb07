"""Times of a record, in the reader's time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.records import players_phone, record_of
from tests.browser.windows import Windows

NEPAL = "Asia/Kathmandu"
# Format of a time by the selector of its parent. Others, such as times of entries, show the seconds.
FORMS = {"dd": "%Y-%m-%d %H:%M:%S GMT+5:45", ".help": "%Y-%m-%d %H:%M", ".game-figures": "%H:%M"}
FORM = """(all, forms) => all.map((time) =>
    Object.entries(forms).find(([place]) => time.parentElement.matches(place))?.[1] ?? '%H:%M:%S')"""


@pytest.mark.parametrize("reader", ["director", "player"])
def test_a_record_is_in_the_time_zone_of_its_reader(windows: Windows, product: Product, reader: str) -> None:
    record = record_of(product, "games")
    if reader == "director":
        page = windows.director(timezone_id=NEPAL)
        page.goto(product.address + record.directors)
    else:
        page = players_phone(windows, record, timezone_id=NEPAL)
        page.goto(product.address + record.players)
    page.get_by_text("Details", exact=True).click()
    expect(page.locator("[data-zone]")).to_contain_text("Times are GMT+5:45.")
    times = page.locator("main time")
    at = [datetime.fromisoformat(time.get_attribute("datetime") or "") for time in times.all()]
    forms = times.evaluate_all(FORM, FORMS)
    in_nepal = [each.astimezone(ZoneInfo(NEPAL)).strftime(form) for each, form in zip(at, forms, strict=True)]
    assert [text.split(".")[0] for text in shown_texts(times)] == in_nepal
