"""Menu of a seat: at most six entries, in groups."""

import pytest
from playwright.sync_api import Page

from clocks.engine.refusals import Refused
from tests.browser.geometry import GEOMETRY
from tests.browser.scripted import ScriptedServer, choose, open_page
from tests.browser.states import STATES, match

MOST, MOST_GROUPS = 6, 3
# Number of entries in each group of the menu, in each state.
MENUS = """([states, words]) => {
    const clock = document.querySelector('match-clock');
    return Object.fromEntries(Object.entries(states).map(([name, match]) => {
        window.geometry.show(match);
        const button = [...clock.querySelectorAll('.actions[data-seat=left] button')]
            .find((one) => one.textContent.trim() === words && one.checkVisibility());
        button?.click();
        const groups = [...clock.querySelectorAll('.sheet .answers')];
        return [name, groups.map((group) => group.querySelectorAll('button').length)];
    }));
}"""


@pytest.mark.parametrize(
    ("seats", "rules"), [("left", "us-2013"), ("left right", "unified-2001"), ("left", "michigan-2002")]
)
def test_no_menu_of_a_tournament_has_more_than_six_things(page: Page, seats: str, rules: str) -> None:
    states = {}
    for name, prepare in STATES.items():
        try:
            states[name] = match(prepare, rules=rules)
        except Refused:
            continue  # impossible under this rule book
    errors = open_page(page, ScriptedServer(rules=rules), seats)
    page.evaluate(GEOMETRY)
    menus = page.evaluate(MENUS, [states, "Menu" if " " in seats else "More"])
    assert {name: groups for name, groups in menus.items() if sum(groups) > MOST or len(groups) > MOST_GROUPS} == {}
    assert max(sum(groups) for groups in menus.values()) == MOST
    assert errors == []


# How far the words of each answer are from its middle, in px.
FROM_MIDDLE = """() => [...document.querySelectorAll('.answers button')].map((button) => {
    const [words, box] = [button.firstElementChild, button].map((one) => one.getBoundingClientRect());
    return Math.round(Math.abs(words.left + words.right - box.left - box.right) / 2);
})"""


def test_the_words_of_both_answers_to_leaving_are_centred(page: Page) -> None:
    open_page(page, ScriptedServer())
    choose(page, "More", "This phone …", "Leave the clock …")
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    for width, height in ((320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(FROM_MIDDLE) == [0, 0], (width, height)
