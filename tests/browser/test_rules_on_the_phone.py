"""States of each rule book, as a phone shows them."""

from typing import Any

import pytest
from playwright.sync_api import Page

from clocks.live import protocol
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.scripted import ScriptedServer, open_page, press, wait_mode
from tests.browser.states import running, show, then


def lines(page: Page, seat: str = "left") -> list[str]:
    """Text of a panel."""
    return shown_texts(page.locator(f".half[data-seat={seat}] .lines p"))


def facts(page: Page, seat: str = "left") -> str:
    """Short facts of a half."""
    return shown_text(page.locator(f".half[data-seat={seat}] .facts"))


def flagged(rules: str, *, seat: str = "left", **setup: object) -> ScriptedServer:
    """A match in which the flag of `seat` has just fallen."""
    server = ScriptedServer(rules=rules, **setup)
    server.begin(seat, ago_ms=36_000_000)
    server.play("server", "expire")
    return server


FLAGS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "us-2013",
        {},
        [
            "US 5.3: Ann has used up the reserve and loses the match.",
            "If the match could already be claimed, the director rules instead.",
        ],
    ),
    ("aba-2003-bronstein", {}, ["ABA 5.1: Ann has used up the reserve and loses the match."]),
    (
        "unified-2001",
        {"length": 9, "score": [2, 7]},
        ["Unified 5.1: 2 points to Bob, now 2–9.", "Bob wins the match."],
    ),
    (
        "unified-2001",
        {"length": 9, "options": {"reset": "set"}},
        ["Unified 5.1: 2 points to Bob, now 0–2.", "Both clocks are set to 5:00."],
    ),
    (
        "aba-2003-standard",
        {"length": 9, "score": [0, 6]},
        [
            "ABA 5.1: 2 points to Bob, now 0–8.",
            "Ann’s clock is set to 5:00. Bob keeps 36:00.",
            "The cube is frozen for this game and the next.",
        ],
    ),
]


def test_a_flags_consequence_is_said_in_the_books_terms(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server)
    for rules, setup, said in FLAGS:
        show(page, server, then(("server", "expire"), ago_ms=36_000_000), rules=rules, **setup)
        expect(page.locator(".half[data-seat=left] .lines p")).to_have_text(said)


def test_a_flag_that_the_director_declines_leaves_the_rest_to_the_director(page: Page) -> None:
    server = flagged("us-2013")
    open_page(page, server)
    server.play("director", "decline", note="Ann had borne off")
    wait_mode(page, "left", "stopped")
    assert lines(page) == [
        "The director waived the flag.",
        "Ann’s time was up.",
        "Ann has no time left. The director sets time, score or result.",
    ]
    assert page.locator(".panel button").count() == 0
    server.play("director", "propose", what="time", seat="left", by_ms=60_000)
    page.get_by_role("button", name="Start Ann’s clock").wait_for()


def test_a_second_offence_is_counted_and_costs_one_point(page: Page) -> None:
    server = flagged("unified-2001", length=9)
    server.play("director", "agree")
    open_page(page, server)
    assert facts(page) == "1 offence"
    server.play("director", "resume")
    server.play("server", "expire", after_ms=300_250)
    wait_mode(page, "left", "flag")
    assert (facts(page), lines(page)[0]) == ("Offence 2", "Unified 5.1: 1 point to Bob, now 0–3.")


@pytest.mark.parametrize("seats", ["left", "left right", ""], ids=["other", "shared", "watching"])
def test_everybody_sees_that_a_penalised_player_may_not_roll_yet(page: Page, seats: str) -> None:
    server = ScriptedServer()
    server.begin("left")
    server.play("director", "propose", what="dice-penalty", against="right")
    server.play("left", "hit")
    open_page(page, server, seats, watch=not seats)
    wait_mode(page, "right", "hold")
    title = page.locator(".half[data-seat=right] .title .words")
    expect(title).to_have_text("Do not roll yet" if "right" in seats else "May not roll yet")
    delay = page.locator(".half[data-seat=right] .delay")
    assert delay.is_visible()
    assert shown_text(delay.locator("span").first) == "Roll in"
    expect(delay.locator(".time")).to_have_text("9 s")


