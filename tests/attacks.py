"""The tests that docs/security.md names: `python -m tests.attacks` lists them for `make check-attacks`."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text()
FOLDERS = (ROOT / "tests" / "server", ROOT / "tests")  # searched in this order


def named_tests() -> list[str]:
    """Tests that the page names, as pytest takes them: a file, or a file and a function."""
    return sorted({_path(name) for name in re.findall(r"`((?:\w+/)*test_\w+\.py(?:::\w+)?)`", PAGE)})


def _path(name: str) -> str:
    """Path of a test from the root; the page leaves out `tests/` and the folders of `tests/server`."""
    file, *function = name.removeprefix("tests/").split("::")
    found = next((path for folder in FOLDERS for path in folder.rglob(file)), None)
    return "::".join((found.relative_to(ROOT).as_posix() if found else name, *function))


if __name__ == "__main__":
    print(*named_tests(), sep="\n")
