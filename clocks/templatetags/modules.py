"""Preload all modules of a page's script, so that they load in parallel."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)
# Lazy imports, which the first render does not need; any other `import(` is a JSDoc type.
LATER = re.compile(r"""(?:\bawait|\breturn|=>) import\(["'](\.{1,2}/[^"']+)["']\)(?!\.)""")

register = template.Library()


@register.simple_tag
def module(path: str) -> SafeString:
    """Script tag of a page (such as `phone/page.js`), with preloads of its imports."""
    script = f"clocks/{path}"
    others = ((static(name),) for name in imported(script))
    preloads = format_html_join("", '\n<link rel="modulepreload" href="{}">', others)
    return format_html('<script type="module" src="{}"></script>{}', static(script), preloads)


@cache
def imported(script: str, *, later: bool = False) -> tuple[str, ...]:
    """Static files that a script imports, transitively, nearest first.

    `later` includes lazy imports.
    """
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        name = waiting.pop(0)
        file = finders.find(name)
        if not isinstance(file, str):
            raise template.TemplateSyntaxError(f"there is no static file {name}")
        text = Path(file).read_text()
        for path in IMPORT.findall(text) + (LATER.findall(text) if later else []):
            module = normpath(join(dirname(name), path))
            if module != script and module not in found:
                found[module] = None
                waiting.append(module)
    return tuple(found)
