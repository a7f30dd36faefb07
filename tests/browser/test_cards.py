"""Table cards of a draw of 64, with QR codes read from screenshots."""

import io
import re
from secrets import token_hex

import zxingcpp
from PIL import Image
from playwright.sync_api import Page

from clocks.views.qr import qr_path
from tests.browser.engines import expect
from tests.browser.windows import Windows

DRAW = "Table;Left;Right;Length\r\n" + "".join(
    f"{n};Left {n};Right {n};{9 if n == 3 else ''}\r\n" for n in range(1, 65)
)
# Code of each card, what its sides draw, and the QR code that they refer to.
DRAWN = """(sheets) => sheets.map((one) => [
    one.dataset.code,
    [...one.querySelectorAll('.square use')].map((side) => side.getAttribute('href')),
    document.getElementById(`qr-${one.dataset.code}`).getAttribute('d'),
])"""
POINTS = {"a4": (594.96, 841.92), "letter": (612, 792)}


def imported(windows: Windows, name: str, draw: str = DRAW) -> tuple[Page, str]:
    """Create a tournament and import a draw into a round; return page and address."""
    page = windows.director()
    page.get_by_label("Name of the tournament").fill(f"{name} {token_hex(2)}")  # a retry needs a new name
    page.get_by_role("button", name="Create it").click()
    page.get_by_role("link", name="Rounds").click()
    page.get_by_role("link", name="Create the first round").click()
    page.get_by_label("Rules").select_option("us-2007")
    page.get_by_role("button", name="Create the round").click()
    file = {"name": "draw.csv", "mimeType": "text/csv", "buffer": draw.encode("utf-8-sig")}
    page.get_by_label("Drop the file here, or choose it").set_input_files(file)
    page.get_by_role("button", name="Preview the draw").click()
    expect(page.get_by_role("heading", name="64 matches to import")).to_be_visible()
    page.get_by_role("button", name="Import 64 matches").click()
    expect(page.get_by_text("64 matches of Round 1 drawn.")).to_be_visible()
    return page, page.url.split("/rounds/")[0]


def test_a_draw_of_64_is_imported_and_each_card_leads_to_its_table(windows: Windows) -> None:
    page, tournament = imported(windows, "Cards of 64")
    assert page.locator("tbody tr").count() == 64
    page.goto(f"{tournament}/cards/")
    address = windows.product.address.upper()
    cards = page.locator(".paper").evaluate_all(DRAWN)
    assert len({code for code, *_ in cards}) == 64
    for code, sides, path in cards:
        assert (sides, path) == ([f"#qr-{code}"] * 2, qr_path(f"{address}/T/{code}/")[1])
    for number in (0, 21, 42, 63):
        sheet = page.locator(".paper").nth(number)
        codes = zxingcpp.read_barcodes(Image.open(io.BytesIO(sheet.screenshot(type="jpeg"))))
        assert [str(code.ec_level) for code in codes] == ["Q", "Q"], "one on each side"
        assert {code.text for code in codes} == {f"{address}/T/{cards[number][0]}/"}

    scanned = windows.open(viewport={"width": 390, "height": 844})
    scanned.goto(f"{address}/T/{cards[0][0]}/")
    expect(scanned.get_by_role("heading", name="Left 1 – Right 1")).to_be_visible()


def test_each_card_has_one_page_of_the_chosen_paper_and_the_promised_size(windows: Windows) -> None:
    page, tournament = imported(windows, "Pages of 64")
    page.emulate_media(media="print")
    for paper, (width, height) in POINTS.items():
        page.goto(f"{tournament}/cards/?paper={paper}&tables=1-3,64")
        pdf = page.pdf(prefer_css_page_size=True)
        boxes = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
        assert len(re.findall(rb"/Type ?/Page\b", pdf)) == 4
        assert {(round(float(w)), round(float(h))) for w, h in boxes} == {(round(width), round(height))}
        measures = page.locator(".paper").last.evaluate(
            """sheet => {
              const mm = (px) => px * 25.4 / 96;
              const side = sheet.querySelector('.front');
              const name = side.querySelector('.card-name');
              const square = side.querySelector('.square').getBoundingClientRect();
              const canvas = document.createElement('canvas').getContext('2d');
              canvas.font = `700 ${getComputedStyle(name).fontSize} ${getComputedStyle(name).fontFamily}`;
              return {
                qr: mm(square.width),
                digits: mm(canvas.measureText('64').actualBoundingBoxAscent),
                free: mm(square.top - name.getBoundingClientRect().bottom),
                spill: [side.scrollWidth - side.clientWidth, side.scrollHeight - side.clientHeight],
              };
            }"""
        )
        assert (round(measures["qr"], 1), measures["spill"]) == (50.0, [0, 0])
        assert measures["digits"] >= 60
        assert measures["free"] >= 4 * 50 / 29 - 3.5, "the quiet zone, with what the line of the name leaves below it"
