"""Static files, minified, compressed and under hashed names that never expire."""

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTED = re.compile(r'@import "([^"]+)";')
LIBRARIES = ["Django", "whitenoise"]
SMALLER: dict[str, Callable[[str], str]] = {}
if sys.platform == "linux":  # elsewhere the minifiers have no wheels, and a local network can carry a quarter more
    from rcssmin import cssmin
    from rjsmin import jsmin

    SMALLER = {".js": jsmin, ".css": cssmin}
    LIBRARIES += ["rjsmin", "rcssmin"]


def whole(sheet: Path) -> str:
    """Text of a style sheet with its @imports inlined: one request instead of many."""
    return IMPORTED.sub(lambda found: whole(sheet.parent / found[1]), sheet.read_text())


def digest(paths: dict[str, Any]) -> str:
    """SHA-256 of all source files, this module, and the versions of its libraries."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    found.update(str([version(library) for library in LIBRARIES]).encode())
    for name, (storage, path) in sorted(paths.items()):
        found.update(f"{name} {hashlib.sha256(Path(storage.path(path)).read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


class HashedStatic(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the library has no types
    """Give modules hashed names in imports too, so that no page mixes two versions.

    On Linux, scripts and styles are minified: comments and whitespace are a quarter of what a phone loads.
    """

    support_js_module_import_aggregation = True

    def file_hash(self, name: str, content: Any = None) -> str | None:
        """First six digits of the hash, to keep scripts small.

        A script names every file that it imports, and digits do not compress.
        """
        found: str | None = super().file_hash(name, content)
        return found and found[:6]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Minify our own files, then hash and compress everything.

        Does nothing if no source has changed, since a server collects its files at each start.
        """
        if dry_run:
            yield from super().post_process(paths, dry_run, **options)
            return
        done, sources = Path(self.path(".sources")), digest(paths)
        if done.exists() and done.read_text() == sources:
            return
        done.unlink(missing_ok=True)
        ours = [name for name in paths if name.startswith("clocks/") and Path(name).suffix in (".js", ".css")]
        for name in ours:
            # Read the source: the collected copy of an unchanged sheet has stale imports inlined.
            storage, path = paths[name]
            source, copy = Path(storage.path(path)), Path(self.path(name))
            text = whole(source) if source.suffix == ".css" else source.read_text()
            copy.write_text(SMALLER.get(copy.suffix, str)(text))
        yield from super().post_process(paths | {name: (self, name) for name in ours}, dry_run, **options)
        done.write_text(sources)

    def compress_files(self, paths: set[str]) -> Iterator[Any]:
        """Compress hashed files only: pages load no others."""
        yield from super().compress_files(paths.intersection(self.hashed_files.values()))
