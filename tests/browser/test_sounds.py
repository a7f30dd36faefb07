"""Choosing the phone's sounds."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, choose, open_page

# Fake Web Audio API that records each sound's kind: tone or knock.
SPEAKER = """
window.heard = [];
window.AudioContext = class {
    state = 'running';
    currentTime = 0;
    sampleRate = 8000;
    createOscillator() {
        return { frequency: {}, connect: (node) => node, start: () => heard.push('tone'), stop() {} };
    }
    createBufferSource() {
        return { connect: (node) => node, start: () => heard.push('knock') };
    }
    createBiquadFilter() {
        return { frequency: {}, Q: {}, connect: (node) => node };
    }
    createBuffer(channels, length) {
        return { getChannelData: () => new Float32Array(length) };
    }
    createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
    }
};
"""


@pytest.fixture
def server() -> ScriptedServer:
    """A scripted server with Ann's clock running."""
    server = ScriptedServer()
    server.begin("left", ago_ms=4_000)
    return server


def open_sounds(phone: Page) -> None:
    choose(phone, "More", "This phone …", "Sound …")


def test_44_the_chosen_sound_volume_and_silence_are_remembered(phone: Page) -> None:
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
    sheet.get_by_role("radio", name="Off").check()
    phone.reload()
    phone.wait_for_selector("match-clock[data-link=open]")
    open_sounds(phone)
    expect(sheet.get_by_role("radio", name="Off")).to_be_checked()


def test_the_trial_plays_the_chosen_sound(own_page: Page, server: ScriptedServer) -> None:
    own_page.add_init_script(SPEAKER)
    open_page(own_page, server)
    open_sounds(own_page)
    for voice, sound in (("Soft", "tone"), ("Wood", "knock")):
        if voice != "Soft":  # the default; another one sounds when it is chosen
            own_page.get_by_role("radio", name=voice).check()
            own_page.wait_for_function("() => heard.length === 2")
        own_page.evaluate("heard.length = 0")
        choose(own_page, "Play the sound")
        own_page.wait_for_function("() => heard.length === 2")
        assert own_page.evaluate("heard") == [sound, sound]
        own_page.evaluate("heard.length = 0")
