"""A whole match on two phones and a director's page, from QR code to record."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

# Fields of replay's output that describe the match, not the line that was read.
TOLD_BY_REPLAY = (
    "status turn turn_number reserve_ms delay_ms score game crawford cube flagged flag_at control limits offences"
    " forfeit wait_until proposal winner hits called"
).split()


def seconds(text: str) -> int:
    """Seconds in a reserve as shown, `5:47` or `9.3`."""
    minutes, _, rest = text.rpartition(":")
    return int(minutes or 0) * 60 + int(float(rest))


def shown_to_all(product: Product, code: str, phones: list[Phone], cell: Locator) -> list[str]:
    """Check that all windows show a stopped match's reserves; return them."""
    said = product.snapshot(code)
    assert said["since"] is None
    figures = [f"{-(-ms // 1000) // 60}:{-(-ms // 1000) % 60:02}" for ms in said["reserve_ms"]]
    expect(cell.locator(".cell-time")).to_have_text(figures)
    for phone in phones:
        for seat, figure in zip(("left", "right"), figures, strict=True):
            expect(phone.half(seat).locator(".digits")).to_have_text(figure)
    return figures


def seat_both(windows: Windows, address: str) -> tuple[Phone, Phone]:
    """Take both seats, and confirm the setting."""
    ann, bob = windows.phone(address), windows.phone(address)
    ann.sit("I am Ann")
    bob.sit("I am Bob")
    for phone, seat in ((ann, "left"), (bob, "right")):
        phone.shows(seat, "setup")
        phone.says("US 2013 · simple delay")
        phone.tap("Confirm")
    for phone in (ann, bob):
        phone.shows("left", "ready")
        phone.shows("right", "ready")
    return ann, bob


def export_of(director: Page, slug: str, match: int, folder: Path) -> str:
    """Record of a match as JSON Lines, downloaded from the director's page."""
    director.goto(f"{director.url.split('/director/')[0]}/director/{slug}/match/{match}/")
    with director.expect_download() as download:
        director.get_by_role("navigation").get_by_role("link", name="JSON lines").click()
    file = folder / f"{match}.jsonl"
    download.value.save_as(file)
    return file.read_text(encoding="utf-8")


def assert_the_record_leads_to_the_match(product: Product, made: dict[str, Any], exported: str) -> None:
    """Replay an export: each line is accepted, and the last equals the snapshot."""
    said = product.snapshot(made["code"])
    lines = product.replay(exported)
    assert [line["code"] for line in lines] == [None] * len(exported.splitlines())
    assert {name: lines[-1][name] for name in TOLD_BY_REPLAY} == {name: said[name] for name in TOLD_BY_REPLAY}
    assert said["match"] == made["match"]


