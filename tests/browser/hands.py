"""Count clicks and keys of a director on a page."""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page


class Effort(NamedTuple):
    """What something cost: clicks (a chosen file is one too), keys, and how many letters of those are a text."""

    clicks: int = 0
    keys: int = 0
    letters: int = 0

    def __add__(self, other: Any) -> "Effort":
        return Effort(*(mine + more for mine, more in zip(self, other, strict=True)))


class Hands:
    """Clicks and types on a page; `efforts` are what each thing cost, each time that it was done."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.efforts: dict[str, list[Effort]] = defaultdict(list)
        self._now: Effort | None = None

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Count what is done meanwhile; nothing may be clicked or typed outside of this."""
        assert self._now is None
        self._now = Effort()
        yield
        self.efforts[what].append(self._now)
        self._now = None

    def _add(self, effort: Effort) -> None:
        assert self._now is not None
        self._now += effort

    def click(self, what: str | re.Pattern[str] | Locator, role: Any = "button") -> None:
        """Click a button, or something else by its role and name."""
        found = what if isinstance(what, Locator) else self.page.get_by_role(role, name=what, exact=True)
        found.filter(visible=True).first.click()
        self._add(Effort(clicks=1))

    def choose(self, label: str, file: dict[str, Any]) -> None:
        """Choose a file, or drop it."""
        self.page.get_by_label(label).set_input_files(file)  # type: ignore[arg-type]  # a mapping of the right keys
        self._add(Effort(clicks=1))

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)
        self._add(Effort(keys=len(keys)))

    def type(self, text: str) -> None:
        """Type a text where the cursor stands."""
        self.page.keyboard.type(text)
        self._add(Effort(keys=len(text), letters=len(text)))

    def most(self, what: str) -> Effort:
        """Return what something cost at most, of all the times that it was done."""
        each = self.efforts[what]
        return Effort(*(max(one[i] for one in each) for i in range(3)))


def told(file: Path) -> dict[str, tuple[int, int]]:
    """Return the clicks and keys that the table of a document names for each thing."""
    rows = re.findall(r"^\| ([^|]+?) *\| *(\d+) *\| *(\d+) *\|", file.read_text(), re.MULTILINE)
    return {what: (int(clicks), int(keys)) for what, clicks, keys in rows}
