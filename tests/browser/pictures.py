"""Take screenshots of every page and state.

`python -m tests.browser.pictures FOLDER [KIND ...]`. To compare two folders, use compare_pictures.py. All runs share a
database, kept beside the folders.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.album import SCREENS, STILL, Album

DATA = "data"
NOW_MS = 1_800_000_000_000
PHONES = [(320, 568), (360, 640), (390, 664), (390, 844), (412, 915), (844, 390), (768, 1024), (1024, 768), (1440, 900)]
FEW_PHONES = [(320, 568), (390, 844), (844, 390)]
IN_LIGHT = [*FEW_PHONES, (1024, 768)]
PAPER = (794, 1123)
PRINTED = ("rounds/2/", "rounds/1/", "match/", "record/", "cards/", "sheet/", "rules/", "results/")
# Shows a state, or a sheet over it, and waits for layout.
SHOW = """async ([match, sheet]) => {
    window.geometry.show(match);
    window.geometry.wake();
    if (sheet) {
        const [seat, ...ways] = sheet;
        document.querySelector(`.actions[data-seat=${seat}] ${ways[0]}`).click();
        for (const words of ways.slice(1)) {
            const buttons = [...document.querySelectorAll('.sheet button')];
            buttons.find(({ textContent }) => textContent === words).click();
        }
        window.geometry.wake();
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
WAYS = """(seat) => {
    const clock = document.querySelector('match-clock');
    const bar = document.querySelector(`.actions[data-seat=${seat}]`);
    const ways = ['.double', '.undo'].filter((name) => bar.querySelector(name) && !bar.querySelector(name).hidden &&
        !bar.querySelector(name).disabled).map((name) => [name]);
    bar.querySelector('.more').click();
    const leading = [...clock.half(seat).element.querySelectorAll('.sheet button')];
    const words = leading.map(({ textContent }) => textContent).filter((text) => text.endsWith('…'));
    clock.half(seat).sheet.close();
    return [...ways, ['.more'], ...words.map((text) => ['.more', text])];
}"""


def clock_page(browser: Browser, seats: str, *, watch: bool = False) -> Page:
    """Clock page with time frozen."""
    from tests.browser.geometry import GEOMETRY
    from tests.browser.scripted import ScriptedServer, open_page

    page = browser.new_page(has_touch=True, is_mobile=True, reduced_motion="reduce")
    open_page(page, ScriptedServer(), seats, watch=watch)
    page.evaluate(GEOMETRY)
    page.evaluate(STILL)
    return page


def take_clocks(browser: Browser, album: Album) -> None:
    """Take screenshots of every clock state in every layout."""
    from tests.browser.states import STATES, match
    from tests.browser.test_geometry import LAYOUTS, long_states

    for layout, seats in LAYOUTS.items():
        page = clock_page(browser, seats, watch=layout == "watch")
        for kind, states in (("clock", {name: match(to) for name, to in STATES.items()}), ("long", long_states())):
            for state, shown in states.items():
                page.evaluate(SHOW, [shown, None])
                name = f"{kind} {layout} {state}"
                album.take_sizes(page, name, PHONES if kind == "clock" else FEW_PHONES, "dark")
                if kind == "clock":
                    album.take_sizes(page, name, IN_LIGHT, "light")
                    album.take_sizes(page, name, [(390, 844)], "forced")
        page.close()


def take_endings(browser: Browser, album: Album) -> None:
    """Take screenshots of finished matches: winner's, loser's and shared phone."""
    from tests.browser.endings import endings, open_ending

    page = browser.new_page(has_touch=True, is_mobile=True, reduced_motion="reduce")
    for ending, (server, summary) in endings().items():
        for layout, seats in (("winner", "left"), ("loser", "right"), ("shared", "left right")):
            page.emulate_media(forced_colors="none")  # otherwise Chromium keeps table borders in forced colours
            open_ending(page, server, seats, summary)
            page.locator(".ways-on b:not(:empty), .ways-on .primary").first.wait_for()
            name = f"ending {layout} {ending}"
            album.take_sizes(page, name, PHONES, "dark")
            album.take_sizes(page, name, IN_LIGHT, "light")
            album.take_sizes(page, name, [(390, 844)], "forced")
    page.close()


def take_sheets(browser: Browser, album: Album) -> None:
    """Take screenshots of the sheets that players can open."""
    from tests.browser.test_geometry import LAYOUTS, sheet_states

    for layout in ("own", "shared"):
        page = clock_page(browser, LAYOUTS[layout])
        known = set()
        for state, shown in sheet_states().items():
            page.set_viewport_size({"width": 390, "height": 844})
            page.evaluate(SHOW, [shown, None])
            for way in page.evaluate(WAYS, "left"):
                if str(way) in known and way != [".more"]:
                    continue
                known.add(str(way))
                page.evaluate(SHOW, [shown, ["left", *way]])
                name = f"sheet {layout} {state} {' '.join(way).replace('.', '')}"
                album.take_sizes(page, name, PHONES, "dark")
                album.take_sizes(page, name, IN_LIGHT, "light")
                album.take_sizes(page, name, [(390, 844)], "forced")
        page.close()


def take_banners(browser: Browser, album: Album) -> None:
    """Take screenshots of messages, seat requests and lost connections."""
    from clocks.live import protocol
    from tests.browser.scripted import ScriptedServer, open_page

    for layout, seats in (("own", "left"), ("shared", "left right"), ("watch", "")):
        page = browser.new_page(has_touch=True, is_mobile=True, reduced_motion="reduce")
        server = ScriptedServer()
        server.begin("right", ago_ms=4_000)
        open_page(page, server, seats, watch=layout == "watch")
        page.evaluate(STILL)
        ask = {"id": 3, "match": server.id, "seats": ["left"], "at": NOW_MS, "until": NOW_MS + 60_000}
        server.sockets[0].send(protocol.message(server.now(), 7, "Lunch at one.", NOW_MS, NOW_MS + 60_000))
        page.get_by_text("Lunch at one.").first.wait_for()
        album.take_sizes(page, f"banner {layout} message", PHONES, "dark")
        server.sockets[0].send(protocol.program("another"))
        server.sockets[0].send(protocol.asks(server.now(), [ask]))
        server.tell_seen(0, 10_000)
        page.wait_for_timeout(300)
        album.take_sizes(page, f"banner {layout} asked", PHONES, "dark")
        album.take_sizes(page, f"banner {layout} asked", IN_LIGHT, "light")
        server.alive = False
        server.close(1012)
        page.wait_for_selector("match-clock[data-link=reconnecting]")
        album.take_sizes(page, f"banner {layout} reconnecting", PHONES, "dark")
        server.alive = True
        page.close()
    page = browser.new_page(has_touch=True, is_mobile=True, reduced_motion="reduce")
    server = ScriptedServer()
    open_page(page, server)
    server.close(4409)
    page.get_by_role("alertdialog").wait_for()
    album.take_sizes(page, "banner own taken", PHONES, "dark")
    page.close()


def written(folder: Path) -> dict[str, str]:
    """Render the product's pages from the database in a folder; HTML by path."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.template.loader import render_to_string
    from django.test import Client

    from tests.browser.records import Record
    from tests.browser.scripted import PLAIN_STATIC
    from tests.browser.test_axe import FOR_DIRECTORS, FOR_EVERYBODY, paths
    from tests.browser.test_office_geometry import PAGES

    settings.STORAGES, settings.ALLOWED_HOSTS, settings.RATELIMIT_ENABLE = PLAIN_STATIC, ["*"], False
    hall = json.loads((folder / "hall.json").read_text())
    record = Record(*hall.pop("record"))
    director, player = Client(), Client()
    director.force_login(User.objects.get(username="director"))
    player.cookies[record.cookie[0]] = record.cookie[1]
    found = {}
    office = f"/director/{record.slug}"
    played = [record.directors, f"{office}/report/", f"{office}/what-if/?rules=us-2013&rules=unified-2001"]
    readers = (
        (Client(), [*FOR_EVERYBODY, "/nowhere", "/t/XXXXXX/"]),
        (director, [*FOR_DIRECTORS, *PAGES, "/director/axe/match/{ended}/", *played]),
        (player, [record.players]),
    )
    for client, templates in readers:
        for template, path in zip(templates, paths(templates, hall), strict=True):
            answer = client.get(path)
            if answer.status_code in (200, 403, 404):
                found[template.format(**{name: name for name in hall})] = answer.content.decode()
    certificate = render_to_string("clocks/certificate.html", {"name": "the clock at 10.0.0.1"})
    found["/components/"] = render_to_string("clocks/components.html")
    return found | {"/broken": render_to_string("500.html"), "/certificate/": certificate}


def take_pages(browser: Browser, album: Album, pages: dict[str, str]) -> None:
    """Take screenshots of ordinary pages and, if meant for printing, in print style."""
    from tests.browser.scripted import ScriptedServer
    from tests.browser.served import HOST, scene

    page = browser.new_page(reduced_motion="reduce")
    server = ScriptedServer()
    server.begin()
    for path, html in pages.items():
        scene(page).show(html, "/ws/", server.connect)
        page.goto(f"http://{HOST}/t/")
        page.wait_for_timeout(150)
        page.evaluate(STILL)
        name = f"page {path}"
        album.take_sizes(page, name, SCREENS, "light", whole=True)
        album.take_sizes(page, name, SCREENS, "dark", whole=True)
        album.take_sizes(page, name, [(1440, 900)], "forced", whole=True)
        if any(part in path for part in PRINTED):
            page.emulate_media(media="print", color_scheme="light", forced_colors="none")
            page.set_viewport_size({"width": PAPER[0], "height": PAPER[1]})
            album.take(page, f"{name} print", whole=True)
            page.emulate_media(media="null")
    page.close()


def make_data(folder: Path) -> None:
    """Create the database for the pages, unless an earlier run has."""
    from tests.browser.product import Product
    from tests.browser.records import record_of
    from tests.browser.test_axe import make_hall
    from tests.browser.test_office_geometry import MAKE

    if (folder / "hall.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    product = Product(folder)
    hall = make_hall(product)
    product.manage("shell", "--no-imports", "--command", MAKE)
    hall["record"] = record_of(product, "games")
    product.rest()
    (folder / "hall.json").write_text(json.dumps(hall))


def take(folder: Path, kinds: list[str]) -> None:
    """Take screenshots of these kinds (default: all)."""
    data = folder.resolve().parent / DATA
    os.environ |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    import django

    django.setup()
    make_data(data)
    from tests.browser import fed_screens, scripted
    from tests.browser.pictures_of_screens import take_screens
    from tests.browser.served import arguments
    from tests.browser.windows import chromium

    scripted.now_ms = fed_screens.now_ms = lambda: NOW_MS
    pages = written(data) if not kinds or "pages" in kinds else {}
    all_kinds: dict[str, Any] = {
        "clocks": take_clocks,
        "endings": take_endings,
        "sheets": take_sheets,
        "banners": take_banners,
        "screens": take_screens,
        "pages": lambda browser, album: take_pages(browser, album, pages),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments())
        for kind in kinds or all_kinds:
            all_kinds[kind](browser, Album(folder))
        browser.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]), sys.argv[2:])
