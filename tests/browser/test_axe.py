"""Accessibility of every page by axe-core (WCAG 2.2 AA), light and dark."""

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from django.urls import resolve
from playwright.sync_api import Browser, Page

from clocks.urls import urlpatterns
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, Windows

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LOOK = """async ([tags, rules, within]) => {
    const only = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags };
    const preload = { assets: ['media'] }; // it would write imported style sheets into the page, which no page allows
    const { violations } = await axe.run(within ?? document, { runOnly: only, resultTypes: ['violations'], preload });
    return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target, any }) =>
        `${target.join(' ')} ${any.map(({ message }) => message).join(' ').slice(0, 120)}`)]);
}"""
# Buttons that ignore taps for a moment are dimmed as if disabled; wait until they are not.
DRAWN = """async () => {
    do await new Promise(requestAnimationFrame); while (document.querySelector('[data-rests]'));
}"""
MAKE = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.utils import translation
from clocks import desk
from clocks.engine.closed_sets import Seat
from clocks.engine.commands import Propose
from clocks.engine.proposals import EndMatch
from clocks.people import members, sign_in_links
from clocks.models import *
from clocks.tournament import entering, sections
link = sign_in_links.make_link().split("/")[-2]  # makes the director, too
demo = Tournament.objects.get(slug="axe")
tables = list(demo.tables.order_by("pk"))
Round.objects.create(tournament=demo, number=1)
second = Round.objects.create(tournament=demo, number=2, policy="on-request")
setup = tables[0].current.setup
pairing = Pairing.objects.create(round=second, table=tables[0], setup=setup)
free = Table.objects.create(tournament=demo, name="3", code="CCCCCC")
Tournament.objects.filter(pk=demo.pk).update(paper_draw=True, public=True, entry_open=True)
Table.objects.create(tournament=demo, name="5", code="FFFFFF")
asked = Pairing.objects.create(round=second, table=free, setup=setup)
sections.adopt(demo)
director = User.objects.get(username="director")
ended = tables[2].current_id
desk.submit_and_wait(desk.Request(ended, Propose(EndMatch(Seat.LEFT)), "director", user_id=director.pk))
player = Player.objects.create(tournament=demo, name="Anna-Katharina Bergström")
for name in ("Zoe Berg", "Zoe Berg", player.name):
    Entrant.objects.create(tournament=demo, name=name, club="Ribe")
invite = members.invite(demo, director, "helper", timedelta(days=1))
translation.activate("en")
print(json.dumps({"codes": {t.current.status: t.code for t in tables if t.current},
    "match": tables[0].current_id, "pairing": pairing.pk, "table": tables[0].pk, "code": tables[0].code,
    "asked": asked.pk, "invite": invite, "link": link, "player": player.pk, "ended": ended,
    "entry": entering.code(demo),
    "section": demo.sections.get().pk, "500": render_to_string("500.html"),
    "components": render_to_string("clocks/components.html"),
    "certificate": render_to_string("clocks/certificate.html", {"name": "the clock at 10.0.0.1"})}))
