"""Sentences for people that can still be said in another language, and the way a clock writes a time."""


class Words(str):
    """A sentence in English. `template` has `%(name)s` where `values` go; without values it is the sentence itself.

    Whoever shows it to somebody may look `template` up in a catalogue; what records it keeps the English.
    """

    __slots__ = ("template", "values")

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> "Words":
        """Return the sentence with the values put in."""
        words = super().__new__(cls, template % values if values else template)
        words.template, words.values = template, values
        return words


def clock(ms: int, decimals: int = 1, hours: bool = True) -> str:
    """Return a time as a clock shows it: `21:47.3`, `1:05:00`, without `hours` `65:00`; `−0:30` below zero.

    Digits beyond `decimals` are cut off, as on a clock that has not got there yet, and so are trailing zeros.
    """
    whole, rest = divmod(abs(ms), 1_000)
    minutes = whole // 60
    text = f"{minutes // 60}:{minutes % 60:02}" if hours and minutes >= 60 else f"{minutes}"
    fraction = f"{rest:03}"[:decimals].rstrip("0")
    return f"{'−' if ms < 0 else ''}{text}:{whole % 60:02}{'.' if fraction else ''}{fraction}"
