"""How to do on this computer what a sentence advises: by `make`, or by `start.py` where there is no make."""

import shutil

_HAS_MAKE = shutil.which("make") is not None


def run(port: int | None = None, tls: bool = False) -> str:
    """Return what starts the clock: `make run TLS=1 PORT=8001`, `python start.py --tls --port 8001`."""
    if _HAS_MAKE:
        return "make run" + (" TLS=1" if tls else "") + (f" PORT={port}" if port else "")
    return "python start.py" + (" --tls" if tls else "") + (f" --port {port}" if port else "")


def directorlink() -> str:
    """Return what prints a new link that signs the director in."""
    return "make directorlink" if _HAS_MAKE else "python start.py manage directorlink"


def manage(*words: str) -> str:
    """Return what runs a command of `manage.py`."""
    return " ".join((".venv/bin/python manage.py" if _HAS_MAKE else "python start.py manage", *words))
