"""The director's page on the real server: finding a board, ruling on it, being refused, being cut off."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.product import Product
from tests.browser.windows import Phone, Windows, decode

Board = dict[str, Any]


def console(windows: Windows, product: Product, slug: str, **looks: Any) -> Page:
    """Return a signed-in director's page of a tournament, with its boards."""
    page = windows.director(**looks)
    page.goto(f"{product.address}/director/{slug}/")
    expect(page.locator(".cell").first).to_be_visible()
    return page


def cell_of(page: Page, made: Board) -> Locator:
    return page.locator(f".cell[data-match='{made['match']}']")


def open_board(page: Page, made: Board) -> Locator:
    """Open a board's drawer from the grid."""
    cell_of(page, made).click()
    return page.get_by_role("dialog")


def start(windows: Windows, page: Page, made: Board) -> Phone:
    """Let Ann's phone start Bob's clock, after the director confirmed for both; return it."""
    open_board(page, made).get_by_role("button", name="Confirm for both").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")
    phone = windows.phone(made["url"])
    phone.sit("I am Ann")
    phone.hit("left")
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    return phone


def rule(drawer: Locator, button: str, fill: Callable[[Locator], None], reason: str = "as seen at the table") -> None:
    """Make a ruling: open its form, fill it in, give the reason and send it."""
    drawer.get_by_role("button", name=button, exact=True).click()
    form = drawer.locator("form")
    fill(form)
    form.get_by_label("Reason for the record").fill(reason)
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)


def changes(drawer: Locator) -> list[str]:
    """Return the before-and-after lines that are shown."""
    lines = drawer.locator(".changes:visible > div").all_inner_texts()
    return [re.sub(r"\s+", " ", line.replace("becomes", "")) for line in lines]


def test_every_ruling_shows_before_and_after_and_the_record_keeps_its_reason(
    windows: Windows, product: Product
) -> None:
    made = product.newmatch("--table", "1", "--tournament", "rulings", length=7)
    page = console(windows, product, "rulings")
    start(windows, page, made)
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Stop both clocks").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "stopped")

    shown: dict[str, list[str]] = {}

    def give(form: Locator) -> None:
        form.get_by_label("Ann").check()
        form.get_by_label("How much").fill("1:30")
        shown["time"] = changes(drawer)

    def take(form: Locator) -> None:
        expect(drawer.locator(".side-time").first).to_have_text("15:30")
        form.get_by_label("Ann").check()
        form.get_by_label("Take away").check()
        form.get_by_role("button", name="5:00").click()
        shown["less time"] = changes(drawer)

    def score(form: Locator) -> None:
        form.get_by_label("Ann").fill("2")
        form.get_by_label("Bob").fill("6")
        form.get_by_label("Crawford game").select_option(label="this game")
        shown["score"] = changes(drawer)

    def penalty(form: Locator) -> None:
        form.get_by_label("Bob").check()
        shown["dice"] = changes(drawer)

    def drop(form: Locator) -> None:
        shown["drop"] = changes(drawer)

    def undo(form: Locator) -> None:
        shown["undo"] = changes(drawer)

    def both(form: Locator) -> None:
        form.get_by_label("Both players").check()
        form.get_by_label("How much").fill("1")
        assert changes(drawer) == []  # minutes or seconds?
        form.get_by_label("How much").fill("1:00")
        shown["both"] = changes(drawer)

    def set_to(form: Locator) -> None:
        form.get_by_label("Bob").check()
        form.get_by_label("Set to").check()
        form.get_by_label("How much").fill("14:00")
        shown["set"] = changes(drawer)

    rule(drawer, "Time", give, "phone fell")
    rule(drawer, "Time", take, "gave too much")
    rule(drawer, "Time", both, "the lights went out")
    expect(drawer.locator(".side-time").last).to_have_text("15:00")
    rule(drawer, "Time", set_to, "he wants none")
    rule(drawer, "Score", score, "written down wrongly")
    rule(drawer, "Dice penalty", penalty, "saw it")
    rule(drawer, "Drop forfeit", drop, "was not so")
    rule(drawer, "Undo press", undo, "wrong side")
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")
    assert shown == {
        "time": ["Ann’s reserve 14:00 → 15:30"],
        "less time": ["Ann’s reserve 15:30 → 10:30"],
        "both": ["Ann’s reserve 10:30 → 11:30", "Bob’s reserve 14:00 → 15:00"],
        "set": ["Bob’s reserve 15:00 → 14:00"],
        "score": ["Score 0–0 → 2–6", "Crawford not this game → this game"],
        "dice": ["Bob’s next delay 12 s → none; no roll for 12 s"],
        "drop": ["Bob’s next delay none; no roll for 12 s → 12 s"],
        "undo": ["Turn, clocks and cube as they are → as before Ann’s press"],
    }
    told = product.snapshot(made["code"])
    assert [told[name] for name in ("status", "score", "crawford", "reserve_ms", "hits", "forfeit")] == [
        "ready",
        [2, 6],
        True,
        [690_000, 840_000],
        [0, 0],
        [False, False],
    ]

    def end(form: Locator) -> None:
        form.get_by_label("Bob").check()
        shown["end"] = changes(drawer)

    rule(drawer, "End match", end, "Ann went home")
    assert shown["end"] == ["Score 2–6 → 2–6", "Match being played → Bob wins"]
    expect(cell_of(page, made).locator(".cell-seat", has_text="won")).to_contain_text("Bob")
    drawer.get_by_role("link", name="Record").click()
    reasons = [text for text in page.locator("tbody td:last-child").all_inner_texts() if text]
    assert reasons == [
        "phone fell",
        "gave too much",
        "the lights went out",
        "the lights went out",
        "he wants none",
        "written down wrongly",
        "saw it",
        "was not so",
        "wrong side",
        "Ann went home",
    ]


