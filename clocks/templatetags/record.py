"""Template filters for the figures of a match record."""

from django import template

from clocks.wording import amounts

register = template.Library()


@register.filter
def plain(number: float) -> str:
    """Format a coordinate for SVG regardless of locale: 12.5."""
    return f"{number:g}"


@register.filter
def clock_ms(ms: int) -> str:
    """Format a reserve: 21:47.3."""
    return amounts.clock(ms)


@register.filter
def whole_clock_ms(ms: int) -> str:
    """Format a reserve in whole seconds, rounded down: 21:47."""
    return amounts.clock(ms - ms % amounts.SECOND_MS)


@register.filter
def length_ms(ms: int) -> str:
    """Format the length of a turn: 8.4 s."""
    return amounts.seconds(ms)
