"""`manage.py directorlink`: print a sign-in link for the director."""

from typing import Any

from django.core.management.base import BaseCommand

from clocks.host import addresses
from clocks.host.checks import PROCESSES
from clocks.people import sign_in_links


class Command(BaseCommand):
    """Print a one-time sign-in link, valid for 24 hours."""

    help = "Print a one-time link that signs in a director (valid for 24 hours)."
    requires_system_checks = [PROCESSES]

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{addresses.base_url()}{sign_in_links.make_link()}")
