"""Mutation testing: find random changes that a package's tests do not notice.

Each mutant changes one place of `clocks/ROOM`: a comparison, a boolean or arithmetic operator, a number, a flag, a
condition or a return value. The tests run in a copy of the project and stop at the first failure. We wrote our own
script because neither mutmut nor cosmic-ray draws a seeded random sample.
`python -m tests.mutants desk --count 100 --seed 1`
"""

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = {"engine": ["tests/engine"], "pairing": ["tests/pairing"]}  # all other rooms: tests/server/ROOM
LABELS = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "dataclass", "TypeVar"}
FORMALITIES = {"strict", "frozen", "slots", "verbose_name", "help_text", "label"}
LOGGERS = {"logger", "audit", "logging"}
SWAPPED = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Div: "*",
    ast.And: "or",
    ast.Or: "and",
}


@dataclass(frozen=True)
class Mutant:
    """A change to a file: a span of bytes and its replacement."""

    path: Path
    line: int
    start: int
    end: int
    new: bytes

    def apply(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.new + source[self.end :]

    def __str__(self) -> str:
        source = self.path.read_bytes()
        first = source.rfind(b"\n", 0, self.start) + 1
        before, after = source[first : self.start], source[self.end :].split(b"\n")[0]
        old, new = (before + middle + after for middle in (source[self.start : self.end], self.new))
        return "\n".join((f"{self.path}:{self.line}", f"  - {old.decode().strip()}", f"  + {new.decode().strip()}"))


class Finder:
    """Finds all mutants of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path.read_bytes()
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        """Yield the mutants in syntax tree order."""
        yield from self._within(ast.parse(self.source))

    def _within(self, node: ast.AST) -> Iterator[Mutant]:
        if _means_nothing(node):
            return
        yield from self._of(node)
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list", "type_params"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from self._within(child)

    def _of(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Compare(left, operators, others):
                for before, operator, after in zip([left, *others], operators, others, strict=False):
                    yield self._between(before, after, SWAPPED[type(operator)])
            case ast.BoolOp(operator, values):
                for before, after in pairwise(values):
                    yield self._between(before, after, SWAPPED[type(operator)])
            case ast.BinOp(left, operator, right) if type(operator) in SWAPPED and not _is_text(left, right):
                yield self._between(left, right, SWAPPED[type(operator)])
            case ast.UnaryOp(ast.Not(), operand):
                yield self._instead(node, self._text(operand))
            case ast.Constant(bool(value)):
                yield self._instead(node, str(not value))
            case ast.Constant(int() | float() as value):
                yield self._instead(node, str(value + 1))
            case ast.If(test) | ast.While(test) | ast.IfExp(test) if isinstance(
                test, ast.Name | ast.Attribute | ast.Call
            ):
                yield self._instead(test, f"(not {self._text(test)})")
            case ast.Return(ast.AST() as value) if not isinstance(value, ast.Constant):
                yield self._instead(value, "None")

    def _between(self, left: ast.AST, right: ast.AST, operator: str) -> Mutant:
        """Mutant that replaces the operator between two operands and keeps parentheses."""
        start, end = self._span(left)[1], self._span(right)[0]
        gap = self.source[start:end].decode()
        opening, closing = gap[: len(gap) - len(gap.lstrip(") \n"))], gap[len(gap.rstrip("( \n")) :]
        return self._made(start, end, f"{opening or ' '}{operator}{closing or ' '}")

    def _instead(self, node: ast.AST, new: str) -> Mutant:
        return self._made(*self._span(node), new)

    def _made(self, start: int, end: int, new: str) -> Mutant:
        line = self.source.count(b"\n", 0, start) + 1
        return Mutant(self.path, line, start, end, new.encode())

    def _span(self, node: ast.AST) -> tuple[int, int]:
        first, last = self.lines[node.lineno - 1], self.lines[node.end_lineno - 1]  # type: ignore[attr-defined]
        return first + node.col_offset, last + node.end_col_offset  # type: ignore[attr-defined]

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()


def _means_nothing(node: ast.AST) -> bool:
    """True for nodes that need no tests: labels, logging, asserts, raises, f-strings."""
    match node:
        case ast.Call(ast.Name(name)):
            return name in LABELS
        case ast.Call(ast.Attribute(ast.Name(name))):
            return name in LOGGERS
        case ast.keyword(str(name)):
            return name in FORMALITIES
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.Assert() | ast.Raise():
            return True
    return isinstance(node, ast.JoinedStr)


def _is_text(*nodes: ast.AST) -> bool:
    return any(isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str) for node in nodes)


def mutants_of(folder: Path) -> list[Mutant]:
    """All mutants of a file, or of all modules in a folder."""
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    return [mutant for path in paths for mutant in Finder(path).mutants()]


def passes(project: Path, tests: list[str], limit_s: float) -> bool:
    """True if all tests pass within `limit_s`."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    run = subprocess.Popen(
        command, cwd=project, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        return run.wait(limit_s) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)  # including servers that a test started
        run.wait()


def survives(mutant: Mutant, project: Path, tests: list[str], limit_s: float) -> bool:
    """True if the tests in `project` pass with the mutant applied."""
    source = mutant.path.read_bytes()
    mutant.path.write_bytes(mutant.apply(source))
    try:
        return passes(project, tests, limit_s)
    finally:
        mutant.path.write_bytes(source)


def copy_project(to: Path) -> None:
    """Copy all files that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def main() -> None:
    """Try random mutants of a room and list the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("room", help="a package or module of clocks/, such as desk or desk/batch.py")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="+", help="instead of the room's own")
    asked = parser.parse_args()
    room = asked.room.split("/")[0]
    tests = asked.tests or TESTS.get(room, [f"tests/server/{room}"])
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        project = Path(folder) / "project"
        copy_project(project)
        (Path(folder) / "prepared").mkdir()
        os.environ["TESTS_PREPARED"] = str(Path(folder) / "prepared")  # migrate once for all runs
        os.chdir(project)
        found = mutants_of(Path("clocks") / asked.room)
        chosen = random.Random(asked.seed).sample(found, min(asked.count, len(found)))
        began = time.monotonic()
        if not passes(project, tests, 3600):
            sys.exit(f"The tests fail without any change: {' '.join(tests)}")
        limit_s = 30 + 3 * (time.monotonic() - began)
        alive = [mutant for mutant in chosen if _told(mutant, survives(mutant, project, tests, limit_s))]
    noticed = len(chosen) - len(alive)
    print(f"{room}: {noticed} of {len(chosen)} noticed, of {len(found)} possible (seed {asked.seed})")


def _told(mutant: Mutant, survived: bool) -> bool:
    if survived:
        print(mutant, flush=True)
    return survived


if __name__ == "__main__":
    main()
