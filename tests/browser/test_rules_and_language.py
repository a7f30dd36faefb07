"""Reading the rules and changing the language, without leaving a running clock."""

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Windows

SIZES = [(320, 568), (1024, 768), (390, 844)]


def test_each_player_of_a_shared_phone_reads_rules_and_changes_language(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    phone = windows.phone(made["url"])
    phone.sit_between()
    phone.hit("left")
    phone.shows("right", "turn")
    for width, height in SIZES:
        phone.page.set_viewport_size({"width": width, "height": height})
        for seat, other in (("left", "right"), ("right", "left")):
            phone.page.locator(f".actions[data-seat={seat}]").get_by_role("button", name="Rules").tap()
            expect(phone.half(seat).locator(".sheet .rules li").first).to_be_visible()
            expect(phone.half(seat).locator(".digits")).to_be_visible()
            expect(phone.half(other).locator(".sheet")).to_have_count(0)
            phone.half(seat).get_by_role("button", name="Close").tap()
    phone.shows("right", "turn")

    before = phone.page.url
    menu = phone.page.locator(".actions[data-seat=left] button.more")
    menu.click()
    phone.page.get_by_role("button", name="Rules of this match").click()
    expect(phone.page.locator(".sheet h2")).to_have_text("US 2013 · simple delay")
    expect(phone.page.locator(".sheet .rules li").first).to_be_visible()
    expect(phone.page.locator(".sheet .rows dd").first).to_contain_text("1:00")
    phone.page.keyboard.press("Escape")
    menu.click()
    phone.page.get_by_role("button", name="This phone …").click()
    phone.page.get_by_role("button", name="Language").click()
    phone.page.get_by_role("button", name="Deutsch").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", "de")
    assert phone.page.url == before
    phone.shows("right", "turn")
    expect(phone.page.locator(".half[data-seat=right] .title .words")).to_have_text("Du bist dran")
    assert product.snapshot(made["code"])["status"] == "running"


def test_switching_the_language_stays_on_the_same_page(windows: Windows, product: Product) -> None:
    made = product.newmatch("--tournament", "tongues", "--table", "3")
    watch = windows.phone(f"{product.address}/t/{made['code']}/watch/")
    watch.page.get_by_role("button", name="Language").tap()
    watch.page.get_by_role("button", name="Deutsch").tap()
    hall = windows.open(viewport={"width": 1440, "height": 900})
    hall.goto(f"{product.address}/hall/tongues/")
    hall.get_by_label("Show").select_option("names")
    hall.get_by_label("Language").select_option("Deutsch")
    console = windows.director()
    console.goto(f"{product.address}/director/tongues/")
    console.get_by_role("button", name="Deutsch").click()
    for page, where in [
        (watch.page, f"/t/{made['code']}/watch/"),
        (hall, "/hall/tongues/?show=names"),
        (console, "/director/tongues/"),
    ]:
        expect(page.locator("html")).to_have_attribute("lang", "de")
        assert page.url == product.address + where


def test_the_practice_clock_has_the_switch_before_and_while_it_is_used(windows: Windows, product: Product) -> None:
    page = windows.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{product.address}/practice/")
    page.locator("footer").get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("[data-setting] button").click()
    page.locator(".actions[data-seat=left] button.more").click()
    page.get_by_role("button", name="Ce téléphone …").click()
    page.get_by_role("button", name="Langue").click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator(".half[data-seat=left][data-mode=ready]").wait_for()
