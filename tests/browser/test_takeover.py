"""Taking over a seat on the real pages: requested, given or kept (phone.md 53)."""

import re

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Windows


def test_53_a_live_seat_is_given_by_its_holder_and_both_phones_are_told(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    old = windows.phone(made["url"])
    old.sit("I am Ann")
    new = windows.phone(made["url"])
    # Going back withdraws the request; after a second one, the holder gives the seat.
    for wanted in (0, 1):
        new.page.get_by_role("button", name="I am Ann").tap()
        expect(new.page.get_by_role("heading", name=re.compile("^Waiting for Ann’s phone to answer"))).to_be_visible()
        old.says("Another phone wants to take over Ann’s seat.")
        if not wanted:
            new.page.get_by_role("link", name="Back to the table").tap()
        expect(old.page.get_by_text("wants to take over").filter(visible=True)).to_have_count(wanted)
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
