"""Django app configuration."""

from django.apps import AppConfig
from django.core.checks import register


class ClocksConfig(AppConfig):
    """The clock and its system checks."""

    name = "clocks"

    def ready(self) -> None:
        """Register the checks."""
        from clocks.host import checks  # needs the settings

        register(checks.processes_share_what_they_need, checks.PROCESSES)
