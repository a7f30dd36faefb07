"""`wire/outbox.js`: commands are resent until answered; presses survive a reload."""

from typing import Any

from playwright.sync_api import Page

SETUP = """
    const { Outbox } = await import('/static/clocks/wire/outbox.js');
    const { Store } = await import('/static/clocks/browser/storage.js');
    const storage = { kept: {}, getItem(key) { return this.kept[key] ?? null; },
        setItem(key, text) { this.kept[key] = text; }, removeItem(key) { delete this.kept[key]; } };
    const box = new Outbox(new Store(() => storage), 'box');
    const hit = { t: 'do', id: 'a', do: 'hit', turn_number: 17, at: 1_700_000_000_100, seat: 'left' };
    const stop = { t: 'do', id: 'b', do: 'stop', reason: 'dice', at: 1_700_000_000_200, seat: 'left' };
"""


def run(page: Page, body: str) -> Any:
    """Run `body` with an outbox, a storage and two frames in scope."""
    return page.evaluate(f"async () => {{ {SETUP} {body} }}")


HIT = {"t": "do", "id": "a", "do": "hit", "turn_number": 17, "at": 1_700_000_000_100, "seat": "left"}


def test_9_a_resend_keeps_id_turn_number_and_claimed_time(scripts: Page) -> None:
    body = "box.put(1, 'left', hit, 0); return [box.due(0), box.due(1499), box.due(1500)];"
    assert run(scripts, body) == [[HIT], [], [HIT]]


def test_an_answered_command_is_not_sent_again(scripts: Page) -> None:
    body = """
        box.put(1, 'left', hit, 0);
        box.due(0);
        box.takeOut('a');
        return [box.due(9000), box.takeOut('a') === undefined];
    """
    assert run(scripts, body) == [[], True]


def test_34_a_new_connection_sends_what_is_unanswered_once(scripts: Page) -> None:
    body = "box.put(1, 'left', hit, 0); box.due(0); box.reconnected(); return [box.due(100), box.due(200)];"
    assert run(scripts, body) == [[HIT], []]


def test_36_a_press_survives_a_reload(scripts: Page) -> None:
    body = """
        box.put(1, 'left', hit, 0);
        const again = new Outbox(new Store(() => storage), 'box');
        return [again.due(5), again.entries[0].match];
    """
    assert run(scripts, body) == [[HIT], 1]


def test_36_an_answered_press_leaves_nothing_behind(scripts: Page) -> None:
    body = "box.put(1, 'left', hit, 0); box.takeOut('a'); return storage.kept;"
    assert run(scripts, body) == {}


def test_commands_other_than_presses_do_not_survive_a_reload(scripts: Page) -> None:
    body = "box.put(1, 'left', stop, 0); return [storage.kept, new Outbox(new Store(() => storage), 'box').due(5)];"
    assert run(scripts, body) == [{}, []]


def test_commands_other_than_presses_expire_after_ten_seconds(scripts: Page) -> None:
    body = """
        box.put(1, 'left', hit, 0);
        box.put(1, 'left', stop, 0);
        const early = box.giveUp(9999);
        return [early, box.giveUp(10_000).map((entry) => entry.frame.id), box.due(10_000).map((frame) => frame.id)];
    """
    assert run(scripts, body) == [[], ["b"], ["a"]]


def test_a_new_match_at_the_table_drops_commands_for_the_old_one(scripts: Page) -> None:
    body = """
        box.put(1, 'left', hit, 0);
        box.startOver(1);
        const kept = box.entries.length;
        box.startOver(2);
        return [kept, box.due(0), storage.kept];
    """
    assert run(scripts, body) == [1, [], {}]


def test_a_page_without_storage_works(scripts: Page) -> None:
    body = "const bare = new Outbox(null, 'box'); bare.put(1, 'left', hit, 0); return bare.due(0);"
    assert run(scripts, body) == [HIT]


def test_a_storage_full_of_something_else_is_ignored(scripts: Page) -> None:
    body = "storage.kept.box = '{not json'; return new Outbox(new Store(() => storage), 'box').entries;"
    assert run(scripts, body) == []
