"""A shared phone: two pads, one on each player's side."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text
from tests.browser.scripted import ScriptedServer, asked, choose, open_page, press, wait_mode, wait_until

SIZES = [(390, 844), (320, 568), (360, 640), (768, 1024)]


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left")
    return server


@pytest.fixture
def phone(page: Page, server: ScriptedServer) -> Iterator[Page]:
    """The shared phone of Ann (left, below) and Bob (right, above)."""
    errors = open_page(page, server, "left right")
    yield page
    assert errors == []


def test_each_player_presses_on_their_own_side_even_at_once(phone: Page, server: ScriptedServer) -> None:
    press(phone, "right")
    notice = phone.locator(".half[data-seat=right] .notice")
    notice.wait_for(state="visible")
    assert (shown_text(notice), server.heard) == ("Ann’s clock is running", [])
    press(phone, "left")
    wait_mode(phone, "right", "turn")
    press(phone, "right")
    wait_mode(phone, "left", "turn")
    assert asked(server, "do", "seat", "turn_number") == [("hit", "left", 1), ("hit", "right", 2)]
    server.heard.clear()
    server.answering = False
    press(phone, "left")
    press(phone, "right")  # a moment later, before the first is answered
    wait_until(phone, lambda: len(server.heard) >= 2, "both presses arrive")
    first, second = server.heard[:2]
    for frame in (first, second):
        server.answer(frame)
    wait_mode(phone, "left", "turn")
    assert [(frame["seat"], frame["turn_number"]) for frame in (first, second)] == [("left", 3), ("right", 4)]


def test_10_16_each_half_covers_two_fifths_and_has_both_times(phone: Page) -> None:
    for seat in ("left", "right"):
        half = phone.locator(f".half[data-seat={seat}]")
        assert (shown_text(half.locator(".digits")), shown_text(half.locator(".copy"))) == ("14:00", "14:00")
        for width, height in SIZES:
            phone.set_viewport_size({"width": width, "height": height})
            box = half.bounding_box()
            assert box is not None
            assert box["width"] * box["height"] >= 0.4 * width * height, (width, height)


# Ann's pad stays at the phone's lower end: for each orientation, where that is on the rotated screen.
SIDES = [
    ("landscapePrimary", 90, "right"),
    ("portraitSecondary", 180, "top"),
    ("landscapeSecondary", 270, "left"),
    ("portraitPrimary", 0, "bottom"),
]


def test_23_each_pad_stays_at_its_place_when_the_phone_is_bumped(own_page: Page, server: ScriptedServer) -> None:
    session = own_page.context.new_cdp_session(own_page)
    open_page(own_page, server, "left right")
    for kind, angle, side in SIDES:
        width, height = (844, 390) if kind.startswith("landscape") else (390, 844)
        screen = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
        session.send(
            "Emulation.setDeviceMetricsOverride", {**screen, "screenOrientation": {"type": kind, "angle": angle}}
        )
        own_page.wait_for_selector(f"match-clock[data-angle='{angle}']")
        box = own_page.locator(".half[data-seat=left]").bounding_box()
        assert box is not None
        across = (box["x"] + box["width"] / 2) / width
        down = (box["y"] + box["height"] / 2) / height
        places = {"bottom": down > 0.6, "top": down < 0.4, "right": across > 0.6, "left": across < 0.4}
        assert [name for name, there in places.items() if there] == [side]


def test_24_the_players_may_sit_on_one_side_and_be_left_handed(phone: Page) -> None:
    def buttons(seat: str) -> list[str]:
        visible = phone.locator(f".actions[data-seat={seat}] button:visible").all()
        return [name for _, name in sorted((button.bounding_box()["x"], shown_text(button)) for button in visible)]

    before = {seat: buttons(seat) for seat in ("left", "right")}
    phone.locator(".actions[data-seat=left]").get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="This phone …").click()
    expect(phone.get_by_role("switch", name="Bob is left-handed")).to_have_attribute("aria-checked", "false")
    phone.get_by_role("switch", name="Ann is left-handed").click()
    assert {seat: buttons(seat) for seat in ("left", "right")} == before | {"left": before["left"][::-1]}
    far = phone.locator(".half[data-seat=right]")
    turned = far.evaluate("half => getComputedStyle(half).transform")
    phone.get_by_role("switch", name="The players face each other").click()
    assert (turned, far.evaluate("half => getComputedStyle(half).transform")) == ("matrix(-1, 0, 0, -1, 0, 0)", "none")


def test_a_phone_beside_the_board_is_mirrored_for_the_left_hand(page: Page) -> None:
    server = ScriptedServer()
    server.begin()
    open_page(page, server)

    def places() -> list[list[float]]:
        found = []
        for width, height in ((390, 844), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            parts = [page.locator(name).bounding_box() for name in (".double", ".more", ".half[data-seat=left]")]
            found.append([box["x"] for box in parts if box])
        return found

    before = places()
    choose(page, "More", "This phone …")
    page.get_by_role("switch", name="left-handed").click()
    page.keyboard.press("Escape")
    assert [
        (double < more, new_double > new_more, new_pad > pad)
        for (double, more, pad), (new_double, new_more, new_pad) in zip(before, places(), strict=True)
    ] == [(True, True, False), (True, True, True)]


def test_each_player_may_have_a_sheet_in_the_own_half(phone: Page, server: ScriptedServer) -> None:
    phone.locator(".actions[data-seat=right]").get_by_role("button", name="Menu").click()
    sheet = phone.get_by_role("dialog", name="Bob")
    half = phone.locator(".half[data-seat=right]")
    inner, outer = sheet.bounding_box(), half.bounding_box()
    assert inner is not None and outer is not None
    assert outer["y"] <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    assert half.evaluate("half => getComputedStyle(half).transform") == "matrix(-1, 0, 0, -1, 0, 0)"
    press(phone, "left")  # the other pad stays live
    wait_mode(phone, "right", "turn")
    phone.locator(".actions[data-seat=left]").get_by_role("button", name="Menu").click()
    assert asked(server, "do", "seat") == [("hit", "left")]
    assert [phone.locator(f".half[data-seat={seat}]").get_attribute("data-sheet") for seat in ("left", "right")] == [
        "open",
        "folded",
    ]


def test_each_player_has_a_stop_button_while_a_clock_runs(phone: Page, server: ScriptedServer) -> None:
    for seat in ("left", "right"):
        assert phone.locator(f".actions[data-seat={seat}]").get_by_role("button", name="Stop").is_visible()
    phone.locator(".actions[data-seat=right]").get_by_role("button", name="Stop").click()
    wait_mode(phone, "left", "stopped")
    phone.locator(".half[data-seat=right]").get_by_role("button", name="To retrieve fallen dice").click()
    wait_until(phone, lambda: len(server.heard) == 2, "the reason arrives")
    assert asked(server, "do", "seat", "reason") == [("stop", "right", None), ("stop", "right", "dice")]
    assert server.match.halt is not None and server.match.halt.reason == "dice"


def test_each_player_confirms_on_their_own_side(page: Page) -> None:
    server = ScriptedServer()
    open_page(page, server, "left right")
    for seat in ("left", "right"):
        page.locator(f".half[data-seat={seat}]").get_by_role("button", name="I confirm").click()
    wait_mode(page, "left", "ready")
    assert asked(server, "do", "seat") == [("confirm", "left"), ("confirm", "right")]
