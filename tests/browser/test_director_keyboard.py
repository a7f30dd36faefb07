"""The director's page, used by keyboard alone."""

from playwright.sync_api import Locator

from tests.browser.console import cell_of, console, start
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.test_overlay import BEGIN
from tests.browser.windows import Windows

CALL = (
    "from clocks import desk; from clocks.engine.commands import Call;"
    "[desk.submit_and_wait(desk.Request(match, Call('the score'), 'left')) for match in {matches}]"
)


def test_tables_and_lines_are_found_and_opened_by_keyboard_alone(windows: Windows, product: Product) -> None:
    made = [product.newmatch("--table", str(number), "--tournament", "keys") for number in (1, 2, 3, 12)]
    calls = CALL.format(matches=[board["match"] for board in made[:2]])
    product.manage("shell", "--no-imports", "--command", calls)
    page = console(windows, product, "keys")
    page.keyboard.press("/")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(cell_of(page, made[3])).to_be_focused()
    expect(page.locator(".cell")).to_have_count(4)
    page.keyboard.press("ArrowLeft")
    expect(cell_of(page, made[2])).to_be_focused()
    page.keyboard.press("Home")
    expect(cell_of(page, made[0])).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Table 2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cell_of(page, made[1])).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("nobody of that name")
    expect(page.get_by_text("No table matches.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".cell")).to_have_count(4)

    page.reload()
    expect(page.locator(".line")).to_have_count(2)
    first, second = page.locator(".line").all()
    coming = first.get_by_role("button", name="I’m coming")
    steps: list[tuple[str, Locator]] = [
        ("ArrowDown", coming),
        ("ArrowRight", first.get_by_role("button", name="Open")),
        ("ArrowLeft", coming),
        ("ArrowDown", second.get_by_role("button", name="I’m coming")),
        ("ArrowDown", cell_of(page, made[0])),
        ("ArrowUp", second.get_by_role("button", name="I’m coming")),
        ("ArrowUp", coming),
        ("Escape", cell_of(page, made[0])),
        ("ArrowUp", second.get_by_role("button", name="I’m coming")),
        ("Enter", first),  # settled; the focus moves to the line itself, so that a second Enter settles nothing else
        ("ArrowRight", coming),
        ("ArrowLeft", first),
    ]
    for key, reached in steps:
        page.keyboard.press(key)
        expect(reached).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Table 1")).to_be_visible()


def test_a_flag_and_a_call_are_settled_by_keyboard_alone(windows: Windows, product: Product) -> None:
    flagging = product.newmatch(
        "--table", "1", "--tournament", "lane", "--option", "reserve_ms=700", "--option", "delay_ms=0"
    )
    calling = product.newmatch("--table", "2", "--tournament", "lane")
    page = console(windows, product, "lane")
    start(windows, page, flagging)
    page.keyboard.press("Escape")
    lines = page.locator(".line")
    expect(lines.filter(has_text="Bob’s time is up")).to_be_visible()
    begun = BEGIN.format(match=calling["match"], first="right")
    product.manage("shell", "--no-imports", "--command", begun + CALL.format(matches=[calling["match"]]))
    expect(lines).to_have_count(2)
    expect(lines.first.get_by_role("button").first).to_be_enabled()  # a new line's buttons are disabled at first
    page.keyboard.press("n")
    expect(lines.first.get_by_role("button").first).to_be_focused()
    for words, label in (("Bob’s time is up", "Apply"), ("Director called", "I’m coming")):
        line = lines.filter(has_text=words)
        button = line.get_by_role("button", name=label)
        button.focus()
        page.keyboard.press("Enter")
        if label == "Apply":
            expect(line.get_by_role("button", name="End the match")).to_be_focused()
            page.keyboard.press("Enter")
        expect(line.filter(has_not_text="settled")).to_have_count(0)
        expect(lines.filter(has_text="Director called" if label == "Apply" else "Players are waiting")).to_be_focused()
    assert [product.snapshot(made["code"])["called"] for made in (flagging, calling)] == [False, False]
    assert product.snapshot(flagging["code"])["winner"] == "left"
