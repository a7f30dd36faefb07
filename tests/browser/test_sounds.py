"""Choice between the sounds of the phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, choose


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left", ago_ms=4_000)
    return server


def open_sounds(phone: Page) -> None:
    choose(phone, "More", "This phone …", "Sound …")


def test_44_the_chosen_sound_and_volume_are_remembered(phone: Page) -> None:
    open_sounds(phone)
    sheet = phone.get_by_role("dialog", name="Sound")
    expect(sheet.get_by_role("radio", name="Soft")).to_be_checked()
    sheet.get_by_role("radio", name="Wood").check()
    choose(phone, "Volume +", "Volume +", "Volume +")
    expect(sheet.get_by_role("status")).to_have_text("5 / 5")
    choose(phone, "Play the sound")
    phone.reload()
    phone.wait_for_selector("match-clock[data-link=open]")
    open_sounds(phone)
    expect(sheet.get_by_role("radio", name="Wood")).to_be_checked()
    expect(sheet.get_by_role("status")).to_have_text("5 / 5")


def test_44_a_phone_can_be_silent(phone: Page) -> None:
    open_sounds(phone)
    phone.get_by_role("radio", name="Off").check()
    phone.reload()
    phone.wait_for_selector("match-clock[data-link=open]")
    open_sounds(phone)
    expect(phone.get_by_role("radio", name="Off")).to_be_checked()
