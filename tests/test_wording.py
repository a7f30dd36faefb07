"""Form of docstrings and test names."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.syntax import parse

ROOT = Path(__file__).resolve().parent.parent
MOST = 80
MOST_OF_A_NAME = 70
FRAGMENT = re.compile(r"(Tell whether|Return what|Who|What(?! if\b)|How|Whether)\b")
FOLDERS = ("clocks", "config", "deploy", "tests")
SCRIPTS = ("words", "console", "hall", "overlay", "pages")


@cache
def described() -> list[tuple[str, str, str]]:
    """Path, name and first docstring line of every module, class and function."""
    found = []
    for path in (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(parse(path)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (ast.get_docstring(node) or "").splitlines()
                found.append((str(path.relative_to(ROOT)), getattr(node, "name", ""), lines[0] if lines else ""))
    return found


def test_the_first_line_of_a_docstring_has_at_most_80_characters() -> None:
    assert [(path, line) for path, _name, line in described() if len(line) > MOST] == []


def test_a_docstring_begins_with_an_imperative_or_a_noun() -> None:
    assert [(path, line) for path, _name, line in described() if FRAGMENT.match(line)] == []


def test_the_name_of_a_test_has_at_most_70_characters() -> None:
    names = [(path, name) for path, name, _line in described() if name.startswith("test_")]
    assert [(path, name) for path, name in names if len(name) > MOST_OF_A_NAME] == []


def test_a_comment_of_a_script_begins_with_an_imperative_or_a_noun() -> None:
    fragment = re.compile(r"/\*\*\s*(?:\* )?(?:Tell whether|Return what|Say (?:who|what|that)|Who|What|How|Whether)\b")
    files = [path for folder in SCRIPTS for path in sorted((ROOT / "static/clocks" / folder).glob("*.js"))]
    found = [f"{path.name}: {text}" for path in files for text in fragment.findall(path.read_text())]
    assert found == []
