"""Run management commands in one process, so that Django starts only once.

Reads JSON lines `{"arguments": [...], "stdin": text or null}` and answers each with a line `{"code", "said",
"complained"}`: exit status, stdout and stderr.
"""

import io
import json
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

from django.core.management import ManagementUtility
from django.db import close_old_connections


def run(arguments: list[str], stdin: str | None) -> dict[str, object]:
    """Run a command like `manage.py`."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.stdin = io.StringIO(stdin or "")
    with redirect_stdout(out), redirect_stderr(err):
        try:
            ManagementUtility(["manage.py", *arguments]).execute()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:
            traceback.print_exc()
            code = 1
        finally:
            close_old_connections()
    return {"code": code, "said": out.getvalue(), "complained": err.getvalue()}


if __name__ == "__main__":
    answers = sys.stdout
    for line in sys.stdin.buffer:
        print(json.dumps(run(**json.loads(line))), file=answers, flush=True)
