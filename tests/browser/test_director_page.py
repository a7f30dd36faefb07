"""The director's page on the real server: new match, reconnecting, roles."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.console import cell_of, console, open_board, start
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.fed_screens import Feed, boards, open_console
from tests.browser.product import Product
from tests.browser.windows import DIRECTOR, Windows, scanned


def test_a_new_match_has_a_qr_code_that_leads_to_its_table(windows: Windows, product: Product) -> None:
    page = windows.director()
    page.get_by_label("Name of the tournament").fill("First Cup")
    page.get_by_role("button", name="Create it").click()
    page.goto(f"{product.address}/director/first-cup/")
    expect(page.get_by_role("heading", name="No match yet")).to_be_visible()
    page.locator(".empty").get_by_role("link", name="New match").click()
    table = page.get_by_label("Table").input_value()  # the first number not in play in another event of the director
    assert table.isdecimal()
    page.get_by_label("Left player", exact=True).fill("Eva")
    page.get_by_label("Right player", exact=True).fill("Finn")
    page.get_by_role("button", name="Create the match").click()
    drawer = page.get_by_role("dialog", name=f"Table {table}", exact=True)
    code = shown_text(drawer.locator(".drawer-code"))
    expect(drawer.locator(".drawer-address")).to_have_text(f"{product.address.split('//')[1]}/t/{code}/")
    picture = drawer.get_by_role("img", name=f"QR code of table {table}")
    expect(picture).to_have_js_property("complete", True)
    picture.scroll_into_view_if_needed()
    assert scanned(page) == f"{product.address}/t/{code}/".upper()
    expect(page.locator(".cell .cell-name")).to_have_text(["Eva", "Finn"])


def test_an_offline_page_shows_its_age_and_reconnects(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "offline")
    routes: list[WebSocketRoute] = []
    page = windows.director()
    cut = {"off": False}

    def through(route: WebSocketRoute) -> None:
        if cut["off"]:
            route.close(code=1001)
            return
        routes.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("/ws/director/"), through)
    page.goto(f"{product.address}/director/offline/")
    expect(cell_of(page, made)).to_be_visible()
    drawer = open_board(page, made)
    cut["off"] = True
    routes[-1].close(code=1001)
    alert = page.locator("[data-connection]")
    expect(alert).to_have_text(re.compile(r"^Offline for 0:0\d\. The boards are out of date"))
    drawer.get_by_role("button", name="Confirm for both").click()
    expect(drawer.locator(".faults:not(.warns)")).to_have_text("There is no connection, so nothing was sent.")
    cut["off"] = False
    expect(alert).to_be_hidden()
    drawer.get_by_role("button", name="Confirm for both").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")


def signed_in_as(windows: Windows, product: Product, slug: str, name: str, role: str) -> Page:
    """Director's page of a tournament, opened by a user with this role."""
    product.manage(
        "shell",
        "--no-imports",
        "--command",
        "from django.contrib.auth.models import User; from clocks.models import *;"
        f"user = User.objects.create_user('{name}');"
        f"Membership.objects.create(tournament=Tournament.objects.get(slug='{slug}'), user=user, role='{role}')",
    )
    key = product.manage(
        "shell",
        "--no-imports",
        "--command",
        "from django.contrib.auth.models import User; from clocks.people.sessions import SessionStore;"
        "from django.contrib.auth import SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY;"
        f"user = User.objects.get(username='{name}'); session = SessionStore();"
        "session.update({SESSION_KEY: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash(),"
        " BACKEND_SESSION_KEY: 'clocks.people.backend.ThrottledBackend'}); session.create();"
        "print(session.session_key)",
    ).strip()
    page = windows.open(viewport={"width": 1440, "height": 900})
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": product.address}])
    page.goto(f"{product.address}/director/{slug}/")
    return page


def test_a_viewer_sees_every_board_and_has_no_rulings(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "viewed")
    page = signed_in_as(windows, product, "viewed", "vera", "viewer")
    drawer = open_board(page, made)
    expect(drawer.get_by_text("Not confirmed yet by Ann, Bob.")).to_be_visible()
    assert shown_texts(drawer.get_by_role("button")) == ["Close"]
    expect(page.get_by_role("link", name="New match")).to_have_count(0)
    answer = page.evaluate(
        """([address, match]) => new Promise((resolve) => {
            const socket = new WebSocket(address.replace('http', 'ws') + '/ws/director/viewed/');
            socket.onopen = () => socket.send(JSON.stringify({ t: 'do', id: 'x', match, do: 'confirm' }));
            socket.onmessage = ({ data }) => JSON.parse(data).t === 'refused' && resolve(JSON.parse(data).code);
        })""",
        [product.address, made["match"]],
    )
    assert (answer, product.snapshot(made["code"])["confirmed"]) == ("not-director", [False, False])


def test_a_helper_has_all_rulings_but_those_that_decide_the_match(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "helped", length=3)
    page = signed_in_as(windows, product, "helped", "hugo", "helper")
    phone = start(windows, page, made)
    drawer = page.get_by_role("dialog")
    assert drawer.get_by_role("button", name="End match").count() == 0
    drawer.get_by_role("button", name="Game result", exact=True).click()
    form = drawer.locator("form")
    form.get_by_label("Ann").check()
    form.get_by_label("Reason for the record").fill("as seen")
    form.get_by_label("Points").fill("2")
    expect(form.locator("button[type=submit]")).to_be_enabled()
    form.get_by_label("Points").fill("3")
    expect(form.get_by_text("A director has to do this, because it decides how the match ends.")).to_be_visible()
    expect(form.locator("button[type=submit]")).to_be_disabled()
    form.get_by_role("button", name="Cancel").click()
    phone.tap("More", "The game is over …")
    phone.page.locator(".sheet .answers").first.get_by_role("button", name="Backgammon").first.tap()
    expect(drawer.get_by_role("button", name="Decline")).to_be_enabled()
    expect(drawer.get_by_role("button", name="Agree")).to_have_count(0)
    expect(drawer.get_by_text("A director has to do this, because it decides how the match ends.")).to_be_visible()


def test_nothing_is_cut_off_or_too_small_to_touch(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "sizes")
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    phone = console(windows, product, "sizes", viewport={"width": 390, "height": 844}, has_touch=True)
    open_board(phone, made)
    for width, height in ((390, 844), (844, 390)):
        phone.set_viewport_size({"width": width, "height": height})
        sides = phone.evaluate(
            "[...document.querySelectorAll('button, .button, select')].filter((one) => one.offsetParent)"
            ".map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
        )
        assert (width, phone.evaluate(overflow), min(sides) >= 48) == (width, 0, True)
    laptop = console(windows, product, "sizes", viewport={"width": 1440, "height": 900})
    open_board(laptop, made)
    assert laptop.evaluate(overflow) == 0


@pytest.mark.browser_context_args(**DIRECTOR)
def test_a_board_has_room_for_a_larger_line_height(page: Page) -> None:
    open_console(page, Feed(boards(1, "running")))
    room = "[document.querySelector('.cell')].map((cell) => cell.scrollHeight - cell.clientHeight)[0]"
    page.evaluate(
        "const sheet = new CSSStyleSheet(); sheet.replaceSync('* { line-height: 1.5 !important }');"
        "document.adoptedStyleSheets = [sheet]"
    )
    foot = "document.querySelector('.cell-foot').getBoundingClientRect().bottom"
    cell = "document.querySelector('.cell').getBoundingClientRect().bottom"
    assert (page.evaluate(room), page.evaluate(f"{foot} < {cell}")) == (0, True)
