"""Invalid frames sent by a clock page: refused, with the socket kept open."""

import json

from tests.browser.product import Product
from tests.browser.test_overlay import BEGIN
from tests.browser.windows import Windows

NONSENSE = [
    "{",
    "[]",
    '"hit"',
    '{"t": "dance"}',
    '{"t": "do", "id": "a1", "do": "fly"}',
    '{"t": "do", "id": "a2", "do": "propose", "what": "game", "winner": "up", "points": -1}',
    '{"t": "do", "id": "a3", "do": "hit", "turn_number": "one"}',
    '{"t": "do", "id": "a4", "do": "hit", "seat": "right"}',
    json.dumps({"t": "do", "id": "a5", "do": "call", "note": "x" * 5000}),
]


def test_a_phone_that_sends_nonsense_keeps_its_socket_and_its_match(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    product.manage("shell", "--no-imports", "--command", BEGIN.format(match=made["match"], first="right"))
    ann = windows.phone(made["url"])
    ann.sit("I am Ann")
    ann.shows("left", "turn")
    before = product.snapshot(made["code"])

    for text in NONSENSE:
        heard = len(ann.refusals())
        ann.page.evaluate("text => document.querySelector('match-clock').source.link.socket.send(text)", text)
        ann.until(lambda heard=heard: len(ann.refusals()) > heard, f"a refusal of {text[:40]}")
    assert {frame["code"] for frame in ann.refusals()} <= {"bad-message", "bad-value", "not-yours-to-settle", "no-seat"}
    assert all(frame["words"] for frame in ann.refusals())
    assert product.snapshot(made["code"])["v"] == before["v"]

    ann.hit("left")
    ann.shows("left", "wait")
    assert (product.snapshot(made["code"])["turn"], ann.sockets) == ("right", 1)
