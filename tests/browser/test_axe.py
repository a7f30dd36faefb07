"""Every page and its main states, looked over by axe-core for barriers (WCAG 2.0 to 2.2, A and AA), light and dark."""

import json
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, Windows

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LOOK = """async ([tags, rules]) => {
    const only = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags };
    const { violations } = await axe.run(document, { runOnly: only, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target, any }) =>
        `${target.join(' ')} ${any.map(({ message }) => message).join(' ').slice(0, 120)}`)]);
}"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
MAKE = """
import json
from clocks.models import *
demo = Tournament.objects.get(slug="axe")
tables = list(demo.tables.order_by("pk"))
Round.objects.create(tournament=demo, number=1)
second = Round.objects.create(tournament=demo, number=2, policy="on-request")
setup = tables[0].current.setup
pairing = Pairing.objects.create(round=second, table=tables[0], setup=setup)
print(json.dumps({"codes": {t.current.status: t.code for t in tables if t.current},
    "flagged": tables[0].current_id, "pairing": pairing.pk, "table": tables[0].pk, "code": tables[0].code}))
"""

Violations = dict[str, list[list[str]]]


class Looker:
    """Looks at pages and collects what axe finds, by page and colour scheme."""

    def __init__(self, product: Product) -> None:
        self.address = product.address
        self.found: Violations = {}
        self.looked_at: list[str] = []

    def open(self, page: Page, path: str) -> None:
        """Open a page and look at it."""
        page.goto(f"{self.address}{path}")
        self.look(page, path)

    def look(self, page: Page, name: str) -> None:
        """Look at a page as it is now: all rules in light, the colours in dark once more."""
        self.looked_at.append(name)
        for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(DRAWN)
            if not page.evaluate("'axe' in window"):
                page.evaluate(AXE)
            found = page.evaluate(LOOK, [TAGS, rules])
            if found:
                self.found[f"{name} {scheme}"] = found


@pytest.fixture(scope="module")
def hall(product: Product) -> dict:
    """Return a tournament with a few boards in several states, and the numbers of its parts."""
    for number, score in (("1", "0"), ("2", "1")):
        product.newmatch("--tournament", "axe", "--table", number, "--score", score, "0", length=7)
    return json.loads(product.manage("shell", "--no-imports", "--command", MAKE))


@pytest.fixture
def looker(product: Product) -> Looker:
    return Looker(product)


@pytest.fixture
def anybody(browser: Browser) -> Iterator[Page]:
    """Return a page of somebody who has not signed in; what is not found is no trouble here."""
    context = browser.new_context(**DIRECTOR)
    yield context.new_page()
    context.close()


def test_the_pages_for_everybody_have_no_barriers(looker: Looker, anybody: Page, hall: dict) -> None:
    code = hall["code"]
    for path in (
        "/",
        "/director/",
        "/rules/",
        "/rules/unified-2001/",
        "/hall/axe/",
        f"/t/{code}/",
        "/t/XXXXXX/",
        "/nowhere",
    ):
        looker.open(anybody, path)
    anybody.goto(f"{looker.address}/t/{code}/watch/")
    expect(anybody.locator("match-clock")).to_have_attribute("data-link", "open")
    looker.look(anybody, "watch")
    assert looker.found == {}


def test_the_director_s_pages_have_no_barriers(looker: Looker, windows: Windows, hall: dict) -> None:
    page = windows.director()
    looker.look(page, "/director/")
    rounds = "/director/axe/rounds/"
    for path in (
        "/director/axe/new/",
        f"/director/axe/match/{hall['flagged']}/",
        "/director/axe/edit/",
        rounds,
        f"{rounds}new/",
        f"{rounds}2/",
        f"{rounds}1/edit/",
        f"{rounds}1/draw/",
        f"{rounds}1/new/",
        f"{rounds}2/{hall['pairing']}/",
        f"{rounds}2/{hall['pairing']}/clock/",
        f"{rounds}2/{hall['pairing']}/result/",
        "/director/axe/tables/",
        f"/director/axe/tables/{hall['table']}/",
        "/director/axe/cards/",
        "/director/axe/results/",
        "/director/axe/people/",
        "/director/axe/hall/",
        "/director/password/",
    ):
        looker.open(page, path)
    assert looker.found == {}


def test_the_console_has_no_barriers_in_any_state(looker: Looker, windows: Windows, product: Product) -> None:
    product.manage("demo", "--tables", "20")
    page = windows.director()
    page.goto(f"{product.address}/director/demo/")
    expect(page.locator(".cell")).to_have_count(20)
    looker.look(page, "console")
    page.locator(".cell[data-status=flagged]").first.click()
    looker.look(page, "drawer of a flag")
    page.keyboard.press("Escape")
    page.locator(".cell[data-status=running]").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Time", exact=True).click()
    looker.look(page, "ruling")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    for name in ("Message", "Stop all"):
        page.get_by_role("link", name=name, exact=True).click()
        looker.look(page, name)
        page.keyboard.press("Escape")
    looker.open(page, "/hall/demo/")
    page.set_viewport_size({"width": 390, "height": 844})
    looker.open(page, "/director/demo/")
    assert looker.found == {}


def test_the_phone_has_no_barriers_in_any_state(looker: Looker, windows: Windows, product: Product) -> None:
    made = product.newmatch("--option", "reserve_ms=[600000, 3000]", "--option", "delay_ms=2000", length=5)
    phone = windows.phone(made["url"])
    phone.sit("This phone lies between us")
    looker.look(phone.page, "setup")
    for seat in ("left", "right"):
        phone.tap("Confirm", seat=seat)
    phone.shows("left", "ready")
    looker.look(phone.page, "ready")
    phone.hit("left")
    phone.shows("right", "turn")
    looker.look(phone.page, "running")
    phone.shows("right", "flag")
    looker.look(phone.page, "flag")
    phone.page.locator(".actions[data-seat=left]").get_by_role("button", name="Menu").tap()
    looker.look(phone.page, "menu")
    assert looker.found == {}