def test_two_phones_and_a_director_play_a_match_to_its_end(windows: Windows, product: Product, tmp_path: Path) -> None:
    made = product.newmatch("--table", "12", "--tournament", "summer-open")
    director = windows.director()
    director.get_by_role("link", name=re.compile("Summer open")).click()
    cell = director.locator(f".cell[data-match='{made['match']}']")
    expect(cell.locator(".cell-name")).to_have_text(["Ann", "Bob"])
    expect(cell).to_have_attribute("data-status", "setup")

    address = windows.scan(made["code"])
    assert address == made["url"].upper()
    ann, bob = seat_both(windows, address)
    assert shown_to_all(product, made["code"], [ann, bob], cell) == ["6:00", "6:00"]

    # Bob rolled lower: his hit starts Ann's clock.
    bob.hit("right")
    ann.shows("left", "turn")
    bob.shows("right", "wait")
    expect(cell).to_have_attribute("data-status", "running")
    expect(cell.locator(".cell-seat").first).to_have_attribute("data-turn", "")
    expect(cell.locator(".cell-state")).to_have_text(re.compile(r"^delay \d+ s$"))

    # A forgotten press: Bob presses again, which shows whose clock runs but changes nothing.
    before = product.snapshot(made["code"])
    bob.hit("right")
    bob.says("Ann’s clock is running")
    assert product.snapshot(made["code"])["v"] == before["v"]

    ann.hit("left")
    bob.shows("right", "turn")
    ann.shows("left", "wait")
    expect(bob.page.get_by_text("Ann’s clock is running").filter(visible=True)).to_have_count(0)

    # A die falls to the floor.
    bob.tap("Stop", "To retrieve fallen dice")
    for phone in (ann, bob):
        phone.shows("left", "stopped")
        phone.says("Bob stopped both clocks to retrieve fallen dice.")
    expect(cell.locator(".cell-state")).to_contain_text("fallen dice")
    shown_to_all(product, made["code"], [ann, bob], cell)
    ann.tap("Start Bob’s clock")
    bob.shows("right", "turn")

    # Ann has picked up her dice too soon. She agrees, and must wait for the delay before her next roll.
    bob.tap("More", "This game …", "Ann picked up the dice too soon …", "Claim the penalty")
    ann.says("Ann picked up the dice too soon and forfeits the delay of the next checker play.")
    expect(cell.locator(".cell-state")).to_contain_text("proposal")
    ann.tap("Agree")
    bob.tap("Start Bob’s clock")
    bob.shows("right", "turn")
    expect(cell.locator(".cell-notes")).to_contain_text("Ann forfeits a delay")
    bob.hit("right")
    ann.shows("left", "hold")
    ann.says("Do not roll yet")
    ann.shows("left", "turn")
    expect(ann.half("left").locator(".digits")).to_have_text("5:58")
    expect(bob.half("left").locator(".digits")).to_have_text("5:58")
    ann.hit("left")
    bob.shows("right", "turn")

    bob.tap("Double", "Double to 2")
    ann.shows("left", "asked")
    ann.says("Bob doubles to 2")
    ann.tap("Take")
    bob.shows("right", "turn")
    ann.says("Cube 2 · Ann")
    expect(cell.locator(".cell-notes")).to_contain_text("cube 2 Ann")

    bob.tap("More", "The game is over …")
    bob.page.locator(".sheet h3", has_text="Bob wins").locator("+ .answers button").first.tap()
    ann.says("2 points · 0–0 → 0–2")
    ann.tap("Agree")
    for phone in (ann, bob):
        phone.shows("left", "ready")
        phone.says("Crawford game")
    expect(cell.locator(".cell-score")).to_have_text("0–2 · game 2 · to 3")
    after_one_game = shown_to_all(product, made["code"], [ann, bob], cell)
    assert seconds(after_one_game[0]) <= 358

    # Game 2, the Crawford game: no doubling. Ann calls the director, who gives her a minute.
    ann.hit("left")
    bob.shows("right", "turn")
    expect(bob.page.get_by_role("button", name="Double")).to_be_disabled()
    ann.call("A cup was in the way")
    line = director.locator(f".line[data-match='{made['match']}']")
    expect(line).to_contain_text("Director called by Ann · A cup was in the way")
    line.get_by_role("button", name="I’m coming").click()
    cell.click()
    drawer = director.get_by_role("dialog", name="Table 12")
    drawer.get_by_role("button", name="Time", exact=True).click()
    drawer.get_by_role("group", name="Whose time").get_by_label("Ann").check()
    drawer.get_by_role("button", name="1:00").click()
    drawer.get_by_label("Reason for the record").fill("A cup fell over")
    drawer.get_by_role("button", name="Adjust a time").click()
    expect(drawer.get_by_role("button", name="Time", exact=True)).to_be_visible()
    given = shown_to_all(product, made["code"], [ann, bob], cell)
    assert [seconds(given[0]) - seconds(after_one_game[0]), given[1]] == [60, after_one_game[1]]
    drawer.get_by_role("button", name="Resume").click()
    bob.shows("right", "turn")

    bob.tap("More", "The game is over …")
    bob.page.locator(".sheet h3", has_text="Bob wins").locator("+ .answers button").first.tap()
    ann.says("1 point · 0–2 → 0–3 · wins the match")
    ann.tap("Agree")
    for phone in (ann, bob):
        phone.shows("left", "over")
        phone.says("Bob wins the match, 3–0.")
    bob.says("You win")
    ann.says("Well played")
    expect(cell).to_have_attribute("data-status", "over")
    expect(cell.locator(".cell-seat", has_text="won")).to_contain_text("Bob")

    assert_the_record_leads_to_the_match(product, made, export_of(director, "summer-open", made["match"], tmp_path))
    assert "all as their journals say" in product.manage("verify")


def test_a_flag_falls_while_both_phones_are_closed_and_the_director_rules(
    windows: Windows, product: Product, tmp_path: Path
) -> None:
    options = ["--option", "reserve_ms=4000", "--option", "delay_ms=2000"]
    made = product.newmatch("--table", "13", "--tournament", "summer-open", *options)
    director = windows.director()
    director.get_by_role("link", name=re.compile("Summer open")).click()
    lane = director.locator(f".line[data-match='{made['match']}']")
    ann, bob = seat_both(windows, made["url"])
    bob.tap("More", "Call the director …", "Call the director")
    for phone in (ann, bob):
        phone.says("The director has been called.")
    lane.get_by_role("button", name="I’m coming").click()
    ann.says("Tap whoever rolled higher.")
    ann.hit("left")
    bob.shows("right", "turn")
    address = bob.page.url
    for phone in (ann, bob):
        phone.page.close()
    said = product.snapshot(made["code"])
    assert (said["status"], said["turn"]) == ("running", "right")

    line = lane.and_(director.locator("[data-kind='flag']"))
    expect(line).to_contain_text("Bob’s time is up")
    flagged = product.snapshot(made["code"])
    assert [flagged[name] for name in ("status", "flagged", "reserve_ms", "hits", "called")] == [
        "flagged",
        "right",
        [4000, 0],
        [1, 0],
        True,
    ]
    line.get_by_role("button", name="Apply").click()
    line.get_by_role("button", name="End the match").click()
    cell = director.locator(f".cell[data-match='{made['match']}']")
    expect(cell).to_have_attribute("data-status", "over")
    expect(cell.locator(".cell-seat", has_text="won")).to_contain_text("Ann")
    over = product.snapshot(made["code"])
    assert [over[name] for name in ("status", "winner", "score", "reserve_ms")] == ["over", "left", [0, 0], [4000, 0]]

    # Bob reopens his phone at the same address.
    bob_again = Phone(bob.page.context.new_page())
    bob_again.page.goto(address)
    bob_again.shows("right", "over")
    bob_again.says("Ann wins the match on time, at 0–0.")

    exported = export_of(director, "summer-open", made["match"], tmp_path)
    assert [json.loads(text).get("do") for text in exported.splitlines()] == [
        None,
        "confirm",
        "confirm",
        "call",
        "answer",
        "hit",
        "look",
        "agree",
    ]
    assert_the_record_leads_to_the_match(product, made, exported)
    assert "all as their journals say" in product.manage("verify")
