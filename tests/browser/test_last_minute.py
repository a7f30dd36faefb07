"""End of a match on the phone: result, rematch, record, and way back."""

import json
from datetime import datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.template.loader import render_to_string
from django.test import override_settings
from playwright.sync_api import Page

from clocks.live import protocol
from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.scripted import CODE, PLAIN_STATIC, ScriptedServer, open_page, wait_mode
from tests.browser.served import HOST, scene
from tests.browser.windows import Windows


def ended(*, score: tuple[int, int] = (0, 0), on_time: bool = False, **setup: object) -> ScriptedServer:
    server = ScriptedServer(score=list(score), **setup)
    server.begin("right", ago_ms=1_800_000 if on_time else 0)
    if on_time:
        server.play("server", "expire")
        server.play("left", "agree")
        server.play("right", "agree")
    return server


@pytest.mark.parametrize(
    ("server", "words"),
    [
        (lambda: ended(on_time=True, score=(3, 2)), "Ann wins the match on time, at 3–2."),
        (lambda: ended(score=(3, 2)), "Ann wins the match, which was ended at 3–2."),
        (lambda: ended(score=(6, 2)), "Ann wins the match, 7–2."),
        (lambda: ended(score=(5, 2)), "Ann wins the match by a gammon, 7–2."),
    ],
    ids=["on time", "ended", "in the Crawford game", "by a gammon"],
)
def test_the_end_says_who_won_and_by_what_with_times_and_presses(page: Page, server: object, words: str) -> None:
    match = server()  # type: ignore[operator]
    if match.match.winner is None and match.match.score[0] > 3:
        match.play("right", "propose", what="game", winner="left", points=7 - match.match.score[0])
        match.play("left", "agree")
    elif match.match.winner is None:
        match.play("director", "propose", what="end", winner="left")
    open_page(page, match)
    wait_mode(page, "left", "over")
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".lines p")).to_have_text(words)
    expect(half.locator(".facts")).to_be_empty()  # no facts of the last game, such as Crawford
    expect(page.locator("[data-low]")).to_have_count(0)
    rows = shown_texts(half.locator(".rows dd"))
    assert rows[0].endswith("· 1 press") or rows[0].endswith("· 0 presses")
    assert rows[1].endswith("· 0 presses") or rows[1].endswith("· 1 press")


def test_the_winners_points_come_first_wherever_the_winner_sits(page: Page) -> None:
    server = ended(score=(2, 6))
    server.play("right", "propose", what="game", winner="right", points=1)
    server.play("left", "agree")
    open_page(page, server)
    expect(page.locator(".half[data-seat=left] .lines p")).to_have_text("Bob wins the match, 7–2.")


def test_in_a_tournament_the_end_leads_to_the_record_and_the_table(page: Page) -> None:
    server = ended()
    server.play("director", "propose", what="end", winner="left")
    open_page(page, server)
    ways = page.locator(".half[data-seat=left] .ways-on")
    expect(ways.locator("a, button")).to_have_text(["Share", "Record", "To the table"])


def test_at_the_table_a_result_stands_clear_of_what_comes_next(page: Page) -> None:
    table = SimpleNamespace(name="12", code=CODE, tournament=SimpleNamespace(name="Summer Open"))
    setup = {"length": 7, "rules": "us-2013"}
    given = {"code": CODE, "table": table, "names": ["Ann", "Bob"], "setup": setup, "seats": "left", "winner": "Ann"}
    look = {"status": "over", "score": [7, 2]}
    given |= {"look": look, "next": "You are out.", "played": SimpleNamespace(table=table, pk=17), "score": [7, 2]}
    with override_settings(STORAGES=PLAIN_STATIC):
        scene(page).show(render_to_string("clocks/phone/table.html", given), "", lambda _socket: None)
    page.goto(f"http://{HOST}/t/{CODE}/")
    sections = page.locator("main > section")
    above, below = sections.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert below["top"] - above["bottom"] >= 24


