"""The tests that docs/security.md names: `python -m tests.attacks` lists them for `make check-attacks`."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text()
FOLDERS = ("server", ".", "engine", "processes", "browser", "bench")


def named_tests() -> list[str]:
    """Tests that the page names, as pytest takes them: a file, or a file and a function."""
    return sorted({_path(name) for name in re.findall(r"`((?:\w+/)*test_\w+\.py(?:::\w+)?)`", PAGE)})


def _path(name: str) -> str:
    """Path of a test from the root; the page leaves out `tests/` and `server/`."""
    file, *function = name.removeprefix("tests/").split("::")
    folders = (Path("tests") / folder for folder in FOLDERS)
    path = next((folder / file for folder in folders if (ROOT / folder / file).exists()), Path(name))
    return "::".join((path.as_posix(), *function))


if __name__ == "__main__":
    print(*named_tests(), sep="\n")
