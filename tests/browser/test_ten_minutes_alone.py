"""Ten minutes offline on a shared phone, with a real page, server and proxy.

The clocks of page and server are set forward by the same amounts: the server runs through each second, and the page's
timers fire when due. `test_alone.py` tests what needs no simulated time.
"""

from collections.abc import Iterator
from itertools import cycle, pairwise
from typing import Any

import pytest

from tests.browser.hurried import HurriedProduct
from tests.browser.product import running
from tests.browser.proxy import Network
from tests.browser.test_alone import journal, linked, lose, play, playing
from tests.browser.windows import Phone, Windows

OUTAGE_MS = 600_000
TURN_MS = 40_000
RELOADS = (5, 10)  # turns after which the page is reloaded
DOUBLES = 7
RESERVE_MS = 300_000  # shorter than the outage, so a server that charged the outage would let a flag fall
DELAY_MS = 12_000
ENDS = ("hit", "doubled", "took")  # events that end a turn
BACK = "Back online. All that was played here counts."
STEPS = "(code) => JSON.parse(localStorage.getItem(`clock:${code}:alone`)).steps"


@pytest.fixture
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HurriedProduct]:
    with running(HurriedProduct(tmp_path_factory.mktemp("data"))) as product:
        yield product


def let_pass(phone: Phone, product: HurriedProduct, ms: int) -> None:
    """Set the clocks of phone and server forward."""
    product.let_pass(ms)
    phone.page.clock.run_for(ms)


def charged(events: list[tuple[str, dict[str, Any]]]) -> int:
    """Reserve charged for the turns between the first and last press, in milliseconds."""
    ends = [data["at"] for event, data in events if event in ENDS]
    return sum(max(0, after - before - DELAY_MS) for before, after in pairwise(ends))


def test_ten_offline_minutes_with_reloads_all_count(
    windows: Windows, product: HurriedProduct, network: Network
) -> None:
    options = ("--option", f"reserve_ms={RESERVE_MS}")
    made, phone = playing(windows, product, network, *options, set_forward=True)
    lose(windows, network)
    phone.says("Offline")
    seats = cycle(["left", "right"])
    for turn in range(1, OUTAGE_MS // TURN_MS + 1):
        let_pass(phone, product, TURN_MS)
        seat = next(seats)
        if turn == DOUBLES:
            phone.tap("Double", seat=seat)
            phone.tap("Double to 2")
            phone.tap("Take", seat=next(seats))
            phone.shows(seat, "turn")
        else:
            play(phone, seat)
        if turn in RELOADS:
            phone.page.reload()
            phone.says("Offline")
    waits = product.snapshot(made["code"])
    assert [waits[name] for name in ("status", "flagged", "turn_number")] == ["running", None, 1]
    kept = phone.page.evaluate(STEPS, made["code"])
    assert kept[-1]["at"] - waits["since"] >= OUTAGE_MS
    network.dead = False
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    linked(phone)
    phone.says(BACK)
    windows.server_is_down = False
    said = product.snapshot(made["code"])
    entries = journal(product, made["match"])
    (*_, (last, handed)) = entries
    assert (last, handed["kept"], handed["taken"], handed["code"]) == ("handed_over", len(kept), len(kept), "")
    _, *played = [data["at"] for event, data in entries if event in ENDS]
    assert played == [step["at"] for step in kept]
    assert (said["status"], said["cube"]["value"], said["turn_number"]) == ("running", 2, 1 + len(kept))
    assert sum(said["turn_reserve_ms"]) == 2 * RESERVE_MS - charged(entries)
    play(phone, next(seats))
    assert phone.refusals() == []
