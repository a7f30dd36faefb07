"""Count a director's clicks and key presses on a page."""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page


class Effort(NamedTuple):
    """Clicks (choosing a file is one), key presses, and letters typed among these."""

    clicks: int = 0
    keys: int = 0
    letters: int = 0

    def __add__(self, other: Any) -> "Effort":
        return Effort(*(mine + more for mine, more in zip(self, other, strict=True)))


class Hands:
    """Clicks and types on a page; `efforts` has the effort of each run, by task."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.efforts: dict[str, list[Effort]] = defaultdict(list)
        self._now: Effort | None = None

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Count the effort of a task; clicks and key presses outside a task fail."""
        assert self._now is None
        self._now = Effort()
        yield
        self.efforts[what].append(self._now)
        self._now = None

    def _add(self, effort: Effort) -> None:
        assert self._now is not None
        self._now += effort

    def click(self, what: str | re.Pattern[str] | Locator, role: Any = "button") -> None:
        """Click a button, or another element by role and name."""
        found = what if isinstance(what, Locator) else self.page.get_by_role(role, name=what, exact=True)
        found.filter(visible=True).first.click()
        self._add(Effort(clicks=1))

    def choose(self, label: str, file: dict[str, Any]) -> None:
        """Choose a file for a field."""
        self.page.get_by_label(label).set_input_files(file)  # type: ignore[arg-type]  # a mapping of the right keys
        self._add(Effort(clicks=1))

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)
        self._add(Effort(keys=len(keys)))

    def type(self, text: str) -> None:
        """Type text at the cursor."""
        self.page.keyboard.type(text)
        self._add(Effort(keys=len(text), letters=len(text)))

    def most(self, what: str) -> Effort:
        """Maximum clicks, keys and letters over all runs of a task."""
        each = self.efforts[what]
        return Effort(*(max(one[i] for one in each) for i in range(3)))


def told(file: Path, heading: str) -> dict[str, tuple[int, int]]:
    """Clicks and keys per task, from the table under a heading of a document."""
    part = file.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+?) *\| *(\d+) *\| *(\d+) *\|", part, re.MULTILINE)
    return {what: (int(clicks), int(keys)) for what, clicks, keys in rows}
