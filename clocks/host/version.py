"""Version of the program: a hash of everything that it serves or runs.

Uses only the standard library and is loaded by `start.py` and `deploy/release.py` too, so that all report the same.
"""

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVED = ("clocks", "config", "static", "templates")
KINDS = (".py", ".html", ".js", ".css", ".svg", ".png", ".mo")


@cache
def version() -> str:
    """First twelve hexadecimal digits of the hash of all files, by name and content."""
    content = hashlib.sha256()
    for path in sorted(path for part in SERVED for path in (ROOT / part).rglob("*") if path.suffix in KINDS):
        content.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return content.hexdigest()[:12]
