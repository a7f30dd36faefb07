"""Tests, files and links mentioned in a page; `python -m tests.documents PAGE`."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

from tests.syntax import parse

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = [ROOT / folder for folder in ("", "clocks", "static/clocks", "templates/clocks", "tests", "docs")]

TEST = re.compile(r"(?:(?P<file>(?:\w+/)*test_\w+\.py)(?:::(?P<function>\w+))?|(?P<bare>test_\w+))")
FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:py|js|css|html|md|toml|yaml|jsonl?|conf|lock)|\w+\.lock")


def quoted(page: Path) -> set[str]:
    """Words in backquotes on a page."""
    return set(re.findall(r"`([^`\s]+)`", page.read_text()))


def named_tests(page: Path) -> set[str]:
    """Test names in backquotes: a file, `file::function`, or a function alone."""
    return {name for name in quoted(page) if TEST.fullmatch(name)}


def named_files(page: Path) -> set[str]:
    """File names in backquotes, except tests."""
    return {name for name in quoted(page) - named_tests(page) if FILE.fullmatch(name)}


def links(page: Path) -> set[str]:
    """Targets of relative links."""
    return {target for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()) if ":" not in target}


def is_file(name: str) -> bool:
    """True if the file exists in one of the folders that documents may omit."""
    return any((folder / name).is_file() for folder in FOLDERS)


@cache
def functions_by_file() -> dict[str, set[str]]:
    """Names of the test functions in each file below tests/, tests/server first."""
    paths = sorted(TESTS.rglob("test_*.py"), key=lambda path: ("server" not in path.parts, path))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        path.relative_to(TESTS).as_posix(): {node.name for node in ast.walk(parse(path)) if isinstance(node, kinds)}
        for path in paths
    }


def file_of(name: str) -> str | None:
    """Path of a test file relative to tests/; the name may omit its folders."""
    name = name.removeprefix("tests/")
    return next((file for file in functions_by_file() if f"/{file}".endswith(f"/{name}")), None)


def is_test(name: str) -> bool:
    """True if a test returned by `named_tests` exists."""
    match = TEST.fullmatch(name)
    assert match
    if match["bare"]:
        return any(match["bare"] in functions for functions in functions_by_file().values())
    file = file_of(match["file"])
    return file is not None and (not match["function"] or match["function"] in functions_by_file()[file])


def pytest_arguments(page: Path) -> list[str]:
    """Tests mentioned in a page, with their files, as pytest arguments."""
    found = (TEST.fullmatch(name) for name in named_tests(page))
    parts = [(file_of(match["file"]), match["function"]) for match in found if match and match["file"]]
    return sorted("::".join(filter(None, (f"tests/{file}", function))) for file, function in parts)


if __name__ == "__main__":
    print(*pytest_arguments(Path(sys.argv[1]).resolve()), sep="\n")
