"""A director's whole day, with the clicks counted in docs/a-directors-day.md."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.engines import expect
from tests.browser.hands import Hands, told
from tests.browser.phones_of_a_day import DayOfPhones
from tests.browser.product import Product, running
from tests.browser.test_draw_of_64 import HERE, WAITING
from tests.browser.windows import DIRECTOR, Windows

DOCUMENT = Path(__file__).parents[2] / "docs/a-directors-day.md"
GIVEN = "Ada Ben Cleo Dirk Elsa Finn Gwen Hugo Iris Jens Kaja Lars Mona Nils Olga Paul".split()
FAMILY = "Abel Berg Cohen Dahl".split()
PLAYERS = [f"{given} {family}" for family in FAMILY for given in GIVEN]
FLAGGED, CALLING, NO_SHOW, ENDED_BY_MISTAKE, WRONG_WINNER = range(1, 11), range(11, 31), 32, 31, 12
SIDE = [f"{given} Side" for given in GIVEN[:13]]
LIMITS = {
    "Setting up both tournaments": (15, 60),
    "The next round": (3, 0),
    "The next round of all events": (3, 0),
    "A flag": (0, 3),
    "A call": (0, 3),
    "A wrong winner corrected": (4, 0),
    "An end taken back": (4, 0),
}
MAIN, SWISS = "Summer Open", "Summer Swiss"


def draw_of_a_program() -> dict[str, Any]:
    """First round as a pairing program exports it, with columns the clock ignores."""
    lines = ["Table;White;Rating;Black;Rating;Options"]
    for table, (left, right) in enumerate(zip(PLAYERS[:32], PLAYERS[32:], strict=True), 1):
        options = f"delay_ms=0 reserve_ms=600000/{1_000 + 50 * table}" if table in FLAGGED else ""
        lines.append(f"{table};{left};{2000 - table};{right};{1900 - table};{options}")
    return {"name": "round1.csv", "mimeType": "text/csv", "buffer": "\r\n".join(lines).encode("utf-8-sig")}


def draw_of_the_swiss() -> dict[str, Any]:
    """TRF file of thirteen players and their first round; the last player has the bye."""
    lines = ["012 Side event", f"XXR {5}"]
    for number, name in enumerate(SIDE, 1):
        at = (number + 5) % 12 + 1
        played = "0000 - U" if number == 13 else f"{at:4d} {'w' if number <= 6 else 'b'}"
        lines.append(f"001 {number:4d}      {name}".ljust(91) + played)
    return {"name": "swiss.trf", "mimeType": "text/plain", "buffer": "\r\n".join(lines).encode()}


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """Empty product of its own, because a day starts with the first sign-in link."""
    with running(Product(tmp_path)) as product:
        yield product


class Day:
    """Laptop of the director, and phones of both events."""

    def __init__(self, page: Page, address: str, phones: DayOfPhones) -> None:
        self.page = page
        self.hands = Hands(page)
        self.phones = phones
        self.director = f"{address}/director"
        self.codes: dict[str, dict[str, str]] = {}

    def boards(self, slug: str) -> None:
        self.page.goto(f"{self.director}/{slug}/")

    def round(self, slug: str, number: int) -> None:
        self.page.goto(f"{self.director}/{slug}/rounds/{number}/")

    def read(self, path: str, look: str) -> Any:
        """Apply a function to a page of the director, without opening it."""
        get = "(await fetch(url)).text()"
        parsed = f"new DOMParser().parseFromString(await {get}, 'text/html')"
        return self.page.evaluate(f"async (url) => ({look})({parsed})", f"{self.director}/{path}")

    def set_up(self, link: str) -> None:
        """Sign in for the first time, and set up both events with a round and its draw."""
        self.page.goto(link)
        with self.hands.doing("Setting up both tournaments"):
            self.hands.click("Sign in here")
            self._named("Dora Diaz", "Your name")
            self._tournament(MAIN, draw_of_a_program(), "32 matches")
            self.hands.click(MAIN, "link")
            self.hands.click("Tournaments", "link")
            self.hands.click(self.page.get_by_label("Name of the tournament"))
            self._tournament(SWISS, draw_of_the_swiss(), "6 matches")
        for slug in ("summer-open", "summer-swiss"):
            self.read_cards(slug)

    def read_cards(self, slug: str) -> None:
        """Read the codes from the cards of a tournament's tables."""
        cards = "(page) => [...page.querySelectorAll('.paper')].map((one) =>"
        cards += " [one.querySelector('.card-name').textContent, one.dataset.code])"
        sheets = self.read(f"{slug}/cards/", cards)
        self.codes[slug] = dict(sheets)

    def _named(self, name: str, label: str) -> None:
        """Type a name into the focused field, and submit it."""
        expect(self.page.get_by_label(label)).to_be_focused()
        self.hands.type(name)
        self.hands.press("Enter")

    def _tournament(self, name: str, file: dict[str, Any], matches: str) -> None:
        self._named(name, "Name of the tournament")
        self.hands.click("Create the first round", "link")
        self.hands.click("Create the round")
        self.hands.choose("Drop the file here, or choose it", file)
        self.hands.click("Preview the draw")
        self.hands.click(f"Import {matches}")
        expect(self.page.get_by_text(f"{matches} of Round 1 drawn.")).to_be_visible()

    def tables(self, slug: str, number: int) -> dict[str, tuple[str, str]]:
        """Players of each table, from the page of the round."""
        rows = self.read(
            f"{slug}/rounds/{number}/",
            "(page) => [...page.querySelectorAll('.listing tbody tr')].map((row) =>"
            " [row.querySelector('.number').lastChild.textContent.trim(),"
            " ...[...row.querySelectorAll('.players > span')].map((one) => one.textContent)])",
        )
        return {table: (left, right) for table, left, right in rows}

    def pair(self, slug: str, number: int, how: str, imports: str, others: str = "") -> int:
        """Pair the round after an imported one; return its number.

        `others` are players who join late.
        """
        self.round(slug, number)
        with self.hands.doing("A late player joins in the next round" if others else "The next round"):
            self.hands.click(self.page.get_by_role("link", name="Next round", exact=True))
            if others:
                self.hands.click(self.page.get_by_label("Players with a bye, or who join late, one per line"))
                self.hands.type(others)
            self.hands.click(how)
            self.hands.click(f"Import {imports}")
        expect(self.page.get_by_text(f"{imports} of ")).to_be_visible()
        return int(self.page.url.rstrip("/").rpartition("/")[2])

    def next_round(self, slug: str, *names: str) -> None:
        """Draw, start and announce the next round of every event, called `names`."""
        self.page.goto(f"{self.director}/{slug}/rounds/")
        with self.hands.doing("The next round of all events"):
            self.hands.click("Next round", "link")
            self.hands.click("Draw and announce")
        expect(self.page.get_by_text(f"Drawn and announced: {' · '.join(names)}.")).to_be_visible()

    def play(self, slug: str, number: int) -> list[str]:
        """Play a round, won by the alphabetically first of each pair; return the winners."""
        lines = self.tables(slug, number)
        codes = [self.codes[slug][table] for table in lines]
        self.phones.all(codes, lambda table: table.begin())
        won = {self.codes[slug][table]: "left" if left < right else "right" for table, (left, right) in lines.items()}
        self.phones.all(codes, lambda table: table.end(won[table.code]))
        return [min(names) for names in lines.values()]


