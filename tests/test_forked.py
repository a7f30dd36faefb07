"""Management commands in forks."""

import os
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests import forked, prepared

ASKED = "import os, sys; print(os.environ['ASKED']); sys.exit({})"
WAITS = "import signal; signal.pause()"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    prepared.database(tmp_path)
    return {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": "", "CHANNEL_REDIS_URL": ""}


def shell(code: str) -> tuple[str, ...]:
    return ("shell", "--no-imports", "-c", code)


def test_a_fork_has_its_own_environment_output_and_exit_status(environment: dict[str, str]) -> None:
    one, two, three = (
        forked.run(shell(ASKED.format(end)), environment | {"ASKED": name})
        for name, end in (("Ann", "0"), ("Bob", "3"), ("Chi", "'It is full.'"))
    )
    assert [(one.stdout, one.stderr, one.returncode), (two.stdout, two.stderr, two.returncode)] == [
        ("Ann\n", "", 0),
        ("Bob\n", "", 3),
    ]
    assert (three.stdout, three.stderr, three.returncode) == ("Chi\n", "It is full.\n", 1)


def test_a_fork_runs_until_it_is_killed(environment: dict[str, str]) -> None:
    with TemporaryFile() as log:
        waits = forked.Forked(shell(WAITS), environment, log, log)
        assert waits.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            waits.wait(0.01)
        waits.kill()
        assert (waits.wait(20), waits.poll()) == (-signal.SIGKILL, -signal.SIGKILL)
