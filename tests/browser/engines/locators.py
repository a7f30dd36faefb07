"""Playwright-like locators and assertions for a browser that it cannot drive."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FIND = (Path(__file__).parent / "find.js").read_text(encoding="utf-8").split("\n", 1)[1].rstrip()
WAIT_MS = 20_000  # ample, for a busy machine
STEP_S = 0.02
Words = str | re.Pattern[str]

VISIBLE = "(e) => e.getBoundingClientRect().width > 0 && e.checkVisibility({ visibilityProperty: true })"
# Returns the centre of an element if a tap there hits it, else the reason why not.
TARGET = """async (e) => {
    const frame = () => new Promise(requestAnimationFrame);
    const seen = () => { const { x, y, width, height } = e.getBoundingClientRect(); return { x, y, width, height }; };
    if (e.disabled) return 'it is disabled';
    e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const first = seen();
    await frame();
    await frame();
    const box = seen();
    if (JSON.stringify(first) !== JSON.stringify(box)) return 'it moves';
    if (!box.width || !e.checkVisibility({ visibilityProperty: true })) return 'it is not visible';
    const [x, y] = [Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)];
    const on = document.elementFromPoint(x, y);
    const hit = on && (e.contains(on) || [...(e.labels ?? [])].some((label) => label.contains(on)));
    return hit ? { x, y } : `${on?.outerHTML.slice(0, 80)} lies over it`;
}"""


def wanted(text: Words | None, *, exact: bool = False) -> dict[str, Any] | None:
    """Convert a text or pattern to its form in `find.js`."""
    if text is None or isinstance(text, str):
        return None if text is None else {"text": text, "exact": exact}
    return {"pattern": text.pattern, "flags": "i" if text.flags & re.IGNORECASE else ""}


class Finder:
    """Base class of pages and locators: finds elements within them."""

    page: Any
    chain: tuple[Any, ...] = ()

    def _below(self, *steps: Any) -> "Locator":
        return Locator(self.page, (*self.chain, *(step for step in steps if step)))

    def locator(self, css: str, *, has_text: Words | None = None) -> "Locator":
        return self._below(["css", css], ["says", wanted(has_text)] if has_text is not None else None)

    def get_by_role(self, role: str, *, name: Words | None = None, exact: bool = False) -> "Locator":
        return self._below(["role", role, wanted(name, exact=exact)])

    def get_by_text(self, text: Words, *, exact: bool = False) -> "Locator":
        return self._below(["text", wanted(text, exact=exact)])

    def get_by_label(self, text: Words, *, exact: bool = False) -> "Locator":
        return self._below(["label", wanted(text, exact=exact)])


class Locator(Finder):
    """Elements, looked up again on each use."""

    def __init__(self, page: Any, chain: tuple[Any, ...]) -> None:
        self.page = page
        self.chain = chain

    def __repr__(self) -> str:
        return f"Locator{list(self.chain)}"

    def filter(self, *, visible: bool | None = None, has_text: Words | None = None) -> "Locator":
        return self._below(["visible"] if visible else None, ["says", wanted(has_text)] if has_text else None)

    def and_(self, other: "Locator") -> "Locator":
        return self._below(["and", other.chain])

    def nth(self, index: int) -> "Locator":
        return self._below(["nth", index])

    @property
    def first(self) -> "Locator":
        return self.nth(0)

    @property
    def last(self) -> "Locator":
        return self.nth(-1)

    def all(self) -> list["Locator"]:
        return [self.nth(index) for index in range(self.count())]

    def evaluate_all(self, script: str, given: Any = None) -> Any:
        """Call a function with all elements and a value; return its result."""
        body = f"async ([chain, given]) => ({script})(({FIND})(chain), given)"
        return self.page.evaluate(body, [self.chain, given])

    def each(self, script: str) -> list[Any]:
        """Call a function with each element; return the results."""
        found: list[Any] = self.evaluate_all(f"(all) => Promise.all(all.map({script}))")
        return found

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Call a function with the only element and a value; return its result."""
        self.wait_for(state="attached")
        return self.evaluate_all(f"([only], given) => ({script})(only, given)", given)

    def count(self) -> int:
        return int(self.evaluate_all("(all) => all.length"))

    def all_inner_texts(self) -> list[str]:
        return self.each("(e) => e.innerText")

    def inner_text(self) -> str:
        return str(self.evaluate("(e) => e.innerText"))

    def text_content(self) -> str:
        return str(self.evaluate("(e) => e.textContent"))

    def get_attribute(self, name: str) -> str | None:
        value: str | None = self.evaluate("(e, name) => e.getAttribute(name)", name)
        return value

    def bounding_box(self) -> dict[str, float]:
        box: dict[str, float] = self.evaluate(
            "(e) => { const { x, y, width, height } = e.getBoundingClientRect(); return { x, y, width, height }; }"
        )
        return box

    def is_visible(self) -> bool:
        return self.each(VISIBLE) == [True]

    def wait_for(self, *, state: str = "visible", timeout: float | None = None) -> None:
        """Wait until exactly one element is visible or `attached`, or none if `hidden`."""
        shown = {"visible": [True], "hidden": []}
        script = f"(all) => all.filter((e) => ({VISIBLE})(e)).map(() => true)"
        if state == "attached":
            self.page.until(lambda: self.count() == 1, lambda: f"{self}: {self.count()} of them", timeout)
        else:
            self.page.until(lambda: self.evaluate_all(script) == shown[state], lambda: f"{self} is {state}", timeout)

    def click(self, **_: Any) -> None:
        """Click or tap the centre of the only element, once a tap can hit it."""
        said: list[Any] = []

        def ready() -> bool:
            said[:] = self.each(TARGET)
            return len(said) == 1 and isinstance(said[0], dict)

        self.page.until(ready, lambda: f"{self} takes no tap: {said}")
        self.page.press_at(said[0]["x"], said[0]["y"])

    tap = click
    check = click

    def focus(self) -> None:
        self.evaluate("(e) => e.focus()")

    def fill(self, text: str) -> None:
        """Replace a field's text by typing."""
        self.wait_for()
        self.evaluate("(e) => { e.focus(); e.select?.(); }")
        self.page.keyboard.type(text) if text else self.page.keyboard.press("Delete")

    def press(self, key: str) -> None:
        self.focus()
        self.page.keyboard.press(key)

    def select_option(self, value: str) -> None:
        script = "(e, value) => { e.value = value; e.dispatchEvent(new Event('change', { bubbles: true })); }"
        self.evaluate(script, value)

    def scroll_into_view_if_needed(self) -> None:
        self.evaluate("(e) => e.scrollIntoView({ block: 'nearest' })")


