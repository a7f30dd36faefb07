"""Casual matches: no mention of a director; the players settle everything."""

import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from clocks.journal.tenure import Tenure
from clocks.live import protocol
from tests.browser.engines import expect, shown_texts
from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, asked, choose, open_page, wait_mode
from tests.browser.states import Prepare, match, running, show, then

DIRECTOR = re.compile(r"director|summon|official|\bcard\b", re.IGNORECASE)
OFFER = {"what": "game", "winner": "left", "points": 2}
WON = {"what": "game", "winner": "left", "points": 7}
STATES: dict[str, Prepare] = {
    "setup": lambda server: None,
    "ready": lambda server: server.play("director", "confirm"),
    "a break": then(("left", "propose", OFFER), ("right", "agree"), ("left", "stop", {"reason": "break"})),
    "turn": running(),
    "wait": running("right"),
    "stopped a moment ago": then(("left", "stop")),  # after a state with a running clock, because its sheet asks why
    "checking": running(ago_ms=14 * 60_000 + 12_050),
    "asked": then(("right", "double"), first="right"),
    **{
        f"stopped: {reason}": then(("left", "stop", {"reason": reason}))
        for reason in ("dice", "contest", "dice-picked-up", "score", "break", "director", "other")
    },
    "called, by an old page": then(("right", "call", {"note": "Which game is this?"})),
    "agree?": then(("right", "propose", OFFER)),
    "proposed": then(("left", "propose", OFFER)),
    "declined": then(("right", "propose", OFFER), ("left", "decline")),
    "a concession": then(("left", "propose", {"what": "offer", "winner": "right", "outcome": "gammon"})),
    "time": then(("right", "propose", {"what": "time", "seat": "left", "by_ms": 9_000})),
    "a dice penalty": then(("left", "propose", {"what": "dice-penalty", "against": "right"}), ("right", "agree")),
    "flag": then(("server", "expire"), ago_ms=1_800_000),
    "the other’s flag": then(("server", "expire"), first="right", ago_ms=1_800_000),
    "a flag, agreed by one": then(("server", "expire"), ("left", "agree"), ago_ms=1_800_000),
    "a flag, waived": then(("server", "expire"), ("right", "decline"), ago_ms=1_800_000),
    "over": then(("right", "propose", WON), ("left", "agree")),
    "over, to be taken back": then(
        ("right", "propose", WON), ("left", "agree"), ("left", "propose", {"what": "reopen"})
    ),
    "an end taken back": then(
        ("right", "propose", WON), ("left", "agree"), ("left", "propose", {"what": "reopen"}), ("right", "agree")
    ),
}


def casual(rules: str = "us-2013", **setup: object) -> ScriptedServer:
    return ScriptedServer(rules=rules, director=False, **setup)


# All texts that the page shows or announces, in each state and with its menu open.
SAID = """([states, words]) => {
    const clock = document.querySelector('match-clock');
    const own = (e) => [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data);
    const said = () => [clock, ...clock.querySelectorAll('*')]
        .flatMap((e) => [e.getAttribute('aria-label'), e.title, ...own(e)]).filter(Boolean);
    const found = {};
    for (const [name, match] of Object.entries(states)) {
        window.geometry.show(match);
        found[name] = { lines: said(), sheets: 0, calls: clock.querySelectorAll('.call').length };
        const button = [...clock.querySelectorAll('.actions[data-seat=left] button')]
            .find((one) => one.textContent.trim() === words && one.checkVisibility());
        if (!button) continue;
        button.click();
        found[name].lines.push(...said());
        found[name].sheets += clock.querySelectorAll('.sheet').length;
        found[name].items = clock.querySelectorAll('.sheet .answers button').length;
    }
    return found;
}"""


@pytest.mark.parametrize(
    ("seats", "rules"),
    [("left", "us-2013"), ("left", "michigan-2002"), ("left right", "unified-2001"), ("", "michigan-2002")],
)
def test_no_state_or_sheet_of_a_casual_match_mentions_a_director(page: Page, seats: str, rules: str) -> None:
    states = {}
    for name, prepare in STATES.items():
        try:
            states[name] = match(prepare, rules=rules, director=False)
        except protocol.Refused:
            continue  # impossible under this rule book
    errors = open_page(page, casual(rules), seats, watch=not seats)
    page.evaluate(GEOMETRY)
    found = page.evaluate(SAID, [states, "Menu" if seats == "left right" else "More"])
    told = {name: [line for line in shown["lines"] if DIRECTOR.search(line)] for name, shown in found.items()}
    assert {name: lines for name, lines in told.items() if lines} == {}
    assert {shown["calls"] for shown in found.values()} == {0}
    assert len(found) > 20
    assert all(0 < shown["items"] <= 6 for shown in found.values() if "items" in shown)
    assert {name for name, shown in found.items() if not shown["sheets"]} == (set(found) if not seats else set())
    assert ("Both clocks are stopped. Why?" in found["stopped a moment ago"]["lines"]) == bool(seats)
    assert errors == []


