"""`makemessages` that also finds the sentences of the engine, which may not import what Django's looks for."""

from django.core.management.commands import makemessages

# Where a sentence is: `Words("…")`, `Refused(code, "…")`, `bad_value("…")`, `Reading(topic, "…")`.
OF_THE_ENGINE = ("Words:1", "Refused:2", "bad_value:1", "Reading:2")


class Command(makemessages.Command):
    """Django's command with more keywords."""

    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={word}" for word in OF_THE_ENGINE)]
