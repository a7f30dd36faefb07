"""Only public interfaces of Twisted, Autobahn and Daphne are used, none patched."""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from tests.syntax import parse, without_collection

ROOT = Path(__file__).resolve().parent.parent
THEIRS = ("twisted", "autobahn", "daphne")
# Public despite their names, in named tuples and Django's models; the last, for config/pages.py, is Django's own.
PUBLIC = {"_asdict", "_fields", "_replace", "_meta", "_base_manager", "_default_manager", "_mark_post_parse_error"}


def is_private(name: str) -> bool:
    """True for `_name`, but not for `__name__`."""
    return re.fullmatch(r"_[a-zA-Z]\w*", name) is not None


@cache
def modules() -> dict[str, ast.Module]:
    """Syntax trees of the product's modules, by dotted name."""
    paths = [*(ROOT / "clocks").rglob("*.py"), *(ROOT / "config").rglob("*.py")]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths}
    return {name: parse(path) for path, name in names.items()}


def used(tree: ast.Module) -> set[str]:
    """Private attributes that a module reads or sets, on any object."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_private(node.attr)}


def defined(tree: ast.Module) -> set[str]:
    """Functions, classes, variables and `self` attributes defined in a module."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case (
                ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store())
                | ast.Name(id=name, ctx=ast.Store())
            ):
                found.add(name)
    return found


def imported_from_them(tree: ast.Module) -> set[str]:
    """Names that a module imports from Twisted, Autobahn or Daphne."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in THEIRS:
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.asname or alias.name for alias in node.names if alias.name.split(".")[0] in THEIRS}
    return found


def patched(tree: ast.Module, names: set[str]) -> list[str]:
    """Code that sets or deletes an attribute of one of these names, as source."""
    found = []
    for node in ast.walk(tree):
        changed = None
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
            changed = node.args[0]
        if changed is not None and any(
            ast.unparse(changed) == name or ast.unparse(changed).startswith(f"{name}.") for name in names
        ):
            found.append(ast.unparse(node))
    return found


def their_bases(kind: type) -> list[type]:
    """Base classes of a class that come from Twisted, Autobahn or Daphne."""
    return [base for base in kind.__mro__ if base.__module__.split(".")[0] in THEIRS]


def own_classes() -> dict[str, type]:
    """Our classes that extend Twisted, Autobahn or Daphne, by name."""
    found = {}
    for name in (name for name, tree in modules().items() if imported_from_them(tree)):
        for kind in vars(importlib.import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and their_bases(kind):
                found[kind.__name__] = kind
    return found


@cache
def private_names(kind: type) -> set[str]:
    """Private names that a class defines, or that its source uses on `self`."""
    with without_collection():
        source = inspect.getsource(kind)
    named = set(vars(kind)) | set(re.findall(r"\bself\.(\w+)", source))
    return {name for name in named if is_private(name)}


def test_every_private_name_in_use_is_our_own() -> None:
    trees = modules().values()
    ours = set[str]().union(*map(defined, trees))
    assert set[str]().union(*map(used, trees)) - ours - PUBLIC == set()


def test_our_classes_share_no_private_name_with_theirs() -> None:
    classes = own_classes()
    assert {"ClockServer", "ClockRequest", "ClockChannel", "ClockSocket", "OnlyHttps"} <= set(classes)
    shared = {
        name: private_names(kind) & set[str]().union(*map(private_names, their_bases(kind)))
        for name, kind in classes.items()
    }
    assert {name: names for name, names in shared.items() if names} == {}


def test_nothing_of_theirs_is_patched() -> None:
    found = {name: patched(tree, imported_from_them(tree)) for name, tree in modules().items()}
    assert {name: statements for name, statements in found.items() if statements} == {}


@pytest.mark.parametrize(
    "statement",
    ["Server.run = None", "Server.a.b = 1", "del Server.run", "setattr(Server, 'run', None)", "Server.count += 1"],
)
def test_a_patch_is_found(statement: str) -> None:
    tree = ast.parse(f"from daphne.server import Server\n{statement}")
    assert patched(tree, imported_from_them(tree)) != []