@pytest.mark.timeout(300)
def test_a_day_of_two_events_costs_the_documented_clicks(browser: Browser, product: Product) -> None:
    windows = Windows(browser, product)
    page = windows.open(**DIRECTOR)
    with DayOfPhones(product.port) as phones:
        day = Day(page, product.address, phones)
        day.set_up(product.manage("directorlink").strip())
        first_round(day)
        swiss_begins(day)
        fire_alarm(day)
        ends(day)
        second_round(day)
        main_to_the_end(day)
        swiss_to_the_end(day)
    everything_is_decided(day)
    assert windows.troubles == []
    assert product.complaints(0) == []
    windows.close()
    measured = {what: day.hands.most(what) for what in day.hands.efforts}
    for what, (clicks, keys) in LIMITS.items():
        assert measured[what].clicks <= clicks, (what, measured[what])
        assert measured[what].keys - measured[what].letters * (clicks == 4) <= keys, (what, measured[what])
    assert measured["The next round"].letters == measured["The next round of all events"].letters == 0
    counts = {what: (effort.clicks, effort.keys) for what, effort in measured.items()}
    assert told(DOCUMENT, "Clicks and keys") == counts


def first_round(day: Day) -> None:
    """Start the first round except a no-show's table, with ten flags and twenty calls.

    The director settles all of them by keyboard.
    """
    codes = day.codes["summer-open"]
    day.boards("summer-open")
    expect(day.page.locator(".cell")).to_have_count(32)
    day.phones.all([codes[str(n)] for n in range(1, 33) if n != NO_SHOW], lambda table: table.begin())
    expect(day.page.locator(f"{WAITING}[data-kind=flag]")).to_have_count(len(FLAGGED))
    for _ in FLAGGED:
        with day.hands.doing("A flag"):
            match = to_the_first(day, "flag", "Apply")
            day.hands.press("Enter", "Enter")  # ending a match needs a second confirmation
        settled(day, match, "flag")
    day.phones.all([codes[str(n)] for n in CALLING], lambda table: table.call())
    expect(day.page.locator(f"{WAITING}[data-kind=call]")).to_have_count(len(CALLING))
    for _ in CALLING:
        with day.hands.doing("A call"):
            match = to_the_first(day, "call", "I’m coming")
            day.hands.press("Enter")
            expect(day.page.locator(f".line[data-match='{match}'][data-kind=awaited]")).to_be_focused()
            day.hands.press("r")
        settled(day, match, "awaited")
    with day.hands.doing("A no-show"):
        day.hands.click(day.page.locator(f".cell:has-text('{PLAYERS[31]}')"))
        day.hands.click("End match")
        day.hands.click(day.page.locator("form label", has_text=PLAYERS[31]))
        day.hands.click(day.page.get_by_label("Reason for the record"))
        day.hands.type("no-show")
        day.hands.press("Enter")
    expect(day.page.locator(f".cell:has-text('{PLAYERS[31]}')")).to_have_attribute("data-status", "over")


