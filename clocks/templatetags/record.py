"""How the record of a match writes its figures."""

from django import template

from clocks.wording import amounts

register = template.Library()


@register.filter
def plain(number: float) -> str:
    """Write a coordinate as SVG reads it, whatever the language of the page: 12.5."""
    return f"{number:g}"


@register.filter
def clock_ms(ms: int) -> str:
    """Write a reserve: 21:47.3."""
    return amounts.clock(ms)


@register.filter
def length_ms(ms: int) -> str:
    """Write the length of a turn: 8.4 s."""
    return amounts.seconds(ms)
