"""Syntax trees of modules."""

import ast
import gc
from pathlib import Path


def parse(path: Path) -> ast.Module:
    """Parse a module with garbage collection disabled.

    A finaliser may let another thread format a traceback, which also parses. Python 3.11 then raises SystemError, “AST
    constructor recursion depth mismatch”.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text())
    finally:
        if collects:
            gc.enable()
