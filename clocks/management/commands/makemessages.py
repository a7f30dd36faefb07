"""`makemessages` that also extracts the engine's strings.

The engine may not import Django, so it marks them in its own way.
"""

from django.core.management.commands import makemessages

# xgettext keywords for `Words("…")`, `counted("…", "…", n)`, `Refused(code, "…")`, `bad_value("…")` and
# `Reading(topic, "…")`.
OF_THE_ENGINE = ("Words:1", "counted:1,2", "Refused:2", "bad_value:1", "Reading:2")


class Command(makemessages.Command):
    """Django's command with the engine's keywords added."""

    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={word}" for word in OF_THE_ENGINE)]
