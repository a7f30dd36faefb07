"""Script tag of a page: preloads its modules, and lists the files of lazy ones."""

import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)
# Lazy imports, which the first render does not need; any other `import(` is a JSDoc type.
LATER = re.compile(r"""(?:\bawait|\breturn|=>) import\(["'](\.{1,2}/[^"']+)["']\)(?!\.)""")

register = template.Library()


@register.simple_tag
def module(path: str, without: str = "") -> SafeString:
    """Script tag of a page (such as `phone/page.js`), with preloads of its imports.

    `without` names a lazy import that this page never needs.
    """
    script = f"clocks/{path}"
    others = ((static(name),) for name in imported(script))
    preloads = format_html_join("", '\n<link rel="modulepreload" href="{}">', others)
    return format_html(
        '<script type="module" src="{}"></script>{}{}', static(script), preloads, _later_files(script, without)
    )


@cache
def imported(script: str, *, later: bool = False) -> tuple[str, ...]:
    """Static files that a script imports, transitively, nearest first.

    `later` includes lazy imports.
    """
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop(0)
        for module in _named(IMPORT, name) + (_named(LATER, name) if later else ()):
            if module != script and module not in found:
                found[module] = None
                waiting.append(module)
    return tuple(found)


@cache
def imported_later(script: str) -> dict[str, tuple[str, ...]]:
    """Files of each lazy import of a page: those that the page does not load at once."""
    first = {script, *imported(script)}
    everything = (script, *imported(script, later=True))
    lazy = dict.fromkeys(name for module in everything for name in _named(LATER, module))
    return {name: tuple(file for file in (name, *imported(name)) if file not in first) for name in lazy}


def _later_files(script: str, without: str) -> SafeString:
    """Data block for `loaded()` in browser/events.js: the files of each lazy import."""
    later = {name.removeprefix("clocks/"): files for name, files in imported_later(script).items()}
    lists = {name: [static(file) for file in files] for name, files in later.items() if name != without}
    if not lists:
        return mark_safe("")
    data = json.dumps(lists, separators=(",", ":"))
    return format_html('\n<script type="application/json" data-later>{}</script>', mark_safe(data))


@cache
def _named(kind: re.Pattern[str], script: str) -> tuple[str, ...]:
    """Static files that a script imports directly."""
    file = finders.find(script)
    if not isinstance(file, str):
        raise template.TemplateSyntaxError(f"there is no static file {script}")
    return tuple(normpath(join(dirname(script), path)) for path in kind.findall(Path(file).read_text()))