def test_after_a_match_each_half_says_where_its_player_goes_next(page: Page) -> None:
    server = ended()
    server.play("director", "propose", what="end", winner="left")
    words = {"left": "You play next: table 7 against Jørgen Møller-Kristensen.", "right": "You are out of Main."}
    page.route("**/t/*/next/*/", lambda route: route.fulfill(json=words))
    open_page(page, server, "left right")
    for seat, said in words.items():
        expect(page.locator(f".half[data-seat={seat}] .ways-on").get_by_role("status")).to_have_text(said)


def test_a_message_that_announces_a_draw_brings_the_next_table(page: Page) -> None:
    server = ended()
    server.play("director", "propose", what="end", winner="left")
    words = {"left": "You are in the next round. It is not drawn yet."}
    page.route("**/t/*/next/*/", lambda route: route.fulfill(json=words))
    open_page(page, server)
    following = page.locator(".half[data-seat=left] .ways-on").get_by_role("status")
    expect(following).to_have_text("You are in the next round. It is not drawn yet.")
    words["left"] = "You play next: table 2 against Chi."
    now = server.now()
    server.sockets[-1].send(protocol.message(now, 5, "Round 2 is drawn.", now, now + 60_000))
    expect(following).to_have_text("You play next: table 2 against Chi.")


def test_a_proposal_to_reopen_the_match_hides_rematch_and_record(page: Page) -> None:
    server = ended(director=False)
    server.play("left", "propose", what="end", winner="left")
    server.play("right", "agree")
    open_page(page, server)
    page.locator(".ways-on").wait_for()
    server.play("left", "propose", what="reopen")
    expect(page.locator(".ways-on")).to_have_count(0)
    server.play("right", "decline")
    page.locator(".ways-on").wait_for()


def test_both_phones_go_from_the_end_to_the_rematch_in_one_tap(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    ann, bob = windows.phone(made["url"], timezone_id="Asia/Kathmandu"), windows.phone(made["url"])
    ann.sit("I am Ann")
    ann.tap("I confirm")
    bob.sit("I am Bob")
    bob.tap("I confirm")
    ann.shows("left", "ready")
    ann.tap("More", "Corrections …")
    ann.page.get_by_role("button", name="End the match …").click()
    ann.page.get_by_role("button", name="Bob wins", exact=True).click()
    bob.tap("Agree")
    ann.shows("left", "over")
    ann.page.get_by_role("link", name="Record", exact=True).click()
    expect(ann.page.locator(".own-record p.about")).to_contain_text("Bob won")
    expect(ann.page.locator(".entries li")).to_have_count(product_entries(product, made))
    expect(ann.page.locator("[data-zone]")).to_contain_text("Times are GMT+5:45.")
    in_nepal = [time.astimezone(ZoneInfo("Asia/Kathmandu")) for time in times_of(ann.page)]
    shown = shown_texts(ann.page.locator(".own-record time"))
    assert [text.split(".")[0] for text in shown] == [
        f"{in_nepal[0]:%Y-%m-%d %H:%M}",
        *(f"{time:%H:%M:%S}" for time in in_nepal[1:]),
    ]
    with ann.page.expect_download() as file:
        ann.page.get_by_role("link", name="JSON lines").click()
    kept = [json.loads(line) for line in file.value.path().read_text().splitlines()]
    assert kept[0]["setup"]["names"] == ["Ann", "Bob"]
    assert product.replay("".join(json.dumps(line) + "\n" for line in kept))[-1]["status"] == "over"
    ann.page.go_back()
    ann.shows("left", "over")
    ann.page.get_by_role("button", name="Rematch").click()
    ann.shows("left", "setup")
    bob.shows("right", "setup")
    bob.tap("I confirm")
    ann.tap("I confirm")
    bob.shows("right", "ready")
    said = product.snapshot(made["code"])
    assert (said["match"] != made["match"], said["score"], said["names"]) == (True, [0, 0], ["Ann", "Bob"])


def times_of(record: Page) -> list[datetime]:
    """Times in a record."""
    return [datetime.fromisoformat(time.get_attribute("datetime") or "") for time in record.locator("time").all()]


def product_entries(product: Product, made: dict[str, object]) -> int:
    """Number of entries in a match's journal, equal to the version of its snapshot."""
    return int(product.snapshot(str(made["code"]))["v"])
