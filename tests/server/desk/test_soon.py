"""The desk polls for SQLite's write lock."""

import gc
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from clocks.desk import soon
from clocks.models import Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows"),
]


@pytest.fixture
def other() -> Iterator[sqlite3.Connection]:
    """Another process's connection, holding the write lock."""
    made = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    made.execute("BEGIN IMMEDIATE")
    yield made
    made.close()


@pytest.fixture(autouse=True)
def own_connection() -> Iterator[None]:
    """Reconnect before and after, so that the desk's timeout stays in this test."""
    connection.close()
    yield
    connection.close()


def test_a_transaction_begins_once_the_lock_is_free(other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def atomic(**options: Any) -> Any:
        tries.append(options)
        if len(tries) == 3:
            other.execute("ROLLBACK")
        return transaction.Atomic(None, True, **options)

    monkeypatch.setattr(soon.transaction, "atomic", atomic)
    with soon.begin():
        Tournament.objects.create(slug="open", name="Open")
    assert tries == [{"durable": True}] * 3
    assert other.execute("SELECT slug FROM clocks_tournament WHERE slug = 'open'").fetchall() == [("open",)]


def test_after_some_time_a_held_lock_is_a_fault(other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soon, "PATIENCE_S", 0.0)
    with pytest.raises(OperationalError, match="database is locked"):
        soon.begin()
    assert not connection.in_atomic_block


def test_a_failure_inside_rolls_back() -> None:
    with pytest.raises(ZeroDivisionError), soon.begin():
        Tournament.objects.create(slug="lost", name="Lost")
        _ = 1 / 0
    assert not Tournament.objects.filter(slug="lost").exists()


def test_waiting_for_the_lock_leaves_no_garbage(other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soon, "PATIENCE_S", 0.05)
    gc.collect()
    before = faults()
    gc.disable()
    try:
        with pytest.raises(OperationalError) as locked:
            soon.begin()
        assert [each for each in faults() if each not in before and each is not locked.value] == []
    finally:
        gc.enable()


def faults() -> list[OperationalError]:
    """All live OperationalErrors."""
    return [each for each in gc.get_objects() if isinstance(each, OperationalError)]
