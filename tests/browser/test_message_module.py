"""`message.js`: dismissing the director's message, with and without storage."""

from typing import Any

import pytest
from playwright.sync_api import Page

MESSAGE = {"t": "message", "id": 7, "text": "Lunch at one.", "at": 0, "now": 1_000, "until": 61_000}
STORAGES = {
    "none": "null",
    "one that is full": "{ getItem: () => null, setItem() { throw new Error('full'); } }",
    "one that is blocked": "{ getItem() { throw new Error('blocked'); }, setItem() { throw new Error('blocked'); } }",
    "one that keeps": "{ kept: null, getItem() { return this.kept; }, setItem(name, value) { this.kept = value; } }",
}


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_a_dismissed_message_stays_dismissed_with_or_without_storage(module_page: Page, storage: str) -> None:
    script = f"""async (frame) => {{
        const {{ Message }} = await import('/static/clocks/phone/message.js');
        const {{ Store }} = await import('/static/clocks/browser/storage.js');
        const area = {storage};
        const message = new Message({{ copies: 1, now: () => 1000, store: new Store(() => area) }});
        const [banner] = message.elements;
        const says = () => (banner.hidden ? '' : banner.querySelector('p').textContent);
        message.receive(frame);
        const told = [says()];
        banner.querySelector('button').click();
        told.push(says());
        message.receive(frame); // told again: the connection came back
        told.push(says());
        message.receive({{ ...frame, id: 8, text: 'Round 4 begins.' }});
        return [...told, says()];
    }}"""
    shown: list[Any] = module_page.evaluate(script, MESSAGE)
    assert shown == ["Lunch at one.", "", "", "Round 4 begins."]