def test_a_casual_clock_says_how_to_come_back_without_a_card(page: Page) -> None:
    server = casual()
    server.begin()
    open_page(page, server)
    choose(page, "More", "This phone …", "Leave the clock …")
    words = "It keeps running without this phone. To come back, type the code 7K3 M9Q on the first page."
    page.get_by_role("dialog", name="Leave the clock?").get_by_text(words).wait_for()


def test_only_the_opponent_can_waive_a_flag_and_give_time(page: Page) -> None:
    server = casual()
    STATES["flag"](server)
    open_page(page, server)
    wait_mode(page, "left", "flag")
    assert shown_texts(page.locator(".half[data-seat=left] .panel button")) == ["I agree"]
    show(page, server, STATES["the other’s flag"], director=False)
    wait_mode(page, "left", "flag-other")
    page.get_by_role("button", name="Waive the flag").click()
    page.get_by_role("button", name="Tap again: Bob plays on").click()
    wait_mode(page, "left", "stopped")
    assert asked(server, "do", "seat") == [("decline", "left")]
    expect(page.locator(".half[data-seat=left] .lines")).to_contain_text("Ann waived the flag.")
    expect(page.locator(".half[data-seat=left] .lines")).to_contain_text("Bob has no time left. You can agree on more")
    choose(page, "More", "Corrections …", "Give back time …")
    page.get_by_role("radio", name="Bob").check()
    page.get_by_role("button", name="Change +1:00").click()
    page.get_by_role("button", name="Propose", exact=True).click()
    page.locator(".half[data-seat=left]").get_by_text("Waiting for Bob to answer.").wait_for()
    server.play("right", "agree")
    page.get_by_role("button", name="Start Bob’s clock").click()
    wait_mode(page, "left", "wait")


def test_the_end_of_a_match_is_agreed_and_taken_back(page: Page) -> None:
    server = casual()
    server.begin()
    open_page(page, server)
    choose(page, "More", "Corrections …", "End the match …")
    page.get_by_role("button", name="Bob wins", exact=True).click()
    page.locator(".half[data-seat=left]").get_by_text("The match ends here, and Bob wins it.").wait_for()
    server.play("right", "agree")
    wait_mode(page, "left", "over")
    choose(page, "More", "Take back the end …")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.locator(".half[data-seat=left]").get_by_text("Take back the end of the match.").wait_for()
    server.play("right", "agree")
    wait_mode(page, "left", "stopped")
    page.get_by_role("button", name="Start Ann’s clock").click()
    wait_mode(page, "left", "turn")


def test_a_game_s_end_and_a_dice_penalty_are_taken_back_by_agreement(page: Page) -> None:
    server = casual()
    then(("left", "propose", OFFER), ("right", "agree"), ("right", "propose", {"what": "reopen"}))(server)
    open_page(page, server)
    half = page.locator(".half[data-seat=left]")
    half.get_by_text("Take back the end of the game.").wait_for()
    half.get_by_role("button", name="Agree").click()
    page.get_by_role("button", name="Start Bob’s clock").wait_for()
    assert server.match.score == (0, 0)
    penalty = ("left", "propose", {"what": "dice-penalty", "against": "right"})
    show(page, server, then(penalty, ("right", "agree")), director=False)
    server.heard.clear()
    choose(page, "More", "Corrections …", "Drop Bob’s dice penalty …")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.locator(".half[data-seat=left]").get_by_text("Bob’s dice penalty is dropped.").wait_for()
    assert asked(server, "what", "seat", "by") == [("drop-forfeit", "right", "left")]
    server.play("right", "agree")
    wait_mode(page, "left", "stopped")
    assert server.match.forfeit == (False, False)


@pytest.mark.parametrize(
    ("seats", "lent", "frame"),
    [("left", "Bob", {"by": "left", "seat": "right"}), ("left right", "Ann", {"by": "left", "seat": "left"})],
    ids=["the other player’s phone", "one phone for both"],
)
def test_a_seat_on_loan_is_granted_by_the_players(page: Page, seats: str, lent: str, frame: dict[str, str]) -> None:
    server = casual()
    server.begin()
    server.tenure = replace(Tenure(), lent_at=(1, None) if lent == "Ann" else (None, 1), owners=(5, 5))
    open_page(page, server, seats)
    page.locator(".actions[data-seat=left] button.more").click()
    if lent == "Bob":
        choose(page, "Corrections …")
    page.get_by_role("button", name=f"Let this phone act for {lent} …").click()
    page.locator("dialog.sheet").get_by_role("button", name=f"Yes, it acts for {lent}").click()
    page.wait_for_function("() => !document.querySelector('dialog.sheet')")
    assert [{name: said[name] for name in ("do", *frame)} for said in server.heard] == [{"do": "grant-seat", **frame}]


def test_a_refusal_in_a_casual_match_mentions_no_director(page: Page) -> None:
    server = casual()
    server.begin()
    open_page(page, server)
    server.match = replace(server.match, proposal=None)
    frame = {"t": "do", "id": "x", "do": "answer", "seat": "left"}
    assert json.loads(server._do(frame))["words"] == "In a match between the two of you nobody can do that."
