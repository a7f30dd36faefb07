"""Age of the last backup and free disk space on the director's page."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect
from tests.browser.fed_screens import Feed, boards, open_console
from tests.browser.scripted import now_ms
from tests.browser.windows import DIRECTOR

pytestmark = pytest.mark.browser_context_args(**DIRECTOR)

MINUTE_MS = 60_000
NEVER: dict[str, Any] = {"t": "kept", "at": None, "overdue_at": None, "free": 71_200_000_000, "little": False}


def test_backups_and_disk_space_alert_only_if_something_must_be_done(page: Page) -> None:
    feed = Feed(boards(8))
    open_console(page, feed)
    line, warning = page.locator("[data-kept]"), page.locator("[data-warning]")
    expect(line).to_be_hidden()
    feed.tell(NEVER)
    expect(line).to_have_text("No backup has been taken on this server yet. Free on the disk: 71 GB.")
    now = now_ms()
    taken = NEVER | {"at": now - 5 * MINUTE_MS, "overdue_at": now + 10 * MINUTE_MS}
    feed.tell(taken)
    expect(line).to_have_text("Last backup: 5 minutes ago. Free on the disk: 71 GB.")
    expect(warning).to_be_hidden()
    feed.tell(taken | {"at": now - 130 * MINUTE_MS, "overdue_at": now - 100 * MINUTE_MS})
    expect(line).to_have_text("Last backup: 2 hours ago. Free on the disk: 71 GB.")
    expect(warning).to_have_text(
        "Backups are overdue. The last one was taken 2 hours ago. Look at “backup” on the server. "
        "Is the USB stick plugged in? Backups"
    )
    feed.tell(taken | {"free": 800_000_000, "little": True})
    expect(line).to_have_text("Last backup: 5 minutes ago. Free on the disk: 0.8 GB.")
    expect(page.get_by_role("alert").filter(has_text="disk")).to_have_text(
        "The server’s disk is nearly full: 0.8 GB left. Delete files that nobody needs, or move the files in "
        "“backups” to another disk. When it is full, no press can be stored. Backups"
    )
    feed.tell(taken)
    expect(warning).to_be_hidden()
    assert feed.errors == []