def to_the_first(day: Day, kind: str, label: str) -> str:
    """Focus the first board that needs the director; return its match."""
    day.hands.press("n")
    found, match, says, _tag = day.page.evaluate(HERE)
    assert (found, says) == (kind, label)
    return str(match)


def settled(day: Day, match: str, kind: str) -> None:
    expect(day.page.locator(f"{WAITING}[data-match='{match}'][data-kind={kind}]")).to_have_count(0)


def swiss_begins(day: Day) -> None:
    day.phones.all(day.codes["summer-swiss"].values(), lambda table: table.begin())


def fire_alarm(day: Day) -> None:
    """Stop and resume all clocks of both events at once."""
    running = [day.codes["summer-open"][str(n)] for n in CALLING] + list(day.codes["summer-swiss"].values())
    everywhere = day.page.locator("dialog[open] label", has_text="In the whole hall")
    with day.hands.doing("A fire alarm in both events"):
        day.hands.press("s")
        day.hands.click(everywhere)
        day.hands.click("Fire alarm")
    day.phones.all(running, lambda table: table.until(lambda frame: frame["status"] == "stopped"))
    with day.hands.doing("Both events resumed"):
        day.hands.click(day.page.locator("[data-opens='resume-all']"))
        day.hands.click(everywhere)
        day.hands.click("Resume all")
    day.phones.all(running, lambda table: table.until(lambda frame: frame["status"] == "running"))


def ends(day: Day) -> None:
    """End both rounds, and take back the end of a match ended by mistake."""
    codes = day.codes["summer-open"]
    mistaken = codes[str(ENDED_BY_MISTAKE)]
    day.phones.all([mistaken], lambda table: table.end("right"))
    cell = day.page.locator(f".cell:has-text('{PLAYERS[ENDED_BY_MISTAKE - 1]}')")
    expect(cell).to_have_attribute("data-status", "over")
    with day.hands.doing("An end taken back"):
        day.hands.click(cell)
        day.hands.click("Take back the end")
        expect(day.page.get_by_role("heading", level=1, name="Take back the end")).to_be_visible()
        day.hands.click(day.page.get_by_label("Reason for the record"))
        day.hands.type("one game more to play")
        day.hands.click("Take back the end")
    expect(cell).to_have_attribute("data-status", "stopped")
    day.phones.all([mistaken], lambda table: table.end("left"))
    still = [codes[str(n)] for n in CALLING]
    day.phones.all(still, lambda table: table.end("right" if table.code == codes[str(WRONG_WINNER)] else "left"))
    day.phones.all(day.codes["summer-swiss"].values(), lambda table: table.end("left"))


