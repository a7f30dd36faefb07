"""Platform differences: Safari, Firefox and older phones."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Page, Route

from tests.browser.console import console, start
from tests.browser.engines import every_engine, expect
from tests.browser.product import Product
from tests.browser.windows import Windows

SHEETS = sorted((Path(settings.BASE_DIR) / "static" / "clocks").rglob("*.css"))
AWAKE = """async ([answers, phone]) => {
    const { Awake } = await import('/static/clocks/browser/awake.js');
    const asked = [];
    const wakeLock = {
        request: async () => {
            const answer = answers[asked.length];
            asked.push(answer);
            if (answer === 'refused') throw new Error(answer);
            return { released: answer === 'lost' };
        },
    };
    const told = { ...phone, wakeLock };
    const named = Object.entries(told).map(([name, value]) => [name, { value, configurable: true }]);
    Object.defineProperties(navigator, Object.fromEntries(named));
    const awake = new Awake(() => {});
    for (let gesture = 0; gesture < 5; gesture += 1) {
        dispatchEvent(new Event('pointerup'));
        await new Promise((done) => setTimeout(done));
    }
    for (const name of Object.keys(told)) delete navigator[name];
    return [asked, awake.held];
}"""
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS {} like Mac OS X) AppleWebKit/605.1.15"


def test_42_the_wake_lock_is_asked_for_until_it_is_granted_and_once_lost(module_page: Page) -> None:
    answers = ["refused", "lost", "refused", "held"]
    assert module_page.evaluate(AWAKE, [answers, {}]) == [answers, True]


@pytest.mark.parametrize(
    ("agent", "installed", "works"),
    [
        (IPHONE.format("17_5"), True, False),
        (IPHONE.format("18_3_1"), True, False),
        (IPHONE.format("18_4"), True, True),
        (IPHONE.format("26_0"), True, True),
        (IPHONE.format("17_5"), False, True),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8)", True, True),
    ],
)
def test_42_the_advice_stays_where_a_granted_lock_has_no_effect(
    module_page: Page, agent: str, installed: bool, works: bool
) -> None:
    phone = {"userAgent": agent, "standalone": installed}
    assert module_page.evaluate(AWAKE, [["held"], phone]) == [["held"], works]


def test_a_tapped_button_of_the_lane_has_the_focus_as_safari_gives_none(windows: Windows, product: Product) -> None:
    options = ("--option", "reserve_ms=700", "--option", "delay_ms=0")
    made = product.newmatch("--table", "1", "--tournament", "no-focus", *options)
    page = console(windows, product, "no-focus")
    start(windows, page, made)
    page.keyboard.press("Escape")
    page.evaluate("addEventListener('mousedown', (event) => event.preventDefault(), true)")
    page.locator(".line").get_by_role("button", name="Apply").click()
    armed = page.locator(".line").get_by_role("button", name="End the match")
    expect(armed).to_be_focused()
    page.keyboard.press("Tab")
    expect(armed).to_have_count(0)


@every_engine
def test_a_clock_takes_no_double_tap_or_pull_and_a_sheet_the_focus(windows: Windows, product: Product) -> None:
    slug = f"focus-{windows.browser.browser_type.name}"
    phone = windows.phone(product.newmatch("--table", "1", "--tournament", slug)["url"])
    phone.sit("I am Ann")
    phone.shows("left", "setup")
    page = phone.page
    styles = "(css) => { const { touchAction, overscrollBehaviorY: y } = getComputedStyle(document.querySelector(css));"
    said = {css: page.evaluate(styles + " return [touchAction, y]; }", css) for css in ("html", "body", ".pad")}
    assert said == {"html": ["auto", "none"], "body": ["manipulation", "none"], ".pad": ["none", "auto"]}
    for tapped, title in (("More", "More"), ("Call the director …", "Call the director")):
        phone.tap(tapped)
        heading = phone.page.locator(".sheet h2")
        expect(heading).to_have_text(title)
        expect(heading).to_be_focused()
    phone.tap("Close")
    expect(phone.page.locator(".sheet")).to_have_count(0)


def test_a_clock_opens_where_modulepreload_is_unknown(windows: Windows, product: Product) -> None:
    phone = windows.phone(product.newmatch()["url"])
    phone.sit("I am Ann")
    links = phone.page.locator("link[rel=modulepreload]")
    assert links.count() > 10

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"modulepreload"', '"unknown"'))

    phone.page.context.grant_permissions(["local-network-access"])  # a page that a test fulfils has no IP address
    phone.page.route("**/clock/", without)
    phone.page.reload()
    phone.shows("left", "setup")
    assert links.count() == 0


def colourful(picture: Image.Image, box: dict[str, float]) -> int:
    """Number of saturated pixels in a part of a screenshot."""
    x, y, width, height = (round(box[name]) for name in ("x", "y", "width", "height"))
    part = picture.convert("HSV").crop((x, y, x + width, y + height))
    return sum(count for count, (_, saturation, _) in part.getcolors(1 << 16) or [] if saturation > 100)


@pytest.mark.parametrize("windows", ["webkit"], indirect=True)
def test_an_unchecked_button_of_a_form_looks_unchecked(windows: Windows, product: Product) -> None:
    page = windows.open(viewport={"width": 390, "height": 844})
    page.goto(f"{product.address}/practice/")
    expect(page.locator("[data-summary]")).to_contain_text("delay")  # written by the script, which needs its form
    page.evaluate(
        "document.querySelector('main').innerHTML = '<input type=radio checked> <input type=checkbox checked>'"
    )
    buttons = page.locator("main input").all()

    def shown() -> list[bool]:
        picture = Image.open(io.BytesIO(page.screenshot()))
        return [colourful(picture, button.bounding_box()) > 0 for button in buttons]

    page.until(lambda: shown() == [True, True], lambda: "checked buttons are coloured")
    page.evaluate("document.querySelectorAll('main input').forEach((input) => { input.checked = false; })")
    page.until(lambda: shown() == [False, False], lambda: "unchecked ones are not")


def test_styles_have_their_guards_for_older_browsers() -> None:
    wrong = []
    for sheet in SHEETS:
        text = sheet.read_text()
        if "hyphens: auto" in text:
            wrong.append(f"{sheet.name}: hyphens: auto breaks words in Firefox, iOS and Android")
        for found in re.finditer(r"([\w-]+): ([^;]*)100dvh", text):
            name, before = found.groups()
            if f"{name}: {before}100vh" not in text[: found.start()]:
                wrong.append(f"{sheet.name}: {name} with 100dvh has no fallback before it")
        if re.search(r"[^-]text-size-adjust", text) and "-webkit-text-size-adjust" not in text:
            wrong.append(f"{sheet.name}: text-size-adjust without -webkit-")
    assert wrong == []