class Expect:
    """Retrying assertions, like Playwright's `expect`."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def _until(self, look: Callable[[], Any], fits: Callable[[Any], bool], what: str, timeout: float | None) -> None:
        seen: list[Any] = [None]

        def holds() -> bool:
            seen[0] = look()
            return fits(seen[0])

        self._locator.page.until(holds, lambda: f"{self._locator} {what}, but {seen[0]!r}", timeout)

    def to_be_visible(self, *, timeout: float | None = None) -> None:
        self._locator.wait_for(timeout=timeout)

    def to_be_hidden(self, *, timeout: float | None = None) -> None:
        self._locator.wait_for(state="hidden", timeout=timeout)

    def to_have_count(self, count: int, *, timeout: float | None = None) -> None:
        self._until(self._locator.count, lambda found: found == count, f"has a count of {count}", timeout)

    def to_have_text(self, text: Words | list[Words], *, timeout: float | None = None) -> None:
        self._texts(text, "has the text", timeout, whole=True)

    def to_contain_text(self, text: Words | list[Words], *, timeout: float | None = None) -> None:
        self._texts(text, "contains the text", timeout, whole=False)

    def _texts(self, text: Any, what: str, timeout: float | None, *, whole: bool) -> None:
        each = text if isinstance(text, list) else [text]

        def fits(found: list[str]) -> bool:
            return len(found) == len(each) and all(map(alike, found, each))

        def alike(found: str, words: Words) -> bool:
            if isinstance(words, str):
                return plain(words) == found if whole else plain(words) in found
            return words.search(found) is not None

        read = "(e) => e.textContent.replace(/\\u00AD/g, '').replace(/\\s+/g, ' ').trim()"
        seen = self._locator.filter(visible=True)
        self._until(lambda: seen.each(read), fits, f"{what} {text!r}", timeout)

    def to_have_attribute(self, name: str, value: Words, *, timeout: float | None = None) -> None:
        def fits(found: list[str | None]) -> bool:
            (one,) = found if len(found) == 1 else (None,)
            return one is not None and (one == value if isinstance(value, str) else bool(value.search(one)))

        look = "(all, name) => all.map((e) => e.getAttribute(name))"
        self._until(lambda: self._locator.evaluate_all(look, name), fits, f"has {name}={value!r}", timeout)

    def to_have_value(self, value: str, *, timeout: float | None = None) -> None:
        self._until(lambda: self._locator.each("(e) => e.value"), lambda found: found == [value], f"= {value}", timeout)

    def to_be_disabled(self, *, timeout: float | None = None) -> None:
        self._matches(":disabled", timeout)

    def to_be_enabled(self, *, timeout: float | None = None) -> None:
        self._matches(":enabled", timeout)

    def to_be_focused(self, *, timeout: float | None = None) -> None:
        self._matches(":focus", timeout)

    def _matches(self, css: str, timeout: float | None) -> None:
        look = f"(e) => e.matches('{css}')"
        self._until(lambda: self._locator.each(look), lambda found: found == [True], f"is {css}", timeout)


def plain(text: str) -> str:
    """Normalise text for comparison: collapse whitespace, remove soft hyphens."""
    return re.sub(r"\s+", " ", text.replace("\u00ad", "")).strip()


def poll(holds: Callable[[], bool], what: Callable[[], str], most_ms: float) -> None:
    """Poll, less and less often, until a condition holds; fail after `most_ms`."""
    deadline = time.monotonic() + most_ms / 1000
    pause = STEP_S
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(what())
        time.sleep(pause)
        pause = min(1.5 * pause, 10 * STEP_S)
