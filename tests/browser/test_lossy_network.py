"""Two phones behind networks that lose, delay and cut.

`TURNS=200` is the long form of `make check-faults`. No `tc netem` here, which many kernels lack: the proxy delays each
piece as TCP would, a lost one by a retransmission timeout that doubles, and all that follow wait behind it.
"""

import json
import os
import random
import re
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

import pytest

from clocks.lag.late_presses import LATE_MS
from tests.browser.product import Product
from tests.browser.proxy import Network, network_to
from tests.browser.test_network import server_ahead_ms
from tests.browser.windows import Phone, Windows

TURNS = int(os.environ.get("TURNS", "12"))
SEED = int(os.environ.get("SEED", "20"))
LOSS = 0.2
JITTER_MS = 300
TIMEOUT_MS = 250  # of a retransmission
CUTS_S = (1, 10, 60, 180) if TURNS >= 200 else (1, 8)
TOLERANCE_MS = 400  # error of a phone's clock behind such a jitter
NAMES = {"left": "Ann", "right": "Bob"}

# Notes when the pads were touched, and every late press that the page showed.
WATCH = """() => {
    window.pressed = [];
    window.said = [];
    const turn = () => document.querySelector('match-clock').match.turn_number;
    const note = ({ target }) => target.closest(".pad") && pressed.push([turn(), Date.now()]);
    addEventListener("pointerdown", note, true);
    const look = () => {
        for (const message of document.querySelectorAll('.message.late p')) {
            if (message.checkVisibility() && !said.includes(message.textContent)) said.push(message.textContent);
        }
    };
    const changes = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document.body, changes);
}"""

pytestmark = pytest.mark.timeout(180 if TURNS < 200 else 3_600)


class Hit(NamedTuple):
    """A press in the journal."""

    by: str
    turn: int
    at: int
    claimed_at: int
    credit_ms: int


def lossy(chance: random.Random) -> Callable[[], float]:
    """Delay of one piece: jitter, and a timeout for each time that it is lost."""

    def delay() -> float:
        ms, timeout = chance.uniform(0, JITTER_MS), TIMEOUT_MS
        while chance.random() < LOSS:
            ms, timeout = ms + timeout, timeout * 2
        return ms

    return delay


def cut(network: Network, seconds: float, *, breaks: bool) -> None:
    """Lose everything for some time; if it `breaks`, open connections end at once."""
    network.dead = True
    if breaks:
        network.cut()
    threading.Timer(seconds, lambda: setattr(network, "dead", False)).start()


def hits(product: Product, match: int) -> list[Hit]:
    """Presses in a match's journal, in order."""
    fields = "'by', 'at', 'claimed_at', 'credit_ms'"
    of = f"JournalEntry.objects.filter(match={match}, event='hit').order_by('seq').values_list({fields})"
    code = f"import json; from clocks.models import JournalEntry; print(json.dumps(list({of})))"
    rows = json.loads(product.manage("shell", "-c", code).splitlines()[-1])
    return [Hit(by, turn, at, claimed, credit) for turn, (by, at, claimed, credit) in enumerate(rows)]


def play(phones: dict[str, Phone], networks: dict[str, Network], chance: random.Random) -> None:
    """Press on whichever phone shows that it is its turn, with cuts at random."""
    cuts = [seconds for seconds in CUTS_S for _ in range(max(1, TURNS // 100))]
    chance.shuffle(cuts)
    when = dict(zip(sorted(chance.sample(range(2, TURNS - 1), len(cuts))), cuts, strict=True))
    done = 0
    deadline = time.monotonic() + TURNS * 6 + 4 * sum(cuts) + 60
    while done < TURNS:
        assert time.monotonic() < deadline, f"{done} turns"
        for seat, phone in phones.items():
            half = phone.half(seat)
            if half.get_attribute("data-mode") != "turn":
                phone.page.wait_for_timeout(20)
                continue
            number = phone.page.evaluate("document.querySelector('match-clock').match.turn_number")
            if phone.page.evaluate("(number) => pressed.some(([turn]) => turn === number)", number):
                phone.page.wait_for_timeout(20)
                continue
            if done in when:
                cut(networks[chance.choice(list(networks))], when.pop(done), breaks=chance.random() < 0.5)
            phone.page.wait_for_timeout(chance.uniform(50, 500))
            phone.hit(seat)
            done += 1


def test_turns_on_a_lossy_network_are_charged_as_pressed_or_said(windows: Windows, product: Product) -> None:
    chance = random.Random(SEED)
    options = ("--option", "delay_ms=0", "--option", "reserve_ms=3600000")
    made = product.newmatch(*options, length=25)
    with ExitStack() as stack:
        networks = {seat: stack.enter_context(network_to(product.port)) for seat in NAMES}
        phones = {seat: windows.phone(f"{network.address}/t/{made['code']}/") for seat, network in networks.items()}
        for seat, phone in phones.items():
            phone.sit(f"I am {NAMES[seat]}")
            phone.tap("Confirm")
        for phone in phones.values():
            phone.shows("left", "ready")
            phone.until_quality_is_known()
            phone.page.evaluate(WATCH)
        phones["left"].hit("left")
        phones["right"].shows("right", "turn")
        ahead_ms = server_ahead_ms(product, made["code"])
        windows.server_is_down = True  # to the end: the networks close before the windows
        for network in networks.values():
            network.one_way_ms = lossy(chance)
        play(phones, networks, chance)
        for network in networks.values():
            network.dead = False
        phones["left"].until(
            lambda: product.snapshot(made["code"])["turn_number"] == TURNS + 1, "the last press", 60_000
        )
        for phone in phones.values():
            version = product.snapshot(made["code"])["v"]
            phone.until(
                lambda p=phone, v=version: p.page.evaluate("document.querySelector('match-clock').match.v") == v,
                "v",
                60_000,
            )
        wrong = []
        said = {seat: phone.page.evaluate("said") for seat, phone in phones.items()}
        touched = {seat: dict(phone.page.evaluate("pressed")) for seat, phone in phones.items()}
        for hit in hits(product, made["match"])[1:]:
            pressed_at = touched[hit.by][hit.turn] + ahead_ms
            if abs(hit.claimed_at - pressed_at) > TOLERANCE_MS:
                wrong.append(f"turn {hit.turn}: pressed at {pressed_at:.0f}, claimed {hit.claimed_at}")
            over_ms = hit.at - hit.credit_ms - hit.claimed_at
            if over_ms >= LATE_MS:
                late_s = round((hit.at - hit.claimed_at) / 1000)
                for seat in NAMES:
                    whose = "Your" if seat == hit.by else f"{NAMES[hit.by]}’s"
                    pattern = re.compile(f"{whose} press arrived {late_s} s late")
                    if not any(map(pattern.match, said[seat])):
                        wrong.append(f"turn {hit.turn}: {NAMES[seat]} was not told of {late_s} s")
        assert (wrong, len(hits(product, made["match"]))) == ([], TURNS + 1), said
    assert "all as their journals say" in product.manage("verify")
