"""A round of 64 matches on 128 phones, directed by keyboard alone."""

import io
import json
import zipfile
from typing import Any

import pytest
from playwright.sync_api import Page

from clocks.engine import replay
from tests.browser.engines import expect, shown_text
from tests.browser.product import Product
from tests.browser.tables_that_play import Part, Players
from tests.browser.test_cards import imported
from tests.browser.windows import Windows

NUMBERS = range(1, 65)
LAPSING = {n: "unified-2001" if n % 16 == 0 else "us-2013" for n in NUMBERS if n % 8 == 0}
CALLING = {n: 1 + n // 16 for n in NUMBERS if n % 8 == 4}
UNDISTURBED = [n for n in NUMBERS if n not in LAPSING and n not in CALLING]
TOLD = ("status", "winner", "score", "reserve_ms", "hits", "offences", "flagged", "called", "turn_number", "cube")
HERE = """() => {
    const { activeElement: node } = document;
    const line = node.closest('.line');
    return [line?.dataset.kind ?? '', line?.dataset.match ?? '', node.textContent, node.tagName];
}"""
WAITING = ".line:not([data-done])"


@pytest.fixture(scope="module")
def shared_product(product_of_file: Product) -> Product:
    return product_of_file


def draw() -> str:
    """The draw as CSV; reserves of players who lapse are short, and expire in turn."""
    lines = ["table,left,right,length,rules,options"]
    for n in NUMBERS:
        rules = LAPSING.get(n, "us-2013")
        length = 5 if rules == "unified-2001" else 3
        delay = "delay_ms=0 " if rules == "us-2013" else ""
        options = f"{delay}reserve_ms=600000/{1_000 + 80 * n}" if n in LAPSING else ""
        lines.append(f"{n},Left {n},Right {n},{length},{rules},{options}")
    return "\n".join(lines)


def part_of(n: int) -> Part:
    return Part(CALLING.get(n), n in LAPSING, "right" if n % 2 == 0 and n not in LAPSING else "left")


class Director:
    """Director who answers every alert by keyboard alone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.press = page.keyboard.press

    def answer_all(self) -> None:
        """Settle the lane from its first line until all expected flags and calls are done."""
        flags, calls = len(LAPSING), len(CALLING)
        while flags or calls:
            urgent = self.page.locator(f"{WAITING}:is([data-kind=flag], [data-kind=call])")
            urgent.first.wait_for()
            expect(urgent.first.locator("[data-rests]")).to_have_count(0)  # its buttons take taps
            self.press("n")
            kind, match, label, _ = self.page.evaluate(HERE)
            if kind == "flag":
                self.apply(match, label)
                flags -= 1
            elif kind == "call":
                self.come(match, label, by_number=calls % 2 == 0)
                calls -= 1
            self.press("Escape")  # leave the lane, because its order has changed

    def apply(self, match: str, label: str) -> None:
        assert label == "Apply"
        self.press("Enter")
        if self.page.evaluate(HERE)[2] == "End the match":
            self.press("Enter")
        self.until_settled(match, "flag")

    def come(self, match: str, label: str, by_number: bool) -> None:
        """Answer a call and resume its clock: from the lane, or by the table's number."""
        assert label == "I’m coming"
        self.press("Enter")
        line = self.page.locator(f".line[data-match='{match}']")
        expect(line).to_have_attribute("data-kind", "awaited")
        expect(line).to_be_focused()
        if by_number:
            table = shown_text(line.locator(".line-table")).removeprefix("Table ")
            self.press("/")
            self.page.keyboard.type(table)
            self.press("Enter")
            expect(self.page.locator(f".cell[data-match='{match}']")).to_be_focused()
        self.press("Enter")
        expect(self.page.locator(".drawer")).to_be_visible()
        for _ in range(12):
            if self.page.evaluate(HERE)[2:] == ["Resume", "BUTTON"]:
                break
            self.press("Tab")
        self.press("Enter")
        expect(self.page.locator(".drawer-state")).to_have_text("running")
        self.press("Escape")
        expect(self.page.locator(".drawer")).to_be_hidden()
        self.until_settled(match, "awaited")

    def until_settled(self, match: str, kind: str) -> None:
        expect(self.page.locator(f"{WAITING}[data-match='{match}'][data-kind='{kind}']")).to_have_count(0)


def journals(page: Page, tournament: str) -> dict[str, list[str]]:
    """Journals as JSON Lines, by table name."""
    answer = page.request.get(f"{tournament}/journals.zip")
    with zipfile.ZipFile(io.BytesIO(answer.body())) as archive:
        tables = {name.partition("-table-")[2].partition("-")[0]: name for name in archive.namelist()}
        return {table: archive.read(name).decode().splitlines() for table, name in tables.items()}


def commands(lines: list[str]) -> list[tuple[str, str]]:
    """(actor, command) of each entry after the setup; a flag's actor is empty."""
    return [(line.get("by", ""), line["do"]) for line in map(json.loads, lines[1:])]


def given(lines: list[str]) -> list[str]:
    """Names of the director's commands in the journal, in order."""
    return [do for by, do in commands(lines) if by == "director"]


def check_end(n: int, last: dict[str, Any], match: dict[str, Any]) -> None:
    """Check that replay, phones and script agree on the end of the match at table `n`."""
    assert {name: last[name] for name in TOLD} == {name: match[name] for name in TOLD}, n
    part = part_of(n)
    ends = {"us-2013": [0, 0], "unified-2001": [5, 0], "": [0, 3] if part.winner == "right" else [3, 0]}
    score = ends[LAPSING.get(n, "")]
    assert (last["status"], last["winner"], last["score"]) == ("over", part.winner, score), n


def check_call(lines: list[str], steps: list[dict[str, Any]]) -> None:
    """Check that the call was answered and that neither player was charged meanwhile."""
    assert given(lines) == ["answer", "resume"]
    does = [json.loads(line).get("do") for line in lines]
    call, answer, resume = (steps[does.index(do)] for do in ("call", "answer", "resume"))
    assert [(step["status"], step["called"]) for step in (call, answer, resume)] == [
        ("stopped", True),
        ("stopped", False),
        ("running", False),
    ]
    assert call["reserve_ms"] == answer["reserve_ms"] == resume["reserve_ms"]
    assert call["delay_ms"] == answer["delay_ms"] == resume["delay_ms"]


def check_flag(rules: str, lines: list[str], steps: list[dict[str, Any]]) -> None:
    """Check the time of Right's flag, and the consequence that the director agreed to."""
    assert given(lines) == ["agree"]
    does = [json.loads(line).get("do") for line in lines]
    running, fell, agreed = (steps[does.index("look") + step] for step in (-1, 0, 1))
    assert (fell["at"], fell["flagged"], fell["reserve_ms"][1]) == (running["flag_at"], "right", 0)
    consequence = fell["proposal"]["consequence"]
    left = fell["reserve_ms"][0]
    if rules == "us-2013":
        assert (consequence["kind"], agreed["status"], agreed["winner"]) == ("lose-match", "over", "left")
    else:
        assert consequence == {
            "kind": "penalty",
            "points": 2,
            "reserve_ms": [left + 300_000, 300_000],
            "cube_frozen": False,
        }
        after = ("stopped", [2, 0], [left + 300_000, 300_000], [0, 1])
        assert tuple(agreed[name] for name in ("status", "score", "reserve_ms", "offences")) == after


def test_64_matches_are_played_and_directed_by_keyboard(
    windows: Windows,
) -> None:
    page, tournament = imported(windows, "Draw of 64", draw())
    page.goto(f"{tournament}/cards/")
    cards = page.locator(".paper").evaluate_all(
        "(sheets) => sheets.map((one) => [one.querySelector('.card-name').textContent, one.dataset.code])"
    )
    codes = {int(name): code for name, code in cards}
    assert sorted(codes) == list(NUMBERS)
    page.goto(f"{tournament}/")
    expect(page.locator(".cell")).to_have_count(64)
    with Players(windows.product.port, {codes[n]: part_of(n) for n in NUMBERS}) as players:
        Director(page).answer_all()
        expect(page.get_by_text("Nothing needs you now.")).to_be_visible()
        expect(page.locator(".cell[data-status=running]")).to_have_count(64 - len(LAPSING) // 2)
        players.finish()
        expect(page.locator(".cell[data-status=over]")).to_have_count(64)
    kept = journals(page, tournament)
    told = {table: list(replay.run(lines)) for table, lines in kept.items()}
    for n in NUMBERS:
        lines, steps, table = kept[str(n)], told[str(n)], players.tables[codes[n]]
        assert [(by, do) for by, do in commands(lines) if by in ("left", "right")] == table.said, n
        assert all(step["ok"] for step in steps)
        check_end(n, steps[-1], table.match)
    for n in UNDISTURBED:
        assert given(kept[str(n)]) == [], n
        assert {step["status"] for step in told[str(n)]} == {"setup", "ready", "running", "stopped", "over"}, n
    for n in CALLING:
        check_call(kept[str(n)], told[str(n)])
    for n, rules in LAPSING.items():
        check_flag(rules, kept[str(n)], told[str(n)])