def test_both_players_confirm_the_recorded_times_after_a_break(page: Page) -> None:
    server = ScriptedServer(rules="michigan-2002")
    server.play("director", "confirm")
    open_page(page, server)
    for name in ("More", "Take a break …"):
        page.get_by_role("button", name=name).click()
    assert shown_texts(page.locator(".sheet .body p")) == [
        "Recorded: Ann 42:00, Bob 42:00.",
        "When you are back, both of you must confirm these times.",
    ]
    page.get_by_role("button", name="Begin the break").click()
    wait_mode(page, "left", "setup")
    assert shown_texts(page.locator(".half[data-seat=left] .rows dd")) == ["42:00", "42:00"]
    assert lines(page) == ["Michigan 3.9: Both times are recorded.", "Bob is not back yet."]
    page.get_by_role("button", name="I’m back, and the times are right").click()
    page.get_by_text("You have confirmed the times.").wait_for()
    server.play("right", "confirm")
    wait_mode(page, "left", "ready")
    aside = shown_text(page.locator(".half[data-seat=left] .aside"))
    assert aside == "Before each game either player may ask for the dice to be mixed."


def test_the_button_says_why_there_is_no_double(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server)
    button = page.locator(".actions .double")
    show(page, server, running(), length=5, score=[4, 1])
    expect(button).to_be_disabled()
    expect(button.locator("small")).to_have_text("Crawford game")
    show(page, server, then(("director", "propose", {"what": "cube", "value": 2, "owner": "right"})))
    expect(button).to_be_disabled()
    expect(button.locator("small")).to_have_text("Bob’s cube")


def test_a_clock_without_a_time_limit_stands_at_zero_and_is_still_hit(page: Page) -> None:
    server = ScriptedServer(rules="unified-2001", length=5, score=[4, 4])
    server.begin("left", ago_ms=36_000_000)
    open_page(page, server)
    wait_mode(page, "left", "turn")
    shown = (shown_text(page.locator(".half[data-seat=left] .digits")), facts(page))
    assert shown == ("0:00.0", "No time limit in this game")
    press(page)
    wait_mode(page, "right", "turn")
    assert (server.match.status, server.match.hits) == ("running", (1, 1))


def test_dice_picked_up_in_error_are_known_to_the_us_rules_alone(page: Page) -> None:
    server = ScriptedServer(rules="aba-2003-standard")
    server.begin("left")
    open_page(page, server)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("dialog").wait_for()
    reasons = shown_texts(page.locator(".sheet .answers:not(.wins *) button"))
    assert reasons == [
        "To retrieve fallen dice",
        "To contest Bob’s action",
        "To verify score or cube",
        "To take an authorised break",
        "Offer a concession …",
        "Claim a win …",
        "To call the director …",
    ]


def test_partners_in_doubles_are_both_named(page: Page) -> None:
    names = ["Alexandra Papadopoulos & Al", "Cy & Dee"]
    server = ScriptedServer(rules="modern", format="doubles", names=names)
    server.begin("right")
    open_page(page, server)
    wait_mode(page, "right", "turn")
    shown = [name.replace("\N{SOFT HYPHEN}", "") for name in shown_texts(page.locator(".who"))]
    assert shown == ["Cy & Dee", "Alexandra Papadopoulos & Al"]
    assert shown_text(page.locator(".half[data-seat=left] .hint")) == "Cy & Dee’s clock is running"
    who = page.locator(".half[data-seat=left] .who")
    assert (
        who.evaluate("who => [who.scrollWidth <= who.clientWidth, who.scrollHeight <= who.clientHeight]") == [True] * 2
    )


def test_spectators_of_a_michigan_match_see_its_course_without_times(page: Page) -> None:
    server = ScriptedServer(rules="michigan-2002")
    server.begin("left")
    full = server.snapshot
    server.snapshot = lambda: protocol.without_times(full())  # type: ignore[method-assign]
    errors = open_page(page, server, "", watch=True)
    wait_mode(page, "left", "turn")
    assert shown_texts(page.locator(".digits")) == ["–:––", "–:––"]
    assert shown_texts(page.locator(".hint")) == ["Times are not shown to spectators."] * 2
    for command, by in (("hit", "left"), ("stop", "right"), ("resume", "right")):
        server.play(by, command)
    wait_mode(page, "right", "turn")
    server.play("server", "expire", after_ms=36_000_000)
    wait_mode(page, "right", "flag")
    assert lines(page, "right") == [
        "Michigan 4.2: No penalty. The second control starts.",
        "Each turn has a delay of 12 s.",
    ]
    assert errors == []
