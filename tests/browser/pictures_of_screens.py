"""Screenshots of the hall screen and the director's page, for pictures.py."""

from playwright.sync_api import Browser

from tests.browser.album import SCREENS, STILL, Album


def take_screens(browser: Browser, album: Album) -> None:
    """Take screenshots of the hall screen and the director's page with fixed boards."""
    from tests.browser.fed_screens import Feed, board, boards, open_console, open_hall

    page = browser.new_page(reduced_motion="reduce")
    feed = Feed()
    open_hall(page, feed)
    page.evaluate(STILL)
    for number in (12, 64):
        feed.show(boards(number))
        for show, selector in (("boards", ".board"), ("names", ".hall-names li")):
            page.get_by_role("combobox", name="Show").select_option(show)
            page.locator(selector).first.wait_for()
            album.take_sizes(page, f"hall {number} {show}", SCREENS, "dark")
            album.take_sizes(page, f"hall {number} {show}", [(1440, 900)], "light")
    page.close()
    page = browser.new_page(reduced_motion="reduce")
    feed = Feed()
    open_console(page, feed)
    page.evaluate(STILL)
    for number in (0, 6, 12, 64):
        more = [board(number + 1, "called"), board(number + 2, "over", 0), board(number + 3, "away")] if number else []
        feed.show([*boards(number), *more])
        page.wait_for_timeout(500)
        album.take_sizes(page, f"console {number}", SCREENS, "dark", whole=True)
        album.take_sizes(page, f"console {number}", [(390, 844), (1440, 900)], "light", whole=True)
    album.take_sizes(page, "console 64", [(1440, 900)], "forced")
    for status in ("flagged", "running", "stopped", "ready", "over"):
        page.locator(f".cell[data-status={status}]").first.evaluate("cell => cell.click()")
        page.wait_for_timeout(300)
        album.take_sizes(page, f"console drawer {status}", SCREENS, "dark")
        album.take_sizes(page, f"console drawer {status}", [(1440, 900)], "light")
        if status == "running":
            names = page.locator("[data-what]").evaluate_all("all => all.map((each) => each.dataset.what)")
            for name in names:
                page.evaluate("what => document.querySelector(`[data-what='${what}']`)?.click()", name)
                page.wait_for_timeout(200)
                page.evaluate("document.querySelector('.ruling')?.scrollIntoView()")
                album.take_sizes(page, f"console ruling {name}", [(390, 844), (1440, 900)], "dark")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
    for name in ("Message", "Stop all"):
        page.get_by_role("link", name=name, exact=True).evaluate("link => link.click()")
        album.take_sizes(page, f"console {name}", SCREENS, "dark")
        album.take_sizes(page, f"console {name}", [(1440, 900)], "light")
        page.keyboard.press("Escape")
    page.close()
