"""Alerts on several directors' pages: answered calls, taken alerts, sound."""

import re

from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.test_director_keyboard import CALL
from tests.browser.test_overlay import BEGIN
from tests.browser.windows import Windows

MEMBER = (
    "from django.contrib.auth.models import User; from clocks.models import *;"
    "user, _ = User.objects.get_or_create(username='dora');"
    "Membership.objects.get_or_create(tournament=Tournament.objects.get(slug='{slug}'), user=user, role='director');"
    "user.set_password('a long password'); user.save()"
)


def consoles(windows: Windows, product: Product, slug: str) -> tuple[Page, Page]:
    """Pages of two directors: the installation's first one, and dora."""
    product.manage("shell", "--no-imports", "--command", MEMBER.format(slug=slug))
    first = windows.director()
    second = windows.open(viewport={"width": 1440, "height": 900})
    second.goto(f"{product.address}/director/")
    second.get_by_label(re.compile("name", re.I)).fill("dora")
    second.get_by_label(re.compile("password", re.I)).fill("a long password")
    second.get_by_role("button", name="Sign in").click()
    for page in (first, second):
        page.goto(f"{product.address}/director/{slug}/")
        expect(page.locator(".cell").first).to_be_visible()
    return first, second


def test_a_call_shows_who_is_coming_until_the_clocks_resume(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "coming", length=5)
    first, second = consoles(windows, product, "coming")
    begun = BEGIN.format(match=made["match"], first="left")
    product.manage("shell", "--no-imports", "--command", begun + CALL.format(matches=[made["match"]]))
    for page in (first, second):
        expect(page.locator(".line")).to_contain_text("Director called by Ann")
    second.get_by_role("button", name="I’m coming").click()
    expect(second.locator(".line-coming")).to_have_text("You are coming")
    expect(first.locator(".line")).to_contain_text("Players are waiting · Ann called the director")
    expect(first.locator(".line-coming")).to_have_text("dora is coming")
    assert product.snapshot(made["code"])["called"] is False
    first.get_by_role("button", name="I’m coming instead").click()
    expect(second.locator(".line-coming")).to_have_text("director is coming")
    first.reload()
    expect(first.locator(".line-coming")).to_have_text("You are coming")
    first.locator(".cell").click()
    first.get_by_role("dialog").get_by_role("button", name="Resume").click()
    expect(first.locator(".line")).to_have_count(0)
    expect(second.locator(".line-settled")).to_have_text("settled")


def test_boards_are_filtered_by_round_and_the_sound_is_remembered(windows: Windows, product: Product) -> None:
    for table in ("1", "2", "3"):
        product.newmatch("--table", table, "--tournament", "rounds")
    into_rounds = (
        "from clocks.models import *; hall = Tournament.objects.get(slug='rounds');"
        "rounds = [Round.objects.create(tournament=hall, number=n) for n in (1, 2)];"
        "[Match.objects.filter(table__tournament=hall, table__name=t).update(round=rounds[n])"
        " for t, n in (('1', 0), ('2', 1), ('3', 1))]"
    )
    product.manage("shell", "--no-imports", "--command", into_rounds)
    page = windows.director()
    page.goto(f"{product.address}/director/rounds/")
    expect(page.locator(".cell")).to_have_count(3)
    page.get_by_label("Round", exact=True).select_option("Round 2")
    expect(page.locator(".cell-table")).to_have_text(["2", "3"])
    page.get_by_label("Round", exact=True).select_option("All rounds")
    expect(page.locator(".cell")).to_have_count(3)
    switch = page.locator("[data-sound]")
    expect(switch).to_have_text("Tap for sound")
    page.get_by_role("heading", name="All tables").click()
    expect(switch).to_have_text("Sound on")
    for words, pressed in (("Sound off", "false"), ("Sound on", "true")):
        switch.click()
        expect(switch).to_have_text(words)
        page.reload()
        expect(switch).to_have_attribute("aria-pressed", pressed)
