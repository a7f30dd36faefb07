"""The part of the server suite where the database matters, once more on PostgreSQL.

`make test-postgresql` runs all of it, which takes minutes: most of it asks for pages, whose queries are the ORM's. What
is here writes SQL of its own, locks, races, counts on the order of what was committed, or migrates.
"""

import os
import subprocess
import sys

import pytest

from tests.server.daphne import ROOT, migrated
from tests.services import PostgreSQL

FILES = (
    "desk",
    "quarantine",
    "odd_strings",
    "journal",
    "late_press",
    "races",
    "reopening",
    "forgetting",
    "seats",
    "webhooks",
    "archive",
    "shared_ratelimit",
)


@pytest.mark.timeout(900)  # a whole run in one test
def test_where_the_database_matters_the_server_suite_passes_on_postgresql(postgresql: PostgreSQL) -> None:
    template = migrated(postgresql)
    own = {"DATABASE_URL": postgresql.url_of(template), "TESTS_TEMPLATE": template, "CHANNEL_REDIS_URL": ""}
    outside = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    paths = [f"tests/server/test_{name}.py" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths]
    done = subprocess.run(command, cwd=ROOT, env=outside | own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr
