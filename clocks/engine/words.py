"""Translatable sentences, and the format of times on a clock."""


class Words(str):
    """English sentence that keeps its msgid.

    `template` has `%(name)s` for each of `values`. Pages translate `template`; the journal stores the English sentence.
    If the sentence depends on a number, `forms` is (singular, plural, number).
    """

    __slots__ = ("forms", "template", "values")

    template: str
    values: dict[str, object]
    forms: tuple[str, str, int] | None

    def __new__(cls, template: str, **values: object) -> "Words":
        """Interpolate the values into the template."""
        words = super().__new__(cls, template % values if values else template)
        words.template, words.values, words.forms = template, values, None
        return words


def counted(singular: str, plural: str, number: int, **values: object) -> Words:
    """English sentence in the form for `number`; pages use their own plural rule."""
    words = Words(singular if number == 1 else plural, **values)
    words.forms = singular, plural, number
    return words


def clock(ms: int, decimals: int = 1, hours: bool = True) -> str:
    """Format a time as on a clock: `21:47.3`, `1:05:00`, or `65:00` without `hours`.

    Negative times look like `−0:30`. Digits beyond `decimals` are truncated, and trailing zeros dropped.
    """
    whole, rest = divmod(abs(ms), 1_000)
    minutes = whole // 60
    text = f"{minutes // 60}:{minutes % 60:02}" if hours and minutes >= 60 else f"{minutes}"
    fraction = f"{rest:03}"[:decimals].rstrip("0")
    return f"{'−' if ms < 0 else ''}{text}:{whole % 60:02}{'.' if fraction else ''}{fraction}"
