"""Commands that messages suggest, with `make`, `start.py` or the service's script."""

import os
import shutil

_HAS_MAKE = shutil.which("make") is not None
_SCRIPT = os.environ.get("CLOCK_SCRIPT", "")  # set by the container image and the systemd units


def run(port: int | None = None, tls: bool = False) -> str:
    """Command that starts the clock, such as `make run TLS=1 PORT=8001`."""
    if _HAS_MAKE:
        return "make run" + (" TLS=1" if tls else "") + (f" PORT={port}" if port else "")
    return "python start.py" + (" --tls" if tls else "") + (f" --port {port}" if port else "")


def upgrade() -> str:
    """Sentence that says how to upgrade an outdated database."""
    if _SCRIPT:
        return f"This brings it up to date: {manage('upgrade')}"
    return f"This brings it up to date, and starts: {run()}"


def directorlink() -> str:
    """Command that prints a new sign-in link for the director."""
    if _SCRIPT:
        return manage("directorlink")
    return "make directorlink" if _HAS_MAKE else "python start.py manage directorlink"


def manage(*words: str) -> str:
    """Command line that runs a `manage.py` command."""
    script = _SCRIPT or (".venv/bin/python manage.py" if _HAS_MAKE else "python start.py manage")
    return " ".join((script, *words))
