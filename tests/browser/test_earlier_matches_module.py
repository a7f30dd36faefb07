"""`pages/earlier-matches.js`: figures of earlier matches, kept on one phone."""

from typing import Any

from playwright.sync_api import Page

SETUP = """
    const { EarlierMatches } = await import('/static/clocks/pages/earlier-matches.js');
    const { Store } = await import('/static/clocks/browser/storage.js');
    const storage = { kept: {}, getItem(key) { return this.kept[key] ?? null; },
        setItem(key, text) { this.kept[key] = text; }, removeItem(key) { delete this.kept[key]; } };
    const earlier = new EarlierMatches(new Store(() => storage));
    const DAY = 86_400_000;
    const played = (match, turns, more) => (
        { match, at: 10 * DAY, over: true, forgotten: false, keep_days: 0, turns, ...more });
    const keep = (...given) => earlier.keep(played(...given), 10 * DAY);
    const kept = () => earlier.all.map(({ match }) => match);
"""


def run(page: Page, body: str) -> Any:
    """Run `body` with an empty storage in scope."""
    return page.evaluate(f"async () => {{ {SETUP} {body} }}")


def test_averages_weigh_each_turn_of_the_other_matches(scripts: Page) -> None:
    body = """
        keep('1', { all: [10, 100_000], cube: [0, 0] });
        keep('2', { all: [30, 600_000], cube: [1, 4_000] });
        keep('3', { all: [1, 1], cube: [1, 1] });
        return earlier.averages('3');
    """
    assert run(scripts, body) == {"number": 2, "each": {"all": 17_500, "cube": 4_000}}


def test_a_match_is_kept_once_and_only_when_it_is_over(scripts: Page) -> None:
    body = """
        keep('1', {});
        keep('1', {});
        keep('2', {}, { over: false });
        return kept();
    """
    assert run(scripts, body) == ["1"]


def test_a_forgotten_match_leaves_the_phone(scripts: Page) -> None:
    body = "keep('1', {}); keep('2', {}); keep('1', {}, { forgotten: true }); return kept();"
    assert run(scripts, body) == ["2"]


def test_figures_older_than_the_server_keeps_names_go(scripts: Page) -> None:
    body = "keep('1', {}, { at: 2 * DAY }); keep('2', {}, { keep_days: 7 }); return kept();"
    assert run(scripts, body) == ["2"]


def test_the_oldest_of_more_than_a_hundred_matches_go(scripts: Page) -> None:
    body = "for (let n = 1; n <= 103; n += 1) keep(String(n), {}, { at: n }); return [kept().length, kept()[0]];"
    assert run(scripts, body) == [100, "4"]


def test_a_player_can_have_all_forgotten_and_keep_none(scripts: Page) -> None:
    body = """
        keep('1', {});
        earlier.forget(true);
        keep('2', {});
        const off = [earlier.wanted, kept()];
        earlier.forget(false);
        keep('3', {});
        return [off, earlier.wanted, kept()];
    """
    assert run(scripts, body) == [[False, []], True, ["3"]]


def test_without_storage_nothing_is_kept_and_nothing_fails(scripts: Page) -> None:
    body = """
        const none = new EarlierMatches(new Store(() => { throw new Error('blocked'); }));
        return [none.keep(played('1', {}), 0), none.averages('2')];
    """
    assert run(scripts, body) == [False, {"number": 0, "each": {}}]
