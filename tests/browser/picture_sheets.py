"""Contact sheets of the clock page in every state and size."""

import io
import os
from pathlib import Path

import django
from PIL import Image
from playwright.sync_api import Browser, Page

HIGH, GAP = 300, 8  # thumbnail height, and gap between thumbnails, in pixels
GROUND = "#888"
COLOURS = 96
# Shows only the state: dismisses the notice about time lost between states, and enables resting buttons.
ALONE = """() => {
    document.querySelector('.late:not([hidden]) .settles button:last-child')?.click();
    for (const button of document.querySelectorAll('[data-rests]')) {
        button.removeAttribute('data-rests');
        button.disabled = false;
    }
}"""


def show_states(browser: Browser, folder: Path) -> None:
    """Write contact sheets for a player's own phone and for a shared phone."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # Imported here because they read the settings.
    from tests.browser.scripted import ScriptedServer, open_page
    from tests.browser.states import STATES, show
    from tests.browser.test_display import SIZES

    for layout, seats in (("own", "left"), ("shared", "left right")):
        page = browser.new_page(has_touch=True, is_mobile=True, reduced_motion="reduce")
        server = ScriptedServer()
        open_page(page, server, seats)
        rows = []
        for number, prepare in enumerate(STATES.values()):
            page.emulate_media(color_scheme="light" if number % 2 else "dark", reduced_motion="reduce")
            show(page, server, prepare)
            page.evaluate(ALONE)
            rows.append([picture(page, *size) for size in SIZES])
        page.close()
        sheet_of(rows).save(folder / f"states-{layout}.png", optimize=True)


def picture(page: Page, width: int, height: int) -> Image.Image:
    """Thumbnail of the page at a window size."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(250)  # a rotated page does not report when its layout is done
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.resize((width * HIGH // height, HIGH), Image.Resampling.LANCZOS)


def sheet_of(rows: list[list[Image.Image]]) -> Image.Image:
    """Contact sheet of thumbnails in rows of equal width, with a reduced palette."""
    width = GAP + sum(small.width + GAP for small in rows[0])
    sheet = Image.new("RGB", (width, GAP + len(rows) * (HIGH + GAP)), GROUND)
    for number, row in enumerate(rows):
        x = GAP
        for small in row:
            sheet.paste(small, (x, GAP + number * (HIGH + GAP)))
            x += small.width + GAP
    return sheet.quantize(COLOURS, dither=Image.Dither.NONE)
