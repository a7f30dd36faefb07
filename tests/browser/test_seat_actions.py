"""Actions of a seat on the clock page."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.scripted import ScriptedServer, choose, last_command, open_page, panel, wait_mode, wait_until
from tests.browser.states import running, show, then


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left", ago_ms=30_000)
    return server


def test_a_seat_confirms_the_setting_and_sees_who_has(page: Page) -> None:
    server = ScriptedServer(length=9, score=[1, 0])
    open_page(page, server)
    rows = shown_texts(page.locator(".half[data-seat=left] .rows dd"))
    assert rows == [
        "US 2013 · simple delay",
        "to 9 · singles",
        "Ann 1–0 Bob",
        "17:00 each",
        "12 s, then the reserve runs",
    ]
    assert panel(page) == ["Bob has not confirmed yet."]
    title = page.locator(".half[data-seat=left] .title .words")
    assert shown_text(title) == "CONFIRM THE SETTINGS"
    choose(page, "I confirm")
    page.get_by_text("You have confirmed.").wait_for()
    assert shown_text(title) == "WAIT"
    server.play("right", "confirm")
    wait_mode(page, "left", "ready")
    question = [title, *(page.locator(f".half[data-seat=left] .{part}") for part in ("hint", "aside"))]
    assert [shown_text(part) for part in question if part.is_visible()] == [
        "WHO MOVES FIRST?",
        "Tap whoever rolled higher.",
        "Before each game either player may ask for the dice to be mixed.",
    ]


def test_the_setting_says_how_a_missing_player_joins(page: Page) -> None:
    server = ScriptedServer()
    server.devices = (1, None)
    open_page(page, server)
    assert panel(page) == [
        "Waiting for Bob to join.",
        "US 2013 · simple delay · to 7 · singles · 14:00 each · delay 12 s",
    ]


def test_a_double_asks_first_and_is_taken_or_passed(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "Double")
    phone.get_by_role("dialog", name="Double to 2?").wait_for()
    assert server.heard == []
    choose(phone, "Double to 2")
    wait_mode(phone, "left", "wait")
    assert last_command(server, phone) == {"do": "double", "turn_number": 1}
    assert shown_text(phone.locator(".half[data-seat=left] .hint")) == "Bob takes or passes"

    show(phone, server, then(("left", "hit"), ("right", "double")))
    expect(phone.locator(".half[data-seat=left] .title .words")).to_have_text("Bob doubles to 2")
    choose(phone, "Take")
    wait_mode(phone, "left", "wait")
    assert (last_command(server, phone), server.match.cube.value, server.match.cube.owner) == (
        {"do": "take", "turn_number": 3},
        2,
        "left",
    )
    assert shown_text(phone.locator(".half[data-seat=left] .facts")) == "Cube 2 · Ann"

    server.heard.clear()
    show(phone, server, then(("left", "hit"), ("right", "double")))
    choose(phone, "Pass")
    assert server.heard == []
    choose(phone, "Pass: Bob scores 1 point")
    wait_mode(phone, "left", "ready")
    assert (last_command(server, phone), server.match.score) == ({"do": "pass", "turn_number": 3}, (0, 1))

    owned = {"what": "cube", "value": 2, "owner": "right"}
    show(phone, server, then(("director", "propose", owned)))
    wait_until(phone, phone.get_by_role("button", name="Redouble").is_disabled, "the button is off")


BRIEF = [
    (["Bartholomew Featherstoneh", "Wilhelmina Schwarzenegger"], "singles", "Bartholomew"),
    (["Bartholomew Featherstoneh", "Bartholomew Schwarzeneg"], "singles", "Bartholomew Featherstoneh"),
    (["B. Featherstonehaugh", "Bob"], "singles", "B. Featherstonehaugh"),
    (["Bartholomew & Ann", "Bob & Wilhelmina"], "doubles", "Bartholomew & Ann"),
]


def test_a_long_name_is_shortened_if_it_stays_distinct(page: Page, server: ScriptedServer) -> None:
    open_page(page, server)
    half = page.locator(".half[data-seat=left]")
    taken = then(("right", "double"), ("left", "take"), ("right", "stop"), first="right")
    for names, format_, brief in BRIEF:
        show(page, server, taken, names=names, format=format_)
        said = [shown_text(half.locator(".facts")), shown_text(half.locator(".panel button").nth(1))]
        assert [words.replace("\u00ad", "") for words in said] == [f"Cube 2 · {brief}", f"Start {brief}’s clock"]


REASONS = [
    ("To retrieve fallen dice", "dice", "Ann stopped both clocks to retrieve fallen dice."),
    ("To contest Bob’s action", "contest", "Ann stopped both clocks to contest an opponent’s action."),
    (
        "Bob picked up the dice in error, so I move with the clocks stopped",
        "dice-picked-up",
        "Ann stopped both clocks to move with them stopped, because the dice were picked up in error.",
    ),
    ("To verify score or cube", "score", "Ann stopped both clocks to verify score or cube."),
    ("To take an authorised break", "break", "Ann stopped both clocks for an authorised break."),
]


def test_stop_for_each_reason(phone: Page, server: ScriptedServer) -> None:
    for label, reason, line in REASONS:
        show(phone, server, running())
        choose(phone, "Stop", label)
        phone.get_by_text(line).wait_for()
        assert (last_command(server, phone), panel(phone)[0]) == ({"do": "stop", "reason": reason}, line)


def test_stop_and_one_tap_propose_the_result_of_the_game(phone: Page, server: ScriptedServer) -> None:
    for winner, name in (("left", "Ann"), ("right", "Bob")):
        show(phone, server, then(("left", "hit")))  # the result may come from a player who is not on turn
        wait_mode(phone, "left", "wait")
        choose(phone, "Stop")
        wait_mode(phone, "left", "stopped")
        sheet = phone.get_by_role("dialog", name="Both clocks are stopped. Why?")
        assert shown_texts(sheet.locator(".body > *").first) == ["The game is over"]
        first = sheet.get_by_role("button").nth(1)  # after the one that closes the sheet
        assert shown_text(first).split("\n") == ["Single game", "1 point → 1–0"]
        sheet.get_by_role("group", name=f"{name} wins").get_by_role("button", name="Gammon 2 points").click()
        phone.get_by_text(f"{name} wins a gammon").wait_for()
        result = {"do": "propose", "what": "game", "winner": winner, "points": 2}
        assert last_command(server, phone) == {**result, "turn_number": 2}


def test_the_turn_goes_on_or_passes_after_a_stop(phone: Page, server: ScriptedServer) -> None:
    server.play("right", "stop", reason="dice")
    choose(phone, "Start Ann’s clock")
    wait_mode(phone, "left", "turn")
    assert last_command(server, phone) == {"do": "resume", "turn_of": "left"}

    server.play("right", "stop", reason="contest")
    choose(phone, "Start Bob’s clock", "Bob’s turn: tap again")
    wait_mode(phone, "right", "turn")
    assert last_command(server, phone) == {"do": "resume", "turn_of": "right"}

    show(phone, server, then(("left", "stop", {"reason": "dice-picked-up"})))
    primary = phone.locator(".half[data-seat=left] .panel button.primary")
    assert shown_text(primary) == "Start Bob’s clock"  # the move was made with the clocks stopped
    primary.click()
    wait_mode(phone, "right", "turn")

    show(phone, server, then(("director", "stop", {"reason": "director"})))
    wait_mode(phone, "left", "stopped")
    assert panel(phone) == [
        "The director stopped both clocks.",
        "Only the director can restart the clocks.",
    ]
    assert phone.locator(".half[data-seat=left] .panel button").count() == 0


def test_call_the_director_with_a_note(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "More", "Call the director …")
    phone.get_by_label("What is it about? (optional)").fill("Which game is this?")
    choose(phone, "Call the director")
    wait_mode(phone, "left", "stopped")
    assert last_command(server, phone) == {"do": "call", "note": "Which game is this?"}
    hint = phone.locator(".half[data-seat=left] .hint")
    expect(hint).to_have_text("The director has been called. “Which game is this?”")
    server.play("director", "answer")
    expect(hint).to_have_text("The director has answered the call.")
    announced = phone.get_by_role("status").filter(has_text="The director has answered the call.")
    expect(announced).to_have_count(1)


@pytest.mark.parametrize("rules", ["us-2013", "unified-2001"])
def test_a_casual_match_mentions_no_director(page: Page, rules: str) -> None:
    server = ScriptedServer(rules=rules)
    server.tournament = "casual"
    server.begin("left", ago_ms=30_000)
    errors = open_page(page, server, "left right")
    hints = page.locator(".half .hint")
    server.play("left", "call", note="Which game is this?")
    expect(hints).to_have_text(["Settle it between the two of you. “Which game is this?”"] * 2)
    server.play("director", "resume", turn_of="left")
    server.play("server", "expire", after_ms=3_600_000)
    wait_mode(page, "left", "flag")
    expect(hints).to_have_text(["Settle it between the two of you."] * 2)
    assert errors == []


def test_a_flag_shows_its_consequence_until_both_agree(page: Page) -> None:
    server = ScriptedServer(rules="unified-2001", length=9, score=[6, 3])
    server.begin("right", ago_ms=3_600_000)
    server.play("server", "expire")
    open_page(page, server, "right")
    wait_mode(page, "right", "flag")
    assert shown_texts(page.locator(".half[data-seat=right] .lines p")) == [
        "Unified 5.1: 2 points to Ann, now 8–3.",
        "Both clocks get 5:00 more: Ann 32:00, Bob 5:00.",
        "The cube is frozen for this game.",
    ]
    choose(page, "I agree")
    page.get_by_text("You agreed. Waiting for Ann or the director.").wait_for()
    assert (last_command(server, page), server.match.score) == ({"do": "agree", "proposal": 1}, (6, 3))
    choose(page, "Withdraw")
    page.get_by_role("button", name="I agree").wait_for()
    assert last_command(server, page) == {"do": "withdraw"}
    assert server.match.proposal is not None and server.match.proposal.agreed == ()
    choose(page, "I agree")
    page.get_by_text("You agreed. Waiting for Ann or the director.").wait_for()
    server.play("left", "agree")
    wait_mode(page, "right", "stopped")
    assert shown_text(page.locator(".half[data-seat=right] .facts")) == "Cube frozen · 1 offence"


def test_the_end_of_the_match_says_who_won(phone: Page, server: ScriptedServer) -> None:
    server.play("right", "propose", what="game", winner="left", points=7)
    choose(phone, "Agree")
    wait_mode(phone, "left", "over")
    assert (panel(phone), shown_text(phone.locator(".half[data-seat=left] .title"))) == (
        ["Ann wins the match, 7–0."],
        "YOU WIN",
    )


def test_a_proposal_for_an_ended_turn_is_refused_in_the_servers_words(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "More", "This game …", "Offer a concession …")
    sockets, server.sockets = server.sockets, []
    server.play("left", "hit")  # from another phone; this page does not know yet
    server.sockets = sockets
    phone.get_by_role("button", name="Single game").click()
    notice = phone.locator(".half[data-seat=left] .notice")
    notice.wait_for(state="visible")
    assert shown_text(notice) == "The turn has changed since you opened this, so nothing was proposed."
    assert server.match.proposal is None


def test_a_sheet_closes_or_folds_when_its_players_turn_begins(phone: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    wait_mode(phone, "left", "wait")
    choose(phone, "More", "Corrections …", "Correct the score …")
    server.play("right", "hit")
    wait_mode(phone, "left", "turn")
    expect(phone.get_by_role("dialog")).to_have_count(0)
    expect(phone.locator(".half[data-seat=left] .notice")).to_have_text("The turn has changed, so nothing was sent.")
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "left", "wait")
    assert last_command(server, phone) == {"do": "hit", "turn_number": 3}

    choose(phone, "More", "Call the director …")  # valid in any turn
    phone.get_by_label("What is it about? (optional)").fill("Which game is this?")
    server.play("right", "hit")
    half = phone.locator(".half[data-seat=left]")
    expect(half).to_have_attribute("data-sheet", "folded")
    expect(phone.get_by_label("What is it about? (optional)")).to_be_hidden()
    phone.tap(".half[data-seat=left] .pad")
    wait_mode(phone, "left", "wait")
    phone.get_by_role("button", name="Call the director").first.click()
    choose(phone, "Call the director")
    wait_mode(phone, "left", "stopped")
    assert last_command(server, phone) == {"do": "call", "note": "Which game is this?"}


def test_words_told_over_a_sheet_move_nothing(phone: Page, server: ScriptedServer) -> None:
    choose(phone, "Stop")
    wait_mode(phone, "left", "stopped")
    expect(phone.get_by_role("dialog")).to_be_visible()
    half = phone.locator(".half[data-seat=left]")
    parts = [half.locator(part) for part in (".title .words", ".who", ".digits", ".wins button >> nth=0")]
    before = [part.bounding_box() for part in parts]
    phone.evaluate("document.querySelector('match-clock').say('The time was corrected.')")
    expect(half.locator(".notice")).to_have_text("The time was corrected.")
    assert [part.bounding_box() for part in parts] == before


def test_undo_says_whose_press_it_takes_back(phone: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    choose(phone, "Undo")
    phone.get_by_role("dialog", name="Undo your press").wait_for()
    assert shown_text(phone.locator(".sheet .body p").first) == "Undo your press."
    choose(phone, "Close", "More")
    phone.get_by_role("button", name="Undo your press …").wait_for()


def test_the_other_player_reads_whose_press_an_undo_takes_back(page: Page, server: ScriptedServer) -> None:
    server.play("left", "hit")
    open_page(page, server, "right")
    choose(page, "More", "This game …")
    page.get_by_role("button", name="Undo Ann’s press …").wait_for()
    choose(page, "Close")
    server.play("left", "propose", what="undo")
    page.locator(".half[data-seat=right] .lines p", has_text="Undo Ann’s press.").wait_for()


def test_a_watching_page_shows_everything_and_has_no_actions(page: Page, server: ScriptedServer) -> None:
    errors = open_page(page, server, "", watch=True)
    expect(page.locator(".half .title .words")).to_have_text(["Clock is running", "Waiting"])
    expect(page.locator(".half button:visible")).to_have_count(0)
    server.play("right", "propose", what="game", winner="right", points=2)
    wait_mode(page, "left", "stopped")
    assert panel(page) == ["Bob wins a gammon", "2 points · 0–0 → 0–2"]
    assert (page.locator(".half button:visible").count(), errors) == (0, [])
