"""Deno, which runs modules that need no page, without a browser."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(sys.executable).with_name("deno")
RUNNER = Path(__file__).with_suffix(".js")
IMPORTS = RUNNER.with_suffix(".json")


class Deno:
    """Deno process with the page methods that tests use; a reload restarts it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Evaluate an expression, or call a function with the argument."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(orjson.dumps([script, argument]) + b"\n")
        process.stdin.flush()
        result, *error = orjson.loads(process.stdout.readline())
        assert not error, error[0]
        return result

    def goto(self, address: str) -> None:
        """Reset all state; loads no page."""
        self.reload()

    def reload(self) -> None:
        """Forget all modules and variables."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        where = ["--import-map", IMPORTS, "--location", "http://clock.test/", f"--allow-read={ROOT}"]
        command = [PROGRAM, "run", "--quiet", "--no-config", "--no-lock", *where, RUNNER]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
