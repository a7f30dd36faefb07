"""Check the types of all scripts: `python -m tests.strict_scripts LOOSE...`.

LOOSE are files and folders of `static/clocks` whose errors are still ignored. Refuses those without errors.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "static" / "clocks"
ERROR = re.compile(r"^TS\d+ \[ERROR\]:.*?^    at file://(\S+?):\d+:\d+$", re.MULTILINE | re.DOTALL)


def main(loose: list[str]) -> str:
    """Errors outside `loose`; empty if there are none."""
    deno = Path(sys.executable).parent / "deno"
    done = subprocess.run(
        [deno, "check", "--quiet", SCRIPTS], cwd=ROOT, capture_output=True, text=True, env={"NO_COLOR": "1"}
    )
    errors = [(Path(found[1]).relative_to(SCRIPTS), found[0]) for found in ERROR.finditer(done.stderr)]
    counted = re.search(r"^Found (\d+) errors", done.stderr, re.MULTILINE)
    if done.returncode and len(errors) != (int(counted[1]) if counted else 1):
        return done.stderr
    shown = [text for file, text in errors if not any(file.is_relative_to(name) for name in loose)]
    clean = [name for name in loose if not any(file.is_relative_to(name) for file, _ in errors)]
    return "\n\n".join([*shown, *(f"{name} has no errors: take it from LOOSE in the Makefile" for name in clean)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
