"""The end of a practice match, without a network: games, times, picture, rematch."""

from tests.browser.engines import expect, shown_texts
from tests.browser.test_alone import ending
from tests.browser.test_axe_clock import Eye
from tests.browser.test_ending import SHARED, SHARING
from tests.browser.test_practice import away, practice, to_the_clock
from tests.browser.windows import KEEPING, PHONE, Phone, Windows

END = [
    ["3–0", "By a gammon"],
    ["1–0\nWhite · Double passed"],
    ["", "White", "Black"],
    ["Turns", "3", "2"],
    ["Seconds per turn", "11.0", "18.5"],
    ["Longest think", "0:20", "0:30"],
    ["Time left", "5:52", "5:42"],
    ["Time given", "6:00", "6:00"],
    ["Rematch", "Share", "Home"],
]


def play_to_the_end(phone: Phone) -> None:
    """Let White win 3–0: Black passes a double, then loses a gammon.

    The time stands still between the steps.
    """
    page = phone.page
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))

    def after(ms: int, seat: str, mode: str) -> None:
        page.clock.run_for(ms)
        phone.hit(seat)
        phone.shows("right" if seat == "left" else "left", mode)

    after(1000, "right", "turn")
    after(20_000, "left", "turn")
    after(30_000, "right", "turn")
    page.clock.run_for(9_000)
    phone.tap("Double", seat="left")
    page.clock.run_for(1_000)
    phone.tap("Double to 2")
    page.clock.run_for(6_000)
    phone.tap("Pass", seat="right")
    page.clock.run_for(1_000)
    phone.tap("Pass: White scores 1 point", seat="right")
    phone.shows("left", "ready")
    after(1_000, "right", "turn")
    page.clock.run_for(3_000)
    phone.tap("Stop", seat="left")
    page.clock.run_for(1_000)
    page.get_by_role("group", name="White wins").get_by_role("button", name="Gammon 2 points").tap()
    page.clock.run_for(1_000)
    phone.tap("Agree", seat="right")
    phone.shows("left", "over")
    page.clock.run_for(1_000)
    page.clock.resume()


def told(phone: Phone) -> list[list[str]]:
    """Read the end in both halves, and its links and buttons."""
    return [*ending(phone), shown_texts(phone.half("left").locator(".ways-on").locator("a, button"))]


def test_46_a_practice_match_shows_its_end_to_all_and_begins_again(windows: Windows) -> None:
    phone = practice(windows, length=3, script=SHARING, **KEEPING)
    away(windows, phone.page)
    to_the_clock(phone)
    play_to_the_end(phone)
    assert told(phone) == END
    phone.page.reload()
    assert told(phone) == END
    expect(phone.half("right").locator(".times-used")).to_be_visible()
    phone.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    eye = Eye(phone.page)
    eye.look("the end")
    assert eye.found == {}
    phone.page.set_viewport_size(PHONE["viewport"])
    phone.tap("Share", seat="left")
    phone.page.wait_for_function("() => window.shared.length")
    words = "White wins the match by a gammon, 3–0."
    assert phone.page.evaluate(SHARED) == [["backgammon-3-0.png", "image/png", True, words, None]]
    phone.tap("Rematch", seat="left")
    phone.shows("left", "ready")
    expect(phone.page.locator(".ending, [data-won], .ways-on")).to_have_count(0)
    expect(phone.half("left").locator(".score b")).to_have_text(["0", "0"])
