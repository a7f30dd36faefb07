"""Clocks of an hour and more with long names, on any screen."""

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, open_page

NAMES = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]  # 25 letters each
LONGEST_MS = (9 * 3600 + 59 * 60 + 59) * 1000
PHONES = [(320, 568), (360, 640), (390, 844), (568, 320), (844, 390)]
LARGE = [(768, 1024), (1024, 768), (1366, 768), (1440, 900), (1920, 1080)]
MODES = ["setup", "ready", "turn", "wait", "stopped", "asked"]

CUT = """() => {
    const ink = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const shown = (element) => element.checkVisibility() && element.textContent !== '';
    const wrong = [];
    for (const half of document.querySelectorAll('.half')) {
        const digits = half.querySelector('.digits');
        if (!shown(digits)) continue;
        const [line, frame] = [ink(digits), half.getBoundingClientRect()];
        const blank = 0.16 * parseFloat(getComputedStyle(digits).fontSize); // above and below the figures themselves
        const upright = line.width > line.height;
        const box = new DOMRect(
            line.x + (upright ? 0 : blank), line.y + (upright ? blank : 0),
            line.width - (upright ? 0 : 2 * blank), line.height - (upright ? 2 * blank : 0),
        );
        const seat = half.dataset.seat;
        if (digits.textContent !== '9:59:59') wrong.push(`${seat}: ${digits.textContent}`);
        for (const [side, over] of Object.entries({
            left: frame.left - box.left, right: box.right - frame.right,
            top: frame.top - box.top, bottom: box.bottom - frame.bottom,
        })) if (over > 0.5) wrong.push(`${seat}: ${over.toFixed(1)} px over the ${side} edge`);
        for (const part of half.querySelectorAll('.title, .who, .facts, .delay, .panel, .hint')) {
            if (!shown(part)) continue;
            const other = part.matches('.who, .delay, .panel') ? part.getBoundingClientRect() : ink(part);
            const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
            const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
            if (wide > 0.5 && high > 0.5) wrong.push(`${seat}: ${part.className} lies on the digits`);
        }
    }
    return wrong;
}"""
CUT_IN = f"""(states) => Object.entries(states).flatMap(([mode, match]) => {{
    window.geometry.show(match);
    const shown = document.querySelector('.half[data-seat=left]').dataset.mode;
    return [...(shown === mode ? [] : [shown]), ...({CUT})()].map((words) => `${{mode}}: ${{words}}`);
}})"""


def in_mode(mode: str) -> ScriptedServer:
    """A server whose left half is in a mode, with 9:59:59 on both clocks."""
    options: dict[str, Any] = {"reserve_ms": LONGEST_MS, "delay_ms": 600_000, "kind": "simple"}
    server = ScriptedServer(rules="custom", names=NAMES, options=options)
    if mode == "ready":
        server.play("director", "confirm")
    elif mode != "setup":
        server.begin("right" if mode in ("wait", "asked") else "left")
    if mode == "stopped":
        server.play("right", "propose", what="game", winner="right", points=2)
    elif mode == "asked":
        server.play("right", "double")
    return server


@pytest.mark.parametrize("seats", ["left", "left right", ""], ids=["own", "shared", "watch"])
def test_no_digit_of_a_clock_of_hours_is_cut_on_any_screen(page: Page, seats: str) -> None:
    errors = open_page(page, in_mode("setup"), seats, watch=not seats)
    page.evaluate(GEOMETRY)
    states = {mode: in_mode(mode).snapshot() for mode in MODES}
    wrong = {}
    for (width, height), facing in product(PHONES + LARGE, ("facing", "same")[: 1 + (seats == "left right")]):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("facing => document.querySelector('match-clock').setAttribute('data-facing', facing)", facing)
        if found := page.evaluate(CUT_IN, states):
            wrong[f"{width}x{height} {facing}"] = found
    assert (wrong, errors) == ({}, [])
