"""Syntax trees of modules."""

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable garbage collection around `ast.parse` and `inspect.getsource`.

    A finaliser may let another thread format a traceback, which also parses. Python 3.11 then raises SystemError, “AST
    constructor recursion depth mismatch”.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def parse(path: Path) -> ast.Module:
    """Parse a module, without garbage collection."""
    with without_collection():
        return ast.parse(path.read_text())
