"""Run the server tests that depend on the database on PostgreSQL.

`make test-postgresql` runs the whole suite on it, which takes minutes. Most tests only request pages, whose queries
come from the ORM. The files listed here write SQL, lock, race, depend on commit order, or migrate.
"""

import os
import subprocess
import sys

import pytest

from tests.server.daphne import ROOT, migrated
from tests.services import PostgreSQL

FILES = (
    "desk/test_desk.py",
    "desk/test_quarantine.py",
    "whole/test_odd_strings.py",
    "journal/test_journal.py",
    "lag/test_late_press.py",
    "desk/test_races.py",
    "desk/test_reopening.py",
    "tournament/test_forgetting.py",
    "seats/test_seats.py",
    "webhooks/test_webhooks.py",
    "tournament/test_archive.py",
    "host/test_shared_ratelimit.py",
)


@pytest.mark.timeout(900)  # a whole test run in one test
def test_where_the_database_matters_the_server_suite_passes_on_postgresql(postgresql: PostgreSQL) -> None:
    template = migrated(postgresql)
    own = {"DATABASE_URL": postgresql.url_of(template), "TESTS_TEMPLATE": template, "CHANNEL_REDIS_URL": ""}
    outside = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    paths = [f"tests/server/{name}" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths]
    done = subprocess.run(command, cwd=ROOT, env=outside | own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr
