"""Tasks between the rounds, with the clicks counted in docs/a-directors-day.md."""

from playwright.sync_api import Page

from tests.browser.console import cell_of, console
from tests.browser.engines import expect, shown_texts
from tests.browser.hands import Hands, told
from tests.browser.product import Product
from tests.browser.test_a_directors_day import DOCUMENT
from tests.browser.windows import Windows

SWAP, SLIP, WRONG = (
    "Two players swapped before the draw is stored",
    "A slip",
    "A wrong winner corrected while the next round is played",
)
REASON = "wrong winner"
LISTED = """
from clocks.models import Tournament
listed = Tournament.objects.create(slug="listed", name="Listed")
for name in ("Ada Abel", "Ben Berg", "Cleo Cohen", "Dirk Dahl"):
    listed.players.create(name=name)
"""
BEGUN = """
from tests.server.hall import begin, do, drawn, next_round
from clocks.models import Round, Tournament
wrong = Tournament.objects.create(slug="wrong", name="Wrong Winner")
first = Round.objects.create(tournament=wrong, number=1, length=3)
made = drawn(first, "1,Bartholomew Featherstoneh,Wilhelmina-Aurora Lindqvi", "2,Chi,Dov")
for each in made:
    do(each.match, "director", do="propose", what="end", winner="left", note="Slip")
(final,) = drawn(next_round(first), "7,Bartholomew Featherstoneh,Chi")
drawn(Round.objects.create(tournament=wrong, number=3, length=3), "8,Wilhelmina-Aurora Lindqvi,Dov")
begin(final.match)
print(made[0].match.pk, final.match.pk)
"""


def documented(what: str) -> tuple[int, int]:
    return told(DOCUMENT, "Between the rounds, counted")[what]


def pairs(page: Page) -> list[list[str]]:
    return [
        [name.split("\n")[0] for name in shown_texts(line.locator("button"))]
        for line in page.locator(".drawn-lines li").all()
    ]


def test_a_swap_and_a_slip_cost_two_clicks_each(windows: Windows, product: Product) -> None:
    product.manage("shell", "--no-imports", "--command", LISTED)
    page = windows.director()
    page.goto(f"{product.address}/director/listed/draw/")
    page.get_by_role("button", name="Preview the draw").click()
    hands = Hands(page)
    expect(page.locator(".drawn-lines li")).to_have_count(2)
    (one, other), (third, fourth) = pairs(page)
    with hands.doing(SWAP):
        hands.click(other)
        hands.click(third)
    expect(page.locator(".drawn-lines li").first).to_contain_text(third)
    assert pairs(page) == [[one, third], [other, fourth]]
    page.get_by_role("button", name="Draw 2 matches").click()
    page.get_by_role("link", name="Slips").click()
    with hands.doing(SLIP):
        hands.click(page.locator(".slips label", has_text=third))
        hands.click("Store the results")
    expect(page.get_by_text("1 result entered")).to_be_visible()
    for what in (SWAP, SLIP):
        effort = hands.most(what)
        assert (effort.clicks, effort.keys) == documented(what) == (2, 0)


def test_a_wrong_winner_costs_five_clicks_and_a_reason(windows: Windows, product: Product) -> None:
    first, final = map(int, product.manage("shell", "--no-imports", "--command", BEGUN).split()[-2:])
    page = console(windows, product, "wrong")
    hands = Hands(page)
    with hands.doing(WRONG):
        hands.click(cell_of(page, {"match": first}))
        hands.click("Score")
        later = page.get_by_role("region", name="In later rounds")
        expect(later).to_contain_text("It becomes Wilhelmina-Aurora Lindqvi – Chi. They have begun to play there")
        expect(later).to_contain_text("It becomes Bartholomew Featherstoneh – Dov.")
        hands.click(page.locator("form label", has_text="Wilhelmina-Aurora Lindqvi").first)
        hands.click(page.get_by_label("Reason for the record"))
        hands.type(REASON)
        hands.click("Correct the result")
    expect(page.get_by_text("Round 2, table 7: the clocks are stopped")).to_be_visible()
    effort = hands.most(WRONG)
    assert (effort.clicks, effort.keys) == documented(WRONG) == (5, len(REASON))
    page.goto(f"{product.address}/director/wrong/")
    board = cell_of(page, {"match": final})
    expect(board).to_have_attribute("data-status", "stopped")
    expect(board).to_contain_text("Wilhelmina-Aurora Lindqvi")
    expect(board).not_to_contain_text("Bartholomew")
