"""Commands to suggest in messages: with `make` if installed, or with `start.py`."""

import shutil

_HAS_MAKE = shutil.which("make") is not None


def run(port: int | None = None, tls: bool = False) -> str:
    """Command that starts the clock, such as `make run TLS=1 PORT=8001`."""
    if _HAS_MAKE:
        return "make run" + (" TLS=1" if tls else "") + (f" PORT={port}" if port else "")
    return "python start.py" + (" --tls" if tls else "") + (f" --port {port}" if port else "")


def directorlink() -> str:
    """Command that prints a new sign-in link for the director."""
    return "make directorlink" if _HAS_MAKE else "python start.py manage directorlink"


def manage(*words: str) -> str:
    """Command line for a command of `manage.py`."""
    return " ".join((".venv/bin/python manage.py" if _HAS_MAKE else "python start.py manage", *words))
