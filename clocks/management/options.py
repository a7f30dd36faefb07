"""Arguments that several commands share."""

import json

from django.core.management.base import CommandError


def parse_option(given: str) -> tuple[str, object]:
    """Parse `name=value`; the value is JSON if possible, else text.

    Raises CommandError if there is no equals sign.
    """
    name, equals, value = given.partition("=")
    if not equals:
        raise CommandError(f"--option must be written as name=value, not “{given}”.")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
