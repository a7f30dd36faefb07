"""How static files are stored: compressed, under hashed names that browsers may keep for ever."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Only what has lines to itself: no library for this knows template literals within template literals.
COMMENT_LINES = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*$|//[^\n]*$)", re.DOTALL | re.MULTILINE)
INDENTATION = re.compile(r"\n\s+")


def without_comments(text: str) -> str:
    """Return a script or a style sheet without its comments, blank lines and indentation.

    A text in it that spans lines would lose its indentation too: tests/server/test_static.py allows none.
    """
    return INDENTATION.sub("\n", COMMENT_LINES.sub("", text)).lstrip()


class HashedStatic(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the library has no types
    """Give modules hashed names too and rewrite the imports between them, so that no page mixes two versions.

    The stored copies have no comments, which would be a fifth of what a phone loads.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Make the copies of our own files small, then hash and compress everything."""
        ours = [name for name in paths if name.startswith("clocks/") and name.endswith((".js", ".css"))]
        if not dry_run:
            for name in ours:
                copy = Path(self.path(name))
                copy.write_text(without_comments(copy.read_text()))
            paths = paths | {name: (self, name) for name in ours}
        yield from super().post_process(paths, dry_run, **options)
