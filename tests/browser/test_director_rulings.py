"""Rulings on the real server: previews, reasons and refusals."""

import re

from playwright.sync_api import Locator, Page

from tests.browser.console import Board, cell_of, changes, console, open_board, rule, start
from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.test_overlay import BEGIN
from tests.browser.windows import Windows


def begin(product: Product, page: Page, made: Board) -> None:
    """Start Bob's clock without a phone, and open the board."""
    product.manage("shell", "--no-imports", "--command", BEGIN.format(match=made["match"], first="left"))
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    open_board(page, made)


def test_each_ruling_shows_before_and_after_and_its_reason_is_recorded(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "rulings", length=7)
    page = console(windows, product, "rulings")
    begin(product, page, made)
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
        assert changes(drawer) == []  # ambiguous: minutes or seconds
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
    reasons = [text for text in shown_texts(page.locator("tbody td:last-child")) if text]
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


def test_an_end_is_taken_back_and_the_match_goes_on(windows: Windows, product: Product) -> None:
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

    rule(drawer, "End match", lambda form: form.get_by_label("Ann").check(), "Bob left again")
    page.goto(f"{product.address}/director/reopened/match/{made['match']}/reopen/")
    page.get_by_label("Reason for the record").fill("Bob stays")
    page.get_by_role("button", name="Take back the end").click()
    expect(page.locator(".flash")).to_have_text(
        "Ann – Bob continues from where it was. Start the clocks when both players are ready."
    )
    expect(cell_of(page, made)).to_have_attribute("data-status", "stopped")
    drawer.get_by_role("button", name="Resume").click()
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    expect(page.locator(".flash")).to_have_count(0)
    drawer.get_by_role("link", name="Record").click()
    page.get_by_text("Details", exact=True).click()
    ends = page.locator("tbody tr", has_text="The director took back the end of the match")
    for end, reason in zip(ends.all(), ("Bob is back", "Bob stays"), strict=True):
        expect(end).to_contain_text(reason)


def refuse_what_cannot_be(drawer: Locator) -> None:
    """Ask for a ruling that the server refuses, and for some that the page refuses."""
    drawer.get_by_role("button", name="Time", exact=True).click()
    drawer.get_by_label("Ann").check()
    drawer.get_by_label("Take away").check()
    drawer.get_by_label("How much").fill("60:00")
    drawer.get_by_label("Reason").fill("a slip of the pen")
    drawer.get_by_role("button", name="Adjust a time").click()
    expect(drawer.locator(".warns")).to_have_text("Ann has only 14:00 left: you cannot take away that much.")
    expect(drawer.locator(".faults:not(.warns)")).to_have_text(
        "Ann has only 14:00 left: no more than that can be taken away."
    )
    expect(drawer.get_by_label("How much")).to_have_value("60:00")
    drawer.get_by_role("button", name="Cancel").click()
    drawer.get_by_role("button", name="Score", exact=True).click()
    drawer.get_by_label("Ann").fill("9")
    send = drawer.locator(".ruling [type=submit]")
    send.click()
    errors = drawer.locator(".error")
    expect(errors).to_have_text(["Write a whole number from 0 to 7.", "Fill this in."])
    expect(drawer.get_by_label("Ann")).to_be_focused()
    expect(drawer.get_by_label("Ann")).to_have_accessible_description("Write a whole number from 0 to 7.")
    expect(drawer.locator("[aria-invalid=true]")).to_have_count(2)
    drawer.get_by_label("Ann").fill("2")
    expect(errors).to_have_text(["Fill this in."])
    send.click()
    expect(drawer.get_by_label("Reason")).to_be_focused()
    drawer.get_by_role("button", name="Cancel").click()
    drawer.get_by_role("button", name="Time", exact=True).click()
    drawer.get_by_label("How much").fill("90")
    send.click()
    expect(errors).to_have_text(["Write a time as minutes:seconds, such as 1:30.", "Fill this in."])
    drawer.get_by_role("button", name="Cancel").click()


def warn_of_a_flag(page: Page, made: Board) -> None:
    """Choose a dice penalty for each player; Bob's flag would fall."""
    open_board(page, made).get_by_role("button", name="Confirm for both").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Dice penalty").click()
    drawer.get_by_label("Ann").check()
    expect(drawer.locator(".warns")).to_be_hidden()
    drawer.get_by_label("Bob").check()
    expect(drawer.locator(".warns")).to_have_text(
        "Bob has 0:11 left. Under this rule the reserve runs during the wait, so the flag falls before the roll."
    )
    drawer.get_by_role("button", name="Cancel").click()
    page.keyboard.press("Escape")


def test_a_ruling_in_a_turn_is_explained_if_refused_and_needs_no_stop(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "running", rules="us-2007", length=7)
    short = ("--table", "2", "--tournament", "running", "--option", "reserve_ms=[300000,11000]")
    warned = product.newmatch(*short, rules="us-2007", length=7)
    page = console(windows, product, "running")
    warn_of_a_flag(page, warned)
    begin(product, page, made)
    drawer = page.get_by_role("dialog")
    before = product.snapshot(made["code"])["v"]
    refuse_what_cannot_be(drawer)
    assert product.snapshot(made["code"])["v"] == before

    drawer.get_by_role("combobox").select_option(label="contested action")
    drawer.get_by_role("button", name="Stop both clocks").click()
    expect(drawer.get_by_text("The director stopped both clocks to contest an opponent’s action.")).to_be_visible()
    drawer.get_by_label("Ann").check()
    assert changes(drawer)[0] == "Turn Bob → Ann, a new turn"
    drawer.get_by_role("button", name="Resume").click()
    expect(cell_of(page, made).locator(".cell-seat").first).to_have_attribute("data-turn", "")
    told = product.snapshot(made["code"])
    assert [told["status"], told["turn"], told["reserve_ms"][1]] == ["running", "left", 840_000]

    def cube(form: Locator) -> None:
        form.get_by_label("Value").select_option("2")
        form.get_by_label("Ann").check()
        assert changes(drawer) == ["Cube 1 in the middle → 2, owned by Ann"]

    def game(form: Locator) -> None:
        form.get_by_label("Ann").check()
        form.get_by_role("button", name="gammon 4").click()
        assert changes(drawer) == ["Score 0–0 → 4–0", "Game 1 → 2, clocks stopped before it"]

    rule(drawer, "Cube", cube)
    expect(cell_of(page, made).locator(".cell-notes")).to_contain_text("cube 2 Ann")
    expect(cell_of(page, made)).to_have_attribute("data-status", "running")
    rule(drawer, "Game result", game)
    expect(cell_of(page, made).locator(".cell-score")).to_have_text("4–0 · game 2 · to 7")
