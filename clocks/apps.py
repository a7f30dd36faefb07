"""What Django is told of the clock when it starts."""

from django.apps import AppConfig


class ClocksConfig(AppConfig):
    """The clock, with its checks."""

    name = "clocks"

    def ready(self) -> None:
        """Register the checks."""
        from clocks.host import checks  # noqa: F401  # only now: they need the settings
