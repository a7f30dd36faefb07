"""Proposals, made and settled on the page under the real rules."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.scripted import ScriptedServer, choose, last_command, open_page, panel, wait_mode
from tests.browser.states import running, show, then


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left", ago_ms=30_000)
    return server


def last(server: ScriptedServer, phone: Page) -> dict[str, Any]:
    """Last command sent, without its turn number, which must be 1 in a proposal."""
    asked = last_command(server, phone)
    assert asked["do"] != "propose" or asked["turn_number"] == 1
    return {key: value for key, value in asked.items() if key != "turn_number"}


def test_propose_the_end_of_the_game(phone: Page, server: ScriptedServer) -> None:
    server.play("director", "propose", what="cube", value=2, owner="left")
    choose(phone, "More", "The game is over …")
    notes = shown_texts(phone.locator(".sheet .answers small"))
    assert notes == [
        "2 points → 2–0",
        "4 points → 4–0",
        "6 points → 6–0",
        "2 points → 0–2",
        "4 points → 0–4",
        "6 points → 0–6",
    ]
    phone.locator(".sheet .answers").nth(1).get_by_role("button", name="Gammon", exact=False).first.click()
    wait_mode(phone, "left", "stopped")
    assert last(server, phone) == {"do": "propose", "what": "game", "winner": "right", "points": 4}
    assert panel(phone) == ["Bob wins a gammon", "4 points · 0–0 → 0–4", "Waiting for Bob to answer."]
    choose(phone, "Withdraw")
    phone.get_by_role("button", name="Start Ann’s clock").wait_for()


def test_a_games_end_is_agreed_or_goes_to_the_director(phone: Page, server: ScriptedServer) -> None:
    server.play("right", "propose", what="game", winner="right", points=1)
    choose(phone, "Agree")
    wait_mode(phone, "left", "ready")
    assert (last(server, phone), server.match.score) == ({"do": "agree", "proposal": 1}, (0, 1))
    show(phone, server, then(("right", "propose", {"what": "game", "winner": "right", "points": 3})))
    choose(phone, "Ask the director")
    phone.get_by_text("Ann declined. Waiting for the director to decide.").wait_for()
    assert (last(server, phone), server.match.called) == ({"do": "decline", "proposal": 1}, True)
    choose(phone, "Agree")
    wait_mode(phone, "left", "ready")


def test_both_players_read_who_declined_what(page: Page, server: ScriptedServer) -> None:
    server.play("left", "propose", what="cube", value=2, owner="left")
    open_page(page, server, "left right")
    server.play("right", "decline")
    for seat in ("left", "right"):
        said = page.locator(f".half[data-seat={seat}] .lines p").filter(visible=True)
        expect(said).to_have_text(["Bob declined: Correct the cube.", "Ann stopped both clocks.", "It is Ann’s turn."])
    server.play("left", "resume", turn_of="left")
    wait_mode(page, "left", "turn")
    server.play("right", "stop", reason="dice")
    said = page.locator(".half[data-seat=left] .lines p").filter(visible=True)
    expect(said).to_have_text(["Bob stopped both clocks to retrieve fallen dice.", "It is Ann’s turn."])


def test_spectators_read_who_declined_what(page: Page, server: ScriptedServer) -> None:
    server.play("left", "propose", what="cube", value=2, owner="left")
    open_page(page, server, "", watch=True)
    server.play("right", "decline")
    said = page.locator(".half .lines p", has_text="Bob declined: Correct the cube.").filter(visible=True)
    expect(said).to_have_count(2)


def test_a_clock_that_goes_on_says_who_declined_what(page: Page, server: ScriptedServer) -> None:
    server.play("left", "propose", what="offer", winner="right", outcome="single")
    server.play("right", "decline")
    open_page(page, server, "left right")
    expect(page.get_by_text("Bob declined. Waiting for the director to decide.").filter(visible=True)).to_have_count(2)
    server.play("director", "decline")
    wait_mode(page, "left", "turn")
    said = page.locator(".notice", has_text="The director rejected Ann’s offer.")
    expect(said.filter(visible=True)).to_have_count(2)


def test_a_flag_that_the_director_waives_says_who_did(page: Page) -> None:
    server = ScriptedServer()
    server.begin(ago_ms=900_000)
    server.play("server", "expire")
    open_page(page, server)
    choose(page, "Director")
    page.get_by_text("Ann declined. Waiting for the director to decide.").wait_for()
    server.play("director", "decline")
    wait_mode(page, "left", "stopped")
    assert panel(page)[0] == "The director waived the flag."


def test_concede_and_accept_a_concession(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "More", "This game …", "Offer a concession …")
    phone.get_by_role("button", name="Gammon 2 points").first.click()
    wait_mode(phone, "left", "stopped")
    assert last(server, phone) == {"do": "propose", "what": "offer", "winner": "right", "outcome": "gammon"}
    assert panel(phone) == ["Ann concedes: Bob wins a gammon.", "2 points · 0–0 → 0–2", "Waiting for Bob to answer."]
    offer = {"what": "offer", "winner": "left", "outcome": "single"}
    show(phone, server, then(("left", "hit"), ("right", "propose", offer)))
    assert shown_texts(phone.locator(".half[data-seat=left] .panel button")) == ["Accept", "Reject"]
    choose(phone, "Accept")
    wait_mode(phone, "left", "ready")
    assert server.match.score == (1, 0)


def test_only_rule_sets_that_know_claims_offer_them(page: Page) -> None:
    server = ScriptedServer(rules="aba-2003-standard")
    server.begin("left")
    open_page(page, server)
    choose(page, "More", "This game …", "Claim a win …")
    page.get_by_role("button", name="Backgammon").click()
    wait_mode(page, "left", "stopped")
    assert last(server, page) == {"do": "propose", "what": "offer", "winner": "left", "outcome": "backgammon"}
    assert panel(page)[0] == "Ann claims: Ann wins a backgammon."


def test_claim_mishandled_dice_and_wait_for_the_next_roll(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "More", "This game …", "Bob picked up the dice too soon …", "Claim the penalty")
    wait_mode(phone, "left", "stopped")
    assert last(server, phone) == {"do": "propose", "what": "dice-penalty", "against": "right"}
    server.play("right", "agree")
    assert shown_text(phone.locator(".half[data-seat=right] .facts")) == "Delay forfeited"
    choose(phone, "Start Ann’s clock")
    wait_mode(phone, "left", "turn")
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "right", "hold")
    show(phone, server, then(("left", "hit"), ("right", "propose", {"what": "dice-penalty", "against": "left"})))
    choose(phone, "Agree")
    server.play("right", "resume")
    server.play("right", "hit")
    wait_mode(phone, "left", "hold")
    expect(phone.locator(".half[data-seat=left] .title .words")).to_have_text("Do not roll yet")


def test_correct_the_score_or_the_cube_but_no_time_under_silent_rules(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "More", "Corrections …")
    assert phone.get_by_role("button", name="Give back time …").count() == 0
    choose(phone, "Correct the score …")
    assert phone.get_by_role("button", name="Propose").is_disabled()
    phone.get_by_role("button", name="Ann +").click(click_count=3)
    phone.get_by_role("button", name="Bob +").click()
    assert shown_text(phone.locator(".sheet .change")) == "0–0 → 3–1"
    choose(phone, "Propose")
    wait_mode(phone, "left", "stopped")
    assert last(server, phone) == {"do": "propose", "what": "score", "score": [3, 1]}
    show(phone, server, running())
    choose(phone, "More", "Corrections …", "Correct the cube …")
    phone.get_by_role("radio", name="4", exact=True).check()
    phone.get_by_role("radio", name="Bob").check()
    assert shown_text(phone.locator(".sheet .change")) == "Cube 1 · centre → Cube 4 · Bob"
    choose(phone, "Propose")
    wait_mode(phone, "left", "stopped")
    assert last(server, phone) == {"do": "propose", "what": "cube", "value": 4, "owner": "right"}


def test_give_back_time_by_agreement_where_the_rule_set_allows_it(page: Page) -> None:
    phone, server = page, ScriptedServer(rules="modern")
    server.begin("left", ago_ms=5_000)
    open_page(page, server)
    server.play("right", "stop", reason="other")
    choose(phone, "More", "Corrections …", "Give back time …")
    phone.get_by_role("radio", name="Bob").check()
    phone.get_by_role("button", name="Change +0:10").click(click_count=3)
    phone.get_by_label("Why? (optional)").fill("The dice fell")
    assert shown_text(phone.locator(".sheet .change")) == "Bob: 14:00 → 14:30"
    choose(phone, "Propose")
    phone.get_by_text("Change Bob’s reserve by +0:30.").wait_for()
    asked = {"do": "propose", "what": "time", "seat": "right", "by_ms": 30_000, "note": "The dice fell", "by": "left"}
    assert last(server, phone) == asked


PROPOSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"what": "score", "score": [0, 2]}, ["Correct the score.", "0–0 → 0–2"]),
    ({"what": "cube", "value": 2, "owner": "left"}, ["Correct the cube.", "Cube 1 · centre → Cube 2 · Ann"]),
    ({"what": "undo"}, ["Undo Bob’s press.", "Both clocks, the turn and the cube go back to what they were."]),
    (
        {"what": "time", "seat": "right", "by_ms": -60_000, "note": "slip"},
        ["Change Bob’s reserve by −1:00.", "14:00 → 13:00", "“slip”"],
    ),
]


def test_a_proposal_is_worded_and_can_be_declined(page: Page) -> None:
    phone, server = page, ScriptedServer(rules="modern")
    server.begin("left", ago_ms=5_000)
    open_page(page, server)
    for number, (proposal, lines) in enumerate(PROPOSED, 1):
        server.play("right", "propose", **proposal)
        wait_mode(phone, "left", "stopped")
        expect(phone.locator(".half[data-seat=left] .lines p")).to_have_text(lines)
        choose(phone, "Decline")
        phone.get_by_role("button", name="Start Ann’s clock").wait_for()
        assert (last(server, phone), server.match.proposal) == ({"do": "decline", "proposal": number}, None)
