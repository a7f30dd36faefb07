"""The version of the program: a short name that changes whenever anything that is served changes."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

SERVED = ("clocks", "config", "static", "templates")
KINDS = (".py", ".html", ".js", ".css", ".svg", ".png", ".mo")


@cache
def version() -> str:
    """Return the version of the program that this process runs, read once from its own files."""
    root = Path(settings.BASE_DIR)
    content = hashlib.sha256()
    for path in sorted(path for part in SERVED for path in (root / part).rglob("*") if path.suffix in KINDS):
        content.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return content.hexdigest()[:12]