"""
BEGIN = (
    "from clocks import desk; from clocks.engine.commands import Confirm;"
    "desk.submit_and_wait(desk.Request({match}, Confirm(), 'director'))"
)
# Every page, in three lists. A path of `clocks.urls` neither here nor in NO_PAGE fails a test below.
FOR_EVERYBODY = (
    "/",
    "/director/",
    "/director/sign-in/{link}/",
    "/director/invite/{invite}/",
    "/rules/",
    "/rules/unified-2001/",
    "/hall/axe/",
    "/e/axe/",
    "/e/axe/standings/",
    "/e/axe/results/",
    "/e/axe/me/",
    "/e/axe/enter/{entry}/",
    "/offline/",
    "/practice/",
    "/t/{code}/",
    "/t/FFFFFF/",
    "/t/{code}/overlay/",
    "/t/CCCCCC/ask/{asked}/",
)
FOR_DIRECTORS = (
    "/director/axe/backups/",
    "/director/axe/forget/person/",
    "/director/axe/new/",
    "/director/axe/match/{match}/",
    "/director/axe/match/{ended}/reopen/",
    "/director/axe/match/{match}/players/",
    "/director/axe/players/",
    "/director/axe/players/{player}/",
    "/director/axe/players/{player}/replace/",
    "/director/axe/edit/",
    "/director/axe/draw/",
    "/director/axe/standings/",
    "/director/axe/report/",
    "/director/axe/what-if/",
    "/director/axe/rounds/",
    "/director/axe/rounds/new/",
    "/director/axe/rounds/2/",
    "/director/axe/rounds/1/edit/",
    "/director/axe/rounds/1/draw/",
    "/director/axe/rounds/1/next/",
    "/director/axe/next/",
    "/director/axe/events/",
    "/director/axe/events/{section}/",
    "/director/axe/forget/",
    "/director/axe/search/",
    "/director/axe/archive/",
    "/director/axe/rounds/1/new/",
    "/director/axe/rounds/2/{pairing}/",
    "/director/axe/rounds/2/{asked}/clock/",
    "/director/axe/rounds/2/{asked}/result/",
    "/director/axe/rounds/2/slips/",
    "/director/axe/tables/",
    "/director/axe/tables/{table}/",
    "/director/axe/cards/",
    "/director/axe/cards/wifi/",
    "/director/axe/cards/poster/",
    "/director/axe/cards/entry/",
    "/director/axe/rounds/2/sheet/",
    "/director/axe/results/",
    "/director/axe/people/",
    "/director/axe/programs/",
    "/director/axe/overlays/",
    "/director/axe/hall/",
    "/director/password/",
)
IN_SEVERAL_STATES = ("/director/demo/", "/t/{code}/clock/", "/t/{code}/watch/", "/certificate/", "/components/")
NO_PAGE = {
    *("start seat asking sign-out set_language stop-all resume-all send-message withdraw-message".split()),
    *("own-name change-role remove-person revoke-invite new-code remove-round remove-pairing".split()),
    *("remove-table new-token revoke-token publish-feed remove-webhook".split()),
    # Actions without a page of their own.
    *"remove-players admit-players remove-bye delete-tournament rematch".split(),
    # Files.
    *"players-csv qr export draw-sample results-csv round-results-csv journals-csv journals-zip what-if-csv".split(),
    *("words authority healthz livez readyz metrics robots manifest worker".split()),
    *("match-turns transcript tournament-turns own-record-file trf brackets pace".split()),  # more files
    *("what-next match-summary hall-events".split()),
    # Pages checked under other paths.
    *"own-record correct-drawn-players match-result remove-event start-round".split(),
    *("new-stage point-stage remove-stage enter-match strike-out withdraw tie-breaks take-back-draw".split()),  # more
    *("stage-table stage-overlay".split()),  # a download, and a page equal to a table's overlay
}

Violations = dict[str, list[list[str]]]


class Looker:
    """Runs axe on pages; collects violations by page and colour scheme."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.address = product.address
        self.found: Violations = {}
        self._with_axe: list[Page] = []

    def open(self, page: Page, path: str) -> None:
        """Open a page, which must not redirect, and check it."""
        page.goto(f"{self.address}{path}")
        assert urlsplit(page.url).path == urlsplit(path).path
        self.look(page, path)

    def show(self, page: Page, path: str, html: str) -> None:
        """Check a page with given HTML, as the server would send it in another state."""
        page.route(f"{self.address}{path}", lambda route: route.fulfill(body=html, content_type="text/html"))
        self.open(page, path)

    def look(self, page: Page, name: str, within: str | None = None) -> None:
        """Check a page or a part of it: all rules in light mode, contrast in dark too."""
        if page not in self._with_axe:
            self._with_axe.append(page)
            page.add_init_script(AXE)
            page.evaluate(AXE)
        for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
            # Colours in transition belong to neither theme.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate(DRAWN)
            if found := page.evaluate(LOOK, [TAGS, rules, within]):
                self.found[f"{name} {scheme}"] = found


HALLS: dict[Product, dict] = {}


@pytest.fixture
def hall(product: Product) -> dict:
    """Tournament with boards in several states, and ids for paths; cached per product."""
    if product not in HALLS:
        HALLS[product] = make_hall(product)
    return HALLS[product]


def make_hall(product: Product) -> dict:
    for number, score in (("1", "0"), ("2", "1"), ("4", "2")):
        product.newmatch("--tournament", "axe", "--table", number, "--score", score, "0", length=7)
    return json.loads(product.manage("shell", "--no-imports", "--command", MAKE))


@pytest.fixture
def looker(product: Product) -> Looker:
    return Looker(product)


@pytest.fixture
def anybody(browser: Browser) -> Iterator[Page]:
    """Page of an anonymous visitor; answers of 404 are not errors."""
    context = browser.new_context(**DIRECTOR)
    yield context.new_page()
    context.close()


def paths(templates: Iterable[str], hall: dict) -> list[str]:
    """Paths of the templates, with ids and codes filled in."""
    return [template.format(**hall) for template in templates]


def test_every_page_is_checked() -> None:
    rows = ("match", "ended", "pairing", "asked", "table", "player", "section")
    words = ("code", "link", "invite", "entry")
    numbers = dict.fromkeys(rows, 1) | dict.fromkeys(words, "x")
    listed = {resolve(path).url_name for path in paths((*FOR_EVERYBODY, *FOR_DIRECTORS, *IN_SEVERAL_STATES), numbers)}
    assert listed | NO_PAGE == {pattern.name for pattern in urlpatterns if pattern.name}
    assert listed & NO_PAGE == set()


