"""A wrong winner corrected while the next round is played."""

from tests.browser.console import cell_of, console
from tests.browser.engines import expect
from tests.browser.hands import Hands
from tests.browser.product import Product
from tests.browser.windows import Windows

MAKE = """
from clocks.models import Match
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


def test_a_wrong_winner_costs_five_clicks_and_a_reason(windows: Windows, product: Product) -> None:
    first, final = map(int, product.manage("shell", "--no-imports", "--command", MAKE).split()[-2:])
    page = console(windows, product, "wrong")
    hands = Hands(page)
    with hands.doing("A wrong winner corrected"):
        hands.click(cell_of(page, {"match": first}))
        hands.click("Score")
        later = page.get_by_role("region", name="In later rounds")
        expect(later).to_contain_text("It becomes Wilhelmina-Aurora Lindqvi – Chi. They have begun to play there")
        expect(later).to_contain_text("It becomes Bartholomew Featherstoneh – Dov.")
        hands.click(page.locator("form label", has_text="Wilhelmina-Aurora Lindqvi").first)
        hands.click(page.get_by_label("Reason for the record"))
        hands.type("wrong winner")
        hands.click("Correct the result")
    expect(page.get_by_text("Round 2, table 7: the clocks are stopped")).to_be_visible()
    effort = hands.most("A wrong winner corrected")
    assert (effort.clicks, effort.keys) == (5, len("wrong winner"))
    page.goto(f"{product.address}/director/wrong/")
    board = cell_of(page, {"match": final})
    expect(board).to_have_attribute("data-status", "stopped")
    expect(board).to_contain_text("Wilhelmina-Aurora Lindqvi")
    expect(board).not_to_contain_text("Bartholomew")