def test_an_end_is_taken_back_in_the_drawer_and_the_match_goes_on(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "reopened", length=7)
    page = console(windows, product, "reopened")
    phone = start(windows, page, made)
    drawer = page.get_by_role("dialog")
    back = drawer.get_by_role("button", name="Take back the end", exact=True)
    expect(back).to_be_hidden()
    rule(drawer, "End match", lambda form: form.get_by_label("Ann").check(), "Bob left")
    expect(cell_of(page, made)).to_have_attribute("data-status", "over")
    expect(drawer.get_by_role("button", name="End match")).to_be_disabled()
    shown: list[str] = []
    rule(drawer, "Take back the end", lambda form: shown.extend(changes(drawer)), "Bob is back")
    assert shown == ["Match Ann won → as before its end, clocks stopped"]
    expect(cell_of(page, made)).to_have_attribute("data-status", "stopped")
    expect(back).to_be_hidden()
    expect(phone.page.locator("body")).to_contain_text("The director took back the end.")
    drawer.get_by_role("button", name=re.compile("^Resume|^Start")).first.click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    drawer.get_by_role("link", name="Record").click()
    expect(page.locator("tbody tr", has_text="The director took back the end of the match")).to_contain_text(
        "Bob is back"
    )


def test_a_game_is_ended_and_a_cube_set_while_the_clock_runs_on(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "running", length=7)
    page = console(windows, product, "running")
    start(windows, page, made)
    drawer = page.get_by_role("dialog")

    def cube(form: Locator) -> None:
        form.get_by_label("Value").select_option("2")
        form.get_by_label("Ann").check()
        assert changes(drawer) == ["Cube 1 in the middle → 2, owned by Ann"]

    def game(form: Locator) -> None:
        form.get_by_label("Ann").check()
        form.get_by_role("button", name="gammon 4").click()
        assert changes(drawer) == ["Score 0–0 → 4–0", "Game 1 → 2, clocks stopped before it"]

    rule(drawer, "Cube", cube)
    expect(cell_of(page, made).locator(".cell-notes")).to_have_text("cube 2 Ann")
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    rule(drawer, "Game result", game)
    expect(cell_of(page, made).locator(".cell-score")).to_have_text("4–0 · game 2 · to 7")


def test_resume_can_give_the_turn_to_the_other_player(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "resume", rules="us-2007", length=7)
    page = console(windows, product, "resume")
    start(windows, page, made)
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("combobox").select_option(label="contested action")
    drawer.get_by_role("button", name="Stop both clocks").click()
    expect(drawer.get_by_text("The director stopped both clocks to contest an opponent’s action.")).to_be_visible()
    drawer.get_by_label("Ann").check()
    assert changes(drawer)[0] == "Turn Bob → Ann, a new turn"
    drawer.get_by_role("button", name="Resume").click()
    expect(cell_of(page, made).locator(".cell-seat").first).to_have_attribute("data-turn", "")
    told = product.snapshot(made["code"])
    assert [told["status"], told["turn"], told["reserve_ms"][1]] == ["running", "left", 840_000]


def test_a_refusal_is_said_in_words_and_changes_nothing(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "refusals", length=7)
    page = console(windows, product, "refusals")
    start(windows, page, made)
    drawer = page.get_by_role("dialog")
    before = product.snapshot(made["code"])["v"]
    drawer.get_by_role("button", name="Time", exact=True).click()
    drawer.get_by_label("Ann").check()
    drawer.get_by_label("Take away").check()
    drawer.get_by_label("How much").fill("60:00")
    drawer.get_by_label("Reason").fill("a slip of the pen")
    drawer.get_by_role("button", name="Adjust a time").click()
    expect(drawer.locator(".warning")).to_have_text("Ann has only 14:00 left: you cannot take away that much.")
    expect(drawer.locator(".answer")).to_have_text("Ann has only 14:00 left: no more than that can be taken away.")
    expect(drawer.get_by_label("How much")).to_have_value("60:00")
    assert product.snapshot(made["code"])["v"] == before