def test_public_pages_have_no_barriers(looker: Looker, anybody: Page, hall: dict) -> None:
    for path in paths(FOR_EVERYBODY, hall):
        looker.open(anybody, path)
    looker.show(anybody, "/certificate/", hall["certificate"])
    looker.show(anybody, "/components/", hall["components"])
    anybody.goto(f"{looker.address}/t/{hall['code']}/watch/")
    expect(anybody.locator("match-clock")).to_have_attribute("data-link", "open")
    looker.look(anybody, "watch")
    assert looker.found == {}


def test_error_pages_have_no_barriers(looker: Looker, anybody: Page, hall: dict) -> None:
    for path in ("/nowhere", "/t/XXXXXX/", "/director/sign-in/used/", "/director/invite/used/"):
        looker.open(anybody, path)
    looker.show(anybody, "/broken", hall["500"])
    anybody.goto(f"{looker.address}/director/")
    anybody.context.clear_cookies()
    anybody.get_by_label("Name").fill("nobody")
    anybody.get_by_label("Password", exact=True).fill("nothing")
    anybody.get_by_role("button", name="Sign in").click()
    expect(anybody.get_by_role("heading", name="Please try that again")).to_be_visible()
    looker.look(anybody, "forbidden")
    anybody.goto(f"{looker.address}/director/")
    anybody.get_by_label("Name").fill("nobody")
    anybody.get_by_label("Password", exact=True).fill("nothing")
    anybody.get_by_role("button", name="Sign in").click()
    expect(anybody.get_by_role("alert")).to_be_visible()
    looker.look(anybody, "wrong password")
    anybody.goto(f"{looker.address}/")
    anybody.get_by_text("I have a code").click()
    anybody.get_by_label("Table code").fill("XXXXXX")
    anybody.keyboard.press("Enter")
    expect(anybody.get_by_role("alert")).to_be_visible()
    looker.look(anybody, "unknown code")
    assert looker.found == {}


def test_the_directors_pages_have_no_barriers(looker: Looker, windows: Windows, hall: dict) -> None:
    page = windows.director()
    looker.look(page, "/director/")
    for path in paths(FOR_DIRECTORS, hall):
        looker.open(page, path)
    assert looker.found == {}


def test_forms_with_errors_have_no_barriers(looker: Looker, anybody: Page, hall: dict) -> None:
    anybody.goto(looker.product.manage("directorlink").strip())
    anybody.get_by_role("button", name="Sign in here").click()
    anybody.goto(f"{looker.address}/director/axe/rounds/1/draw/")
    anybody.get_by_label("Or paste the lines").fill("table,left,right\n1,Ann,Ann\n2,Chi,Dov\n9,Eva,bye")
    anybody.get_by_role("button", name="Preview the draw").click()
    expect(anybody.get_by_text("The two players need different names.").first).to_be_visible()
    looker.look(anybody, "draw")
    anybody.goto(f"{looker.address}/director/axe/players/")
    anybody.get_by_label("One player per line").fill("Hi!\nAnn Berg, Leeds\nAnne Berg, Leeds\n" + "x" * 81)
    anybody.get_by_role("button", name="Preview the list").click()
    expect(anybody.get_by_label("the same player as Ann Berg in line 2")).to_be_visible()
    looker.look(anybody, "list of players")
    looker.product.manage("shell", "--no-imports", "--command", BEGIN.format(match=hall["match"]))
    anybody.goto(f"{looker.address}/director/axe/new/")
    for label, text in (("Table", "1"), ("Left player", "Eva"), ("Right player", "Finn")):
        anybody.get_by_label(label, exact=True).fill(text)
    anybody.get_by_role("button", name="Create the match").click()
    expect(anybody.get_by_label("Replace it")).to_be_visible()
    looker.look(anybody, "new match")
    assert looker.found == {}


def test_the_console_has_no_barriers_in_any_state(looker: Looker, windows: Windows, product: Product) -> None:
    product.manage("demo", "--tables", "20")
    page = windows.director()
    page.goto(f"{product.address}/director/demo/")
    expect(page.locator(".cell")).to_have_count(20)
    looker.look(page, "console")
    page.locator(".cell[data-status=flagged]").first.click()
    looker.look(page, "drawer of a flag", ".drawer")
    page.keyboard.press("Escape")
    page.locator(".cell[data-status=running]").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Time", exact=True).click()
    looker.look(page, "ruling", ".drawer")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    for name in ("Message", "Stop all"):
        page.get_by_role("link", name=name, exact=True).click()
        looker.look(page, name, "dialog[open]")
        page.keyboard.press("Escape")
    looker.open(page, "/hall/demo/")
    page.set_viewport_size({"width": 390, "height": 844})
    looker.open(page, "/director/demo/")
    assert looker.found == {}
