"""A bracket as SVG, without a template.

A thousand boxes take some thirty milliseconds; a template takes ten times as long.
"""

from collections.abc import Iterator

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clocks.views.bracket_drawing import HEIGHT, TYPE, Box, Drawing, Side


def svg(drawing: Drawing, label: str, mm: tuple[float, float] | None = None) -> SafeString:
    """SVG of a drawing; `mm` is its size on paper."""
    width, height = (f"{drawing.width}", f"{drawing.height}") if mm is None else (f"{mm[0]}mm", f"{mm[1]}mm")
    bye = escape(_("Bye"))
    parts = [
        f'<svg class="bracket-svg" viewBox="0 0 {drawing.width} {drawing.height}" width="{width}" height="{height}"',
        f' role="img" aria-label="{escape(label)}">',
        *(f'<text class="round-name" x="{x}" y="16">{escape(head)}</text>' for x, head in drawing.heads),
        *(part for box in drawing.boxes for part in _box(box, drawing, bye)),
        "</svg>",
    ]
    return mark_safe("".join(parts))  # every text is escaped above and below


def _box(box: Box, drawing: Drawing, bye: str) -> Iterator[str]:
    if box.way:
        yield f'<path d="{box.way}"/>'
    look = f' class="{box.look}"' if box.look else ""
    yield f'<g{look} transform="translate({box.x} {box.y})"><rect width="{drawing.box}" height="{HEIGHT}" rx="6"/>'
    for side in box.sides:
        if side.name:
            yield _name(side)
        elif box.look == "bye":
            yield f'<text x="10" y="{side.y}" class="slot-lost">{bye}</text>'
        if side.score:
            look = f"points-won {side.look}".strip()
            yield f'<text class="{look}" x="{drawing.edge}" y="{side.y}">{escape(side.score)}</text>'
    yield "</g>"


def _name(side: Side) -> str:
    look = f' class="{side.look}"' if side.look else ""
    size = f' font-size="{side.size}"' if side.size < TYPE else ""
    whole = f"<title>{escape(side.whole)}</title>" if side.name != side.whole else ""
    return f'<text x="10" y="{side.y}"{look}{size}>{escape(side.name)}{whole}</text>'