def test_a_dice_penalty_that_would_flag_warns_before_it_is_made(windows: Windows, product: Product) -> None:
    made = product.newmatch(
        "--table", "1", "--tournament", "warned", "--option", "reserve_ms=[300000,11000]", rules="us-2007", length=7
    )
    page = console(windows, product, "warned")
    open_board(page, made).get_by_role("button", name="Confirm for both").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Dice penalty").click()
    drawer.get_by_label("Ann").check()
    expect(drawer.locator(".warning")).to_be_hidden()
    drawer.get_by_label("Bob").check()
    expect(drawer.locator(".warning")).to_have_text(
        "Bob has 0:11 left. Under this rule the reserve runs during the wait, so the flag falls before the roll."
    )


def test_a_new_match_is_made_without_the_command_line_and_its_qr_leads_to_its_table(
    windows: Windows, product: Product
) -> None:
    page = windows.director()
    page.get_by_label("Name of the tournament").fill("First Cup")
    page.get_by_role("button", name="Create it").click()
    page.goto(f"{product.address}/director/first-cup/")
    expect(page.get_by_role("heading", name="No match yet")).to_be_visible()
    page.locator(".empty").get_by_role("link", name="New match").click()
    expect(page.get_by_label("Table")).to_have_value("1")
    page.get_by_label("Left player", exact=True).fill("Eva")
    page.get_by_label("Right player", exact=True).fill("Finn")
    page.get_by_role("button", name="Create the match").click()
    drawer = page.get_by_role("dialog", name="Table 1")
    code = drawer.locator(".code").inner_text()
    expect(drawer.locator(".address")).to_have_text(f"{product.address.split('//')[1]}/t/{code}/")
    picture = drawer.get_by_role("img", name="QR code of table 1")
    expect(picture).to_have_js_property("complete", True)
    picture.scroll_into_view_if_needed()
    assert decode(page.screenshot()) == f"{product.address}/t/{code}/".upper()
    expect(page.locator(".cell .cell-name")).to_have_text(["Eva", "Finn"])


def test_a_page_that_is_cut_off_says_how_old_it_is_and_comes_back(windows: Windows, product: Product) -> None:
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
    expect(drawer.locator(".answer")).to_have_text("There is no connection, so nothing was sent.")
    cut["off"] = False
    expect(alert).to_be_hidden()
    drawer.get_by_role("button", name="Confirm for both").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "ready")


def signed_in_as(windows: Windows, product: Product, slug: str, name: str, role: str) -> Page:
    """Return the director's page of a tournament, opened by somebody with this role in it."""
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


def test_a_viewer_sees_every_board_and_has_nothing_to_rule_with(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "viewed")
    page = signed_in_as(windows, product, "viewed", "vera", "viewer")
    drawer = open_board(page, made)
    expect(drawer.get_by_text("Not confirmed yet by Ann, Bob.")).to_be_visible()
    assert drawer.get_by_role("button").all_inner_texts() == ["Close"]
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


def test_a_helper_rules_on_all_but_what_decides_the_match(windows: Windows, product: Product) -> None:
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
    expect(form.get_by_text("A director has to do this: it decides how the match ends.")).to_be_visible()
    expect(form.locator("button[type=submit]")).to_be_disabled()
    form.get_by_role("button", name="Cancel").click()
    phone.tap("More", "The game is over …")
    phone.page.locator(".sheet .answers").first.get_by_role("button", name="Backgammon").first.tap()
    expect(drawer.get_by_role("button", name="Decline")).to_be_enabled()
    expect(drawer.get_by_role("button", name="Agree")).to_have_count(0)
    expect(drawer.get_by_text("A director has to do this: it decides how the match ends.")).to_be_visible()


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


def test_a_board_has_room_for_the_line_height_that_a_reader_may_set(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "spacing")
    page = console(windows, product, "spacing")
    start(windows, page, made)
    room = "[document.querySelector('.cell')].map((cell) => cell.scrollHeight - cell.clientHeight)[0]"
    page.evaluate(
        "const sheet = new CSSStyleSheet(); sheet.replaceSync('* { line-height: 1.5 !important }');"
        "document.adoptedStyleSheets = [sheet]"
    )
    foot = "document.querySelector('.cell-foot').getBoundingClientRect().bottom"
    cell = "document.querySelector('.cell').getBoundingClientRect().bottom"
    assert (page.evaluate(room), page.evaluate(f"{foot} < {cell}")) == (0, True)
