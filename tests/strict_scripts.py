"""Type-check all scripts: `python -m tests.strict_scripts`.

Pages and the worker have different globals, so each has its own configuration.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "static" / "clocks"
WORKER = Path("offline") / "worker.js"


def main(scripts: Path = SCRIPTS) -> str:
    """Type errors as text; empty if there are none."""
    pages = [file for file in sorted(scripts.rglob("*.js")) if file != scripts / WORKER]
    return check(ROOT / "deno.json", *pages) + check(ROOT / ".ci" / "worker.json", scripts / WORKER)


def check(config: Path, *files: Path) -> str:
    """Errors reported by `deno check`."""
    deno = Path(sys.executable).parent / "deno"
    done = subprocess.run(
        [deno, "check", "--quiet", "--config", config, *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"NO_COLOR": "1"},
    )
    return done.stderr if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main() or None)
