"""Overlays: transparency, figures, invalid addresses, stages."""

import io

from PIL import Image
from playwright.sync_api import Page

from tests.browser.boards import BOARD
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Windows

PICTURE = {"viewport": {"width": 1280, "height": 720}}
POINT = """
from clocks.models import Stage, Table, Tournament
hall = Tournament.objects.get(slug="{slug}")
Stage.objects.update_or_create(tournament=hall, name="main", defaults={{"table": hall.tables.get(name="{table}")}})
"""
FIGURE = "() => [document.querySelector('.overlay-seat.on-turn .overlay-clock').textContent, Date.now()]"
LATE_MS = 200
BEGIN = """
from clocks import desk
from clocks.engine.commands import Confirm, Hit
for command, by in ((Confirm(), "director"), (Hit(), "{first}")):
    assert desk.submit_and_wait(desk.Request({match}, command, by)).ok
"""


def alphas(page: Page) -> tuple[int, int]:
    """Least and greatest alpha value in a screenshot of the page."""
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    least, most = picture.getchannel("A").getextrema()
    assert picture.getpixel((640, 10)) == (0, 0, 0, 0)
    return int(least), int(most)


def shown_ms(text: str) -> int:
    """Parse a clock's text into milliseconds."""
    parts = [float(part) for part in text.split(":")]
    return int(sum(part * 60**power for power, part in enumerate(reversed(parts))) * 1000)


def test_only_the_servers_figures_are_drawn(product: Product, windows: Windows) -> None:
    made = product.newmatch("--names", "Ann", "Bob", "--option", "delay_ms=0", rules="us-2013", length=7)
    page = windows.open(**PICTURE)
    page.goto(f"{product.address}/t/{made['code']}/overlay/?scale=1.2")
    expect(page.locator(".overlay-name")).to_have_text(["Ann", "Bob"])
    assert alphas(page)[0] == 0 and alphas(page)[1] > 200
    expect(page.locator("button, a, input")).to_have_count(0)


def test_the_figures_are_the_servers_also_after_a_reload(product: Product, windows: Windows) -> None:
    made = product.newmatch("--names", "Ann", "Bob", "--option", "delay_ms=0", length=7)
    product.manage("shell", "--no-imports", "--command", BEGIN.format(match=made["match"], first="left"))
    page = windows.open(**PICTURE)
    for _ in range(2):
        page.goto(f"{product.address}/t/{made['code']}/overlay/")
        expect(page.locator(".overlay-seat.on-turn")).to_have_count(1)
        text, now = page.evaluate(FIGURE)
        match = product.snapshot(made["code"])
        left_ms = match["turn_reserve_ms"][1] - (now - match["since"])
        assert left_ms - LATE_MS <= shown_ms(text) <= left_ms + 1_000 + LATE_MS  # whole seconds, rounded up


def test_an_address_with_wrong_values_says_so_in_words(product: Product, windows: Windows) -> None:
    windows.wrong_on_purpose = True
    made = product.newmatch("--names", "Ann", "Bob")
    page = windows.open(**PICTURE)
    page.goto(f"{product.address}/t/{made['code']}/overlay/?show=clocks,dice&side=top&theme=pink&scale=big&delay_s=-1")
    said = page.get_by_role("alert")
    for words in (
        "“dice”",
        "side may be both, left, right, not “top”",
        "theme may be",
        "scale must be",
        "delay_s must be",
    ):
        expect(said).to_contain_text(words)
    expect(page.locator("[data-overlay]")).to_have_count(0)


def test_parts_omitted_from_the_address_are_not_drawn(product: Product, windows: Windows) -> None:
    made = product.newmatch("--names", "Ann", "Bob")
    page = windows.open(**PICTURE)
    page.goto(f"{product.address}/t/{made['code']}/overlay/?show=names,score&side=right&theme=light")
    expect(page.locator(".overlay-name")).to_have_text(["Bob"])
    expect(page.locator(".overlay-score")).to_be_visible()
    expect(page.locator(".overlay-clock")).to_be_hidden()


def test_a_stage_follows_the_table_that_is_assigned_to_it(product: Product, windows: Windows) -> None:
    slug = "stage"
    product.manage("shell", "--no-imports", "--command", MAKE.format(slug=slug))
    product.manage("shell", "--no-imports", "--command", POINT.format(slug=slug, table="1"))
    page = windows.open(**PICTURE)
    page.goto(f"{product.address}/director/{slug}/stage/main/overlay/")
    expect(page.locator(".overlay-name")).to_have_text(["Ann 1", "Bob 1"])
    product.manage("shell", "--no-imports", "--command", POINT.format(slug=slug, table="2"))
    expect(page.locator(".overlay-name")).to_have_text(["Ann 2", "Bob 2"])
    page.reload()
    expect(page.locator(".overlay-name")).to_have_text(["Ann 2", "Bob 2"])


def test_a_stream_with_a_delay_shows_everything_later_without_jumps(module_page: Page) -> None:
    script = """async (board) => {
        const { Overlay } = await import('/static/clocks/overlay/overlay.js');
        const root = document.createElement('div');
        Object.assign(root.dataset, { show: 'names', side: 'both', delay: '30' });
        const overlay = new Overlay(root);
        const of = (match, now, names, more = {}) => ({ ...board, match, now, names, length: 7, score: [0, 0],
            cube: { value: 1, owner: null }, ...more });
        const seen = [];
        const look = (now) => {
            overlay.draw(now);
            seen.push([...root.querySelectorAll('.overlay-name')].map((name) => name.textContent).join());
        };
        overlay.receive(of(1, 0, ['Ann', 'Bob']));
        look(0);
        overlay.receive(of(1, 5_000, ['Ann', 'Bob'], { status: 'over' }));
        overlay.receive(of(2, 6_000, ['Chi', 'Dov'], { status: 'setup' }));
        look(36_000);
        overlay.startOver(of(3, 1_000, ['Eva', 'Finn'], { status: 'setup' }), 10_000);
        look(39_999);
        look(40_000);
        return seen;
    }"""
    assert module_page.evaluate(script, BOARD) == ["Ann,Bob", "Ann,Bob", "Ann,Bob", "Eva,Finn"]


MAKE = """
from clocks import desk
from clocks.tournament.tables import add_table
from clocks.engine.setup import Setup
from clocks.models import Tournament
hall, _ = Tournament.objects.get_or_create(slug="{slug}", defaults={{"name": "Hall"}})
for number in (1, 2):
    setup = Setup.parse({{"rules": "us-2013", "length": 7, "names": [f"Ann {{number}}", f"Bob {{number}}"]}})
    desk.make_match(add_table(hall, str(number)), setup)
"""
