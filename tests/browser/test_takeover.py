"""Taking over a seat on the real pages: requested, given or kept (phone.md 53)."""

import re

from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.windows import Windows

CLOSED = """(path) => new Promise((told) => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`);
    socket.onclose = ({ code, wasClean }) => told([code, wasClean]);
})"""


@every_engine
def test_53_a_live_seat_is_given_by_its_holder_and_both_phones_are_told(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    old = windows.phone(made["url"])
    old.sit("I am Ann")
    new = windows.phone(made["url"])
    new.page.get_by_role("button", name="I am Ann").tap()
    expect(new.page.get_by_role("heading", name=re.compile("^Waiting for Ann’s phone to answer"))).to_be_visible()
    old.says("Another phone wants to take over Ann’s seat.")
    old.tap("Answer …", "Hand it over")
    expect(new.page.locator("match-clock")).to_have_attribute("data-link", "open")
    new.shows("left", "setup")
    cover = old.page.get_by_role("alertdialog", name="Another phone has taken this seat.")
    expect(cover).to_contain_text("Nothing is lost. The clock goes on at the phone that has the seat now.")

    # The other way round: the old phone asks, and the new one keeps the seat.
    old.page.get_by_role("button", name="Use here").tap()
    expect(old.page.get_by_role("heading", name=re.compile("^Waiting for Ann’s phone to answer"))).to_be_visible()
    new.tap("Answer …", "Keep it")
    expect(old.page.get_by_role("heading", name="Ann’s seat was kept")).to_be_visible()
    expect(old.page.get_by_role("link", name="Back to the table")).to_have_attribute("href", f"/t/{made['code']}/")
    expect(new.page.get_by_text("wants to take over").filter(visible=True)).to_have_count(0)
    new.shows("left", "setup")


def test_53_the_director_gives_a_live_seat_from_the_lane(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "53", "--tournament", "seats")
    director = windows.director()
    director.goto(f"{product.address}/director/seats/")
    old = windows.phone(made["url"])
    old.sit("I am Ann")
    new = windows.phone(made["url"])
    new.page.get_by_role("button", name="I am Ann").tap()
    lead = "Show this phone to the player whose seat it is, or to the director."
    expect(new.page.get_by_text(f"{lead} The clock opens here as soon as the seat is handed over.")).to_be_visible()
    line = director.locator(f".line[data-match='{made['match']}'][data-kind='seat']")
    expect(line).to_contain_text("Seat request · another phone wants Ann’s seat")
    line.get_by_role("button", name="Hand it over").click()
    expect(new.page.locator("match-clock")).to_have_attribute("data-link", "open")
    new.shows("left", "setup")
    expect(old.page.get_by_role("alertdialog", name="Another phone has taken this seat.")).to_be_visible()
    expect(line).to_have_attribute("data-done", "")
    record = f"{product.address}/director/seats/match/{made['match']}/"
    director.goto(record)
    given = re.compile("took Ann’s seat, handed over by director")
    expect(director.get_by_role("cell", name=given)).to_be_visible()


def test_a_request_for_the_wrong_seat_is_withdrawn_by_going_back(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    ann = windows.phone(made["url"])
    ann.sit("I am Ann")
    bob = windows.phone(made["url"])
    bob.page.get_by_role("button", name="I am Ann").tap()
    wants = ann.page.get_by_text("wants to take over").filter(visible=True)
    expect(wants).to_have_count(1)
    bob.page.get_by_role("link", name="Back to the table").tap()
    expect(bob.page.get_by_role("button", name="I am Bob")).to_be_visible()
    expect(wants).to_have_count(0)
    bob.sit("I am Bob")
    bob.shows("right", "setup")
    expect(wants).to_have_count(0)


@every_engine
def test_a_request_for_a_seat_is_withdrawn_by_leaving_the_page(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    ann = windows.phone(made["url"])
    ann.sit("I am Ann")
    bob = windows.phone(made["url"])
    bob.page.get_by_role("button", name="I am Ann").tap()
    wants = ann.page.get_by_text("wants to take over").filter(visible=True)
    expect(wants).to_have_count(1)
    expect(bob.page.get_by_role("heading", name="Waiting for Ann’s phone")).to_be_visible()
    bob.until(lambda: bob.page.evaluate("document.readyState") == "complete", "the page has its script")
    bob.page.goto(f"{product.address}/rules/us-2013/")
    expect(wants).to_have_count(0)


@every_engine
def test_a_browser_calls_it_a_clean_end_when_the_server_closes_a_socket(windows: Windows, product: Product) -> None:
    page = windows.open()
    page.goto(product.address)
    assert page.evaluate(CLOSED, "/ws/elsewhere/") == [4404, True]