def second_round(day: Day) -> None:
    """Create the second round, then correct a wrong winner of the first one."""
    assert day.pair("summer-open", 1, "Consolation", "16 matches") == 2
    day.next_round("summer-open", "Main, round 2")
    lines = day.tables("summer-open", 3)
    left, right = PLAYERS[WRONG_WINNER - 1], PLAYERS[WRONG_WINNER + 31]
    (waits,) = [table for table, names in lines.items() if right in names]
    begun = [day.codes["summer-open"][table] for table in lines if table != waits]
    day.phones.all(begun, lambda table: table.begin())
    day.round("summer-open", 1)
    with day.hands.doing("A wrong winner corrected"):
        day.hands.click(f"Correct the result of {left} – {right}", "link")
        shown = day.page.locator("[aria-labelledby=later-title]")
        other = next(name for name in lines[waits] if name != right)
        expect(shown).to_contain_text(f"Main, round 2, table {waits}: {other} – {right}. It becomes {other} – {left}.")
        day.hands.click(day.page.locator("form label", has_text=left).first)
        day.hands.click(day.page.get_by_label("Reason for the record"))
        day.hands.type("wrong winner")
        day.hands.click("Correct the result")
    assert set(day.tables("summer-open", 3)[waits]) == {other, left}
    day.phones.all(begun, lambda table: table.end())
    code = day.codes["summer-open"][waits]
    day.phones.all([code], lambda table: table.begin())
    day.phones.all([code], lambda table: table.end())
    day.play("summer-open", 2)


def main_to_the_end(day: Day) -> None:
    """Play the main event and its consolation to their finals, round by round."""
    for step in range(4):
        day.next_round("summer-open", f"Main, round {step + 3}", f"Consolation, round {step + 2}")
        day.play("summer-open", 4 + 2 * step)
        day.play("summer-open", 5 + 2 * step)


def swiss_to_the_end(day: Day) -> None:
    """Play the Swiss with a late entry and a withdrawal; no rematch, no second bye."""
    day.pair("summer-swiss", 1, "Swiss", "7 matches", others="Late Larry")
    day.read_cards("summer-swiss")  # for the additional table
    day.play("summer-swiss", 2)
    day.page.goto(f"{day.director}/summer-swiss/players/")
    with day.hands.doing("A withdrawal"):
        day.hands.click(SIDE[4], "link")
        day.hands.click(day.page.get_by_label("Has withdrawn and plays no further round"))
        day.hands.click("Save")
    for number in (2, 3, 4):
        day.next_round("summer-swiss", f"Round {number + 1}")
        day.play("summer-swiss", number + 1)
    rounds = [day.tables("summer-swiss", number) for number in range(1, 6)]
    met = [frozenset(names) for lines in rounds for names in lines.values()]
    assert len(met) == len(set(met)) == 6 + 7 + 6 + 6 + 6
    assert all(SIDE[4] not in names for lines in rounds[2:] for names in lines.values())
    present = {*SIDE, "Late Larry"} - {SIDE[4]}
    rested = [present - {name for names in lines.values() for name in names} for lines in (rounds[0], *rounds[2:])]
    byes = [*(rested[0] - {"Late Larry"}), *(name for each in rested[1:] for name in each)]
    assert len(byes) == len(set(byes)) == 4


def everything_is_decided(day: Day) -> None:
    for slug, matches in (("summer-open", 63 + 31), ("summer-swiss", 31)):
        file = day.page.request.get(f"{day.director}/{slug}/results.csv").body().decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(file)))
        assert len(lines) == matches
        assert all(line["winner"] for line in lines)
