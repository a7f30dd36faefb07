"""Two phones behind networks that lose, delay and cut.

`TURNS=200` is the long form of `make check-faults`. This does without `tc netem`, which many kernels lack. The proxy
delays each piece as TCP would: a lost one by a doubling retransmission timeout, and those behind it until it arrives.
"""

import json
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
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
TIMEOUT_MS = 250  # first retransmission timeout
CUTS_S = (1, 10, 60, 180) if TURNS >= 200 else (1, 8)
TOLERANCE_MS = 400  # largest accepted error of a phone's clock with this jitter
NAMES = {"left": "Ann", "right": "Bob"}

# Records when the player saw each turn and touched the pad, and each notice with its time, and dismisses the notice.
WATCH = """(seat) => {
    window.pressed = [];
    window.seen = [];
    window.said = [];
    const half = document.querySelector(`.half[data-seat=${seat}]`);
    const turn = () => document.querySelector('match-clock').match.turn_number;
    const note = ({ target }) => target.closest(".pad") && pressed.push([turn(), Date.now()]);
    addEventListener("pointerdown", note, true);
    const look = () => {
        if (half.dataset.mode === 'turn' && seen.at(-1)?.[0] !== turn()) seen.push([turn(), Date.now()]);
        const message = document.querySelector('.message.late');
        if (!message?.checkVisibility()) return;
        said.push([message.querySelector('p').textContent, Date.now()]);
        message.querySelector('.settles button:last-child').click();
    };
    const changes = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document.body, changes);
}"""
# True if it is the player's turn, and the pad was not touched in it.
TO_PRESS = """(seat) => {
    const turn = document.querySelector('match-clock').match.turn_number;
    const half = document.querySelector(`.half[data-seat=${seat}]`);
    return half.dataset.mode === 'turn' && !pressed.some(([one]) => one === turn);
}"""
SHOWN = "(({ turn_number, v }) => [turn_number, v])(document.querySelector('match-clock').match)"
LATE = re.compile(r"(Your|Ann’s|Bob’s) press arrived (\d+) s late; (\d+):(\d\d) was charged\.")
AWAY = re.compile(r"You were offline for [\d:]+\. Your clock ran for (\d+):(\d\d) of it\.")

pytestmark = pytest.mark.timeout(180 if TURNS < 200 else 3_600)


class Hit(NamedTuple):
    """A press in the journal."""

    by: str
    turn: int
    at: int
    claimed_at: int
    credit_ms: int


def lossy(chance: random.Random) -> Callable[[], float]:
    """Delay of one piece in ms: jitter, and a timeout for each time that it is lost."""

    def delay() -> float:
        ms, timeout = chance.uniform(0, JITTER_MS), TIMEOUT_MS
        while chance.random() < LOSS:
            ms, timeout = ms + timeout, timeout * 2
        return ms

    return delay


def cut(network: Network, seconds: float, *, breaks: bool) -> None:
    """Hold everything back for `seconds`; if `breaks`, first break open connections."""
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


class Told(NamedTuple):
    """Records of a phone, in server time: turns seen and pressed, notices said."""

    seen: dict[int, float]
    pressed: dict[int, float]
    said: list[tuple[str, float]]

    def late_ms(self, whose: str, late_s: int) -> int | None:
        """Charge in ms by the notice of a late press; None without such a notice."""
        for words, _ in self.said:
            if (found := LATE.fullmatch(words)) and found[1] == whose and int(found[2]) == late_s:
                return _ms(found[3], found[4])
        return None

    def away_ms(self, since: float, until: float) -> int:
        """Sum of the charges in ms by notices of an absence, in this period."""
        found = [AWAY.fullmatch(words) for words, at in self.said if since <= at <= until]
        return sum(_ms(each[1], each[2]) for each in found if each)


def _ms(minutes: str, seconds: str) -> int:
    return (int(minutes) * 60 + int(seconds)) * 1_000


def told_on(phone: Phone, ahead_ms: float) -> Told:
    """Records of a phone, read once the game is over."""
    seen, pressed, said = phone.page.evaluate("[seen, pressed, said]")
    on_server = {turn: at + ahead_ms for turn, at in seen}, {turn: at + ahead_ms for turn, at in pressed}
    return Told(*on_server, [(words, at + ahead_ms) for words, at in said])


def faults(before: Hit, hit: Hit, told: dict[str, Told]) -> Iterator[str]:
    """Yield faults of a turn's charge, and of the phones' notices of it."""
    mine = told[hit.by]
    pressed_at = mine.pressed[hit.turn]
    if abs(hit.claimed_at - pressed_at) > TOLERANCE_MS:
        yield f"turn {hit.turn}: pressed at {pressed_at:.0f}, claimed {hit.claimed_at}"
    over_ms = hit.at - hit.credit_ms - hit.claimed_at
    late_s = round((hit.at - hit.claimed_at) / 1000)
    if over_ms >= LATE_MS:
        for seat in NAMES:
            said = told[seat].late_ms("Your" if seat == hit.by else f"{NAMES[hit.by]}’s", late_s)
            if said is None or abs(said - over_ms) > 1_000:
                yield f"turn {hit.turn}: {NAMES[seat]} was told {said} of {over_ms} ms for {late_s} s"
    began = before.at - before.credit_ms
    unseen_ms = mine.seen[hit.turn] - began
    away_ms = mine.away_ms(began, pressed_at)
    untold_ms = 1_000 + TOLERANCE_MS  # notices name whole seconds
    if not -TOLERANCE_MS < unseen_ms - away_ms < untold_ms:
        unseen = f"ran unseen for {unseen_ms:.0f} ms, credit {before.credit_ms}"
        yield f"turn {hit.turn}: {unseen}, and {NAMES[hit.by]} was told of {away_ms}"


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
            if not phone.page.evaluate(TO_PRESS, seat):
                phone.page.wait_for_timeout(100)
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
        for seat, phone in phones.items():
            phone.page.evaluate(WATCH, seat)
        phones["left"].hit("left")
        phones["right"].shows("right", "turn")
        ahead_ms = server_ahead_ms(product, made["code"])
        windows.server_is_down = True  # to the end: the networks close before the windows
        for network in networks.values():
            network.one_way_ms = lossy(chance)
        play(phones, networks, chance)
        for network in networks.values():
            network.dead = False
        for phone in phones.values():
            phone.until(lambda p=phone: p.page.evaluate(SHOWN)[0] == TURNS + 1, "the last press", 60_000)
        for phone in phones.values():
            version = product.snapshot(made["code"])["v"]
            phone.until(lambda p=phone, v=version: p.page.evaluate(SHOWN)[1] == v, "the last version", 60_000)
        told = {seat: told_on(phone, ahead_ms) for seat, phone in phones.items()}
        played = hits(product, made["match"])
        wrong = [words for before, hit in pairwise(played) for words in faults(before, hit, told)]
        assert (wrong, len(played)) == ([], TURNS + 1), told
    assert "all as their journals say" in product.manage("verify")
