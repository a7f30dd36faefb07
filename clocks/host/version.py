"""Version of the program: a hash of everything that it serves or runs."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

SERVED = ("clocks", "config", "static", "templates")
KINDS = (".py", ".html", ".js", ".css", ".svg", ".png", ".mo")


@cache
def version() -> str:
    """Version that this process runs, from its own files."""
    root = Path(settings.BASE_DIR)
    content = hashlib.sha256()
    for path in sorted(path for part in SERVED for path in (root / part).rglob("*") if path.suffix in KINDS):
        content.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return content.hexdigest()[:12]
