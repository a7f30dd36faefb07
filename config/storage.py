"""How static files are stored: compressed, under hashed names that browsers may keep for ever."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStatic(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the library has no types
    """Give modules hashed names too and rewrite the imports between them, so that no page mixes two versions.

    The stored copies of our own scripts have no comments, which would be a fifth of what a phone loads.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Make the copies of the scripts small, then hash and compress everything."""
        scripts = [name for name in paths if name.startswith("clocks/") and name.endswith(".js")]
        if not dry_run:
            for name in scripts:
                copy = Path(self.path(name))
                copy.write_text(jsmin(copy.read_text()))
            paths = paths | {name: (self, name) for name in scripts}
        yield from super().post_process(paths, dry_run, **options)
