"""What Django is told of the clock when it starts."""

from django.apps import AppConfig
from django.core.checks import register


class ClocksConfig(AppConfig):
    """The clock, with its checks."""

    name = "clocks"

    def ready(self) -> None:
        """Register the checks."""
        from clocks.host import checks  # only now: they need the settings

        register(checks.processes_share_what_they_need, checks.PROCESSES)
