"""Shared fixtures and test order."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import hypothesis
import pytest
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler
from django.test import TransactionTestCase

from tests import emptied, prepared, services
from tests.services import PostgreSQL, Redis

T = TypeVar("T")

# Slow browser tests (10 s or more), longest first, so that no worker runs one last while the others idle.
LONGEST_FIRST = (
    "geometry phone_elsewhere geometry_elsewhere later_scripts axe network a_directors_day alone whole_hall "
    "lost_server rule_books layout_shift screens_elsewhere whole_match axe_clock lossy_network ten_minutes_alone "
    "ending connection locales seat_actions practice display paper_for_the_hall record_on_paper note_keyboard "
    "console_layout hall platforms screen_geometry joining offline_shell turn_of_delay director_page "
    "server_killed late_press casual greyscale draw_of_64"
).split()


def pytest_configure(config: pytest.Config) -> None:
    """Restore SIGINT for servers that tests start; disable hypothesis deadlines.

    Background jobs ignore SIGINT. On a busy machine an example may exceed the default deadline of 200 ms.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hypothesis.settings.register_profile("without deadline", hypothesis.settings.default, deadline=None)
    hypothesis.settings.load_profile("without deadline")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests last: Django's ORM does not work after them.

    Playwright leaves an event loop running in this thread. Each browser test may be retried twice (the report counts
    retries): its clocks run in real time, and a busy machine can starve Chromium.
    """
    items.sort(key=_turn)
    for item in filter(_in_browser, items):
        item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_unconfigure(config: pytest.Config) -> None:
    """At the end of the run, remove the files shared by all workers."""
    prepared.forget()


def _turn(item: pytest.Item) -> tuple[bool, int]:
    """Sort key of a test: browser tests last, the listed slow ones first among them."""
    name = item.path.stem.removeprefix("test_")
    is_long = _in_browser(item) and name in LONGEST_FIRST
    return _in_browser(item), LONGEST_FIRST.index(name) if is_long else len(LONGEST_FIRST)


def _in_browser(item: pytest.Item) -> bool:
    return "tests/browser/" in item.path.as_posix()


@pytest.fixture(autouse=True)
def nothing_is_served(settings) -> None:
    """Unset the server address, to isolate tests from a server on this machine.

    Static files keep their plain names in pages: hashed names exist only after collectstatic.
    """
    settings.SERVED_ADDRESS_FILE = settings.DATA_DIR / "address-of-no-server"
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}


@pytest.fixture(autouse=True)
def passwords_cost_nothing(settings) -> None:
    """Use a fast password hasher: Django's is slow by design, and many tests sign in."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory) -> None:
    """Give each worker its own database; on SQLite, a file.

    The desk writes from another thread, and threads sharing an in-memory database block each other more than threads
    sharing a file. The file is a copy of a migrated database and need not survive a power cut, so SQLite does not wait
    for the disk.
    """
    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        folder = tmp_path_factory.mktemp("database")
        prepared.database(folder)
        test["NAME"] = str(folder / "clock.sqlite3")
        options = connection.settings_dict["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    else:
        test["NAME"] = f"test_clock_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
        test["TEMPLATE"] = os.environ.get("TESTS_TEMPLATE")


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the copied SQLite database: pytest removes its folder."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session", autouse=True)
def tests_empty_what_they_wrote() -> Iterator[None]:
    """After a test that commits, delete its rows instead of flushing the database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied.empty)
        yield


@pytest.fixture(scope="session", autouse=True)
def rows_are_locked_as_postgresql_can() -> Iterator[None]:
    """On SQLite, reject row locks that PostgreSQL rejects: on nullable outer joins."""
    as_sql = SQLCompiler.as_sql

    def checked(self: SQLCompiler, *args: Any, **options: Any) -> Any:
        sql, values = as_sql(self, *args, **options)
        whole = self.query.select_for_update and not self.query.select_for_update_of
        assert not (whole and "OUTER JOIN" in sql), f"name the rows to be locked (of=): {sql}"
        return sql, values

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLCompiler, "as_sql", checked)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Yield a PostgreSQL server for the tests, with fsync off."""
    yield from of_our_own(services.postgresql)


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """Yield a Redis server for the tests."""
    yield from of_our_own(services.redis)


@pytest.fixture(scope="session")
def valkey() -> Iterator[Redis]:
    """Yield a Valkey server for the tests."""
    yield from of_our_own(services.valkey)


def of_our_own(begin: Callable[[], AbstractContextManager[T]]) -> Iterator[T]:
    """Yield a server. If its program is missing, skip the test, or fail if CI=true."""
    try:
        with begin() as server:
            yield server
    except services.Missing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
