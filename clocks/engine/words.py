"""Sentences for people that can still be said in another language: the English, and the values put into it."""


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
