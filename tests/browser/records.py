"""Matches with long records, and the phone of a player."""

from typing import NamedTuple

from playwright.sync_api import Page

from tests.browser.product import Product
from tests.browser.windows import PHONE, Windows

ENTRIES = 164
LONG = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import JournalEntry, Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="long", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
options = {"reserve_ms": 35999000, "delay_ms": 12000}
setup = Setup.parse({"rules": "custom", "length": 25, "names": names, "options": options})
match = desk.make_match(add_table(tournament, "Final 1"), setup)
at = now_ms() - 10_000_000
def ask(by, do, **more):
    global at
    at += 31_700
    command = parse_command({"do": do, **more})
    desk.submit_and_wait(Request(match.pk, command, by, at, claimed_at=at - 180, credit_ms=180))
ask("director", "confirm")
ask("left", "hit")
turn, n = "right", 0
while JournalEntry.objects.filter(match=match).count() < 164:
    n += 1
    left = 164 - JournalEntry.objects.filter(match=match).count()
    if n % 12 == 0 and left > 6:
        ask(turn, "call", note="The dice lay on the edge of the checkers, and we disagree about the turn.")
        ask("director", "answer", note="Both were asked, and the neighbours at tables 3 and 4.")
        ask("director", "propose", what="time", seat=turn, by_ms=-90_000, note="Counted aloud, after a warning.")
        ask("director", "resume", turn_of=turn)
    elif n % 5 == 0 and left > 3:
        ask(turn, "stop", reason="dice")
        ask(turn, "resume")
    ask(turn, "hit")
    turn = "left" if turn == "right" else "right"
"""
# A match of 21 games, each with a long think and a stop; all but the Crawford game end with a double and a pass. It
# lasts 57 minutes and began an hour ago: with reserves of 66 minutes, no flag falls meanwhile.
GAMES = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="games", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
setup = Setup.parse({"rules": "unified-2001", "length": 11, "names": names})
match = desk.make_match(add_table(tournament, "Final 1"), setup)
at = now_ms() - 3_600_000
def ask(by, wait_ms, do, **more):
    global at
    at += wait_ms
    answer = desk.submit_and_wait(Request(match.pk, parse_command({"do": do, **more}), by, at))
    assert answer.ok, (do, answer.words)
ask("director", 0, "confirm")
for number in range(21):
    first, second = ("right", "left") if number % 2 else ("left", "right")
    ask(first, 9_000, "hit")
    ask(second, 12_000, "hit")
    ask(first, 75_000, "hit")
    ask(second, 3_000, "stop", reason="dice")
    ask(second, 20_000, "resume")
    ask(second, 4_000, "hit")
    crawford = number == 19
    if crawford:
        ask(first, 1_000, "propose", what="game", winner=first, points=1)
        ask(second, 1_000, "agree")
    else:
        ask(first, 8_000, "double")
        ask(second, 31_000, "pass")
"""
# A match of {games} games with {moments} moments each: start, end, and in between long thinks, stops and rulings.
LIVELY = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Tournament
from clocks.tournament.tables import add_table
tournament = Tournament.objects.create(slug="{slug}", name="The Wilhelmina Memorial Open of the Northern Countries")
names = ["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"]
length = {games} // 2 + 1
setup = Setup.parse({{"rules": "custom", "length": length, "names": names, "options": {{"reserve_ms": 35999000}}}})
match = desk.make_match(add_table(tournament, "Final 1"), setup)
at = now_ms() - 10_000_000
def ask(by, wait_ms, do, **more):
    global at
    at += wait_ms
    answer = desk.submit_and_wait(Request(match.pk, parse_command({{"do": do, **more}}), by, at))
    assert answer.ok, (do, answer.words)
ask("director", 0, "confirm")
for number in range({games}):
    first, second = ("right", "left") if number % 2 else ("left", "right")
    for by in (first, second, first):
        ask(by, 1_000, "hit")
    for moment in range({moments} - 2):
        if moment % 4 == 0:
            ask(second, 61_000, "hit")
            ask(first, 1_000, "hit")
        elif moment % 4 != 2:
            ask(second, 1_000, "stop", reason="contest")
            ask("director", 77_000, "resume", turn_of=second)
        else:
            ask(second, 1_000, "stop", reason="other")
            ask("director", 1_000, "propose", what="time", seat=second, by_ms=-91_000, note="Counted aloud")
            ask("director", 1_000, "resume", turn_of=second)
    ask(first, 1_000, "propose", what="game", winner=first, points=1)
    ask(second, 1_000, "agree")
"""
# Seats a new phone on the left.
SEAT = """
from django.conf import settings
from clocks.models import Match
from clocks.seats import devices
device, token = devices.join_device({})
Match.objects.filter(pk=match.pk).update(left_device=device)
code = Match.objects.get(pk=match.pk).table.code
print(match.pk, code, settings.DEVICE_COOKIE_NAME, token)
"""
SCRIPTS = {"long": LONG, "games": GAMES}


class Record(NamedTuple):
    """A match with a long record; `cookie` (name, value) is the left player's."""

    slug: str
    match: int
    code: str
    cookie: tuple[str, str]

    @property
    def directors(self) -> str:
        """Path of the director's record page."""
        return f"/director/{self.slug}/match/{self.match}/"

    @property
    def players(self) -> str:
        """Path of the players' record page."""
        return f"/t/{self.code}/record/{self.match}/"

    @property
    def clock(self) -> str:
        """Path of the player's clock page."""
        return f"/t/{self.code}/clock/"


MADE: dict[tuple[Product, str], Record] = {}


def record_of(product: Product, slug: str) -> Record:
    """The match `long` (164 entries) or `games` (21 games); created once per server."""
    return _made(product, slug, SCRIPTS[slug])


def lively_record(product: Product, games: int, moments: int) -> Record:
    """Match of `games` games with `moments` moments each; created once per server."""
    slug = f"lively-{games}"
    return _made(product, slug, LIVELY.format(slug=slug, games=games, moments=moments))


def _made(product: Product, slug: str, script: str) -> Record:
    if (product, slug) not in MADE:
        match, code, *cookie = product.manage("shell", "--no-imports", "--command", script + SEAT).split()
        MADE[product, slug] = Record(slug, int(match), code, (cookie[0], cookie[1]))
    return MADE[product, slug]


def players_phone(windows: Windows, record: Record, **looks: object) -> Page:
    """Blank page on the left player's phone."""
    page = windows.open(**{**PHONE, **looks})
    name, value = record.cookie
    page.context.add_cookies([{"name": name, "value": value, "url": windows.product.address}])
    return page
