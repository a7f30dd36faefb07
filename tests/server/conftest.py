"""Fixtures for server tests; process-wide state is reset before each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.api import following
from clocks.backups import at_once
from clocks.desk import changes
from clocks.host.server_time import now_ms
from clocks.live import broadcast, catchup, command_limit
from clocks.live.flag_watch import watch
from clocks.live.hub import Hub, hub
from clocks.management.commands import backup
from clocks.models import Membership, Tournament
from clocks.seats import claim_limit, presence
from clocks.tournament import casual_limit, code_limit, entering
from tests.server.daphne import House
from tests.server.set_clocks import clocks
from tests.server.staff import PASSWORD

__all__ = ["clocks"]


@pytest.fixture(autouse=True)
def no_page_takes_a_backup(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the backup page from starting a backup process."""
    monkeypatch.setattr(at_once, "begin", lambda: True)


@pytest.fixture(autouse=True)
def the_tests_keep_their_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep backups from lowering the thread priority of later tests."""
    monkeypatch.setattr(backup, "lower_thread_priority", lambda: None)


@pytest.fixture(autouse=True)
def an_empty_house() -> Iterator[None]:
    """Reset this process's caches, rate limiters, catch-up and hub."""
    desk.forget()
    casual_limit.forget()
    following.forget()
    claim_limit.forget()
    code_limit.forget()
    entering.forget()
    command_limit.forget()  # keyed by phone ids, which restart at 1 in each test
    catchup.forget()  # also keyed by ids
    changes.listen(broadcast.publish)
    watch._disciplined_at = now_ms()  # otherwise the watch would ask PostgreSQL for the time
    yield
    vars(hub).update(vars(Hub()))


@pytest.fixture
def nothing_heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that this process started at time 0 and has heard from no phone."""
    for name in ("_seen", "_signs", "_silences"):
        monkeypatch.setattr(presence, name, {})
    monkeypatch.setattr(presence, "_started_at", 0)
    presence.to_tell(back_only=False)
    yield
    presence.to_tell(back_only=False)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Data folder with an empty database for a real server, killed after the test."""
    house = House(tmp_path / "house")
    yield house
    house.close()


@pytest.fixture
def dora() -> User:
    """A user without a role."""
    return User.objects.create_user("dora")


@pytest.fixture
def owner() -> User:
    """A user with a password."""
    return User.objects.create_user("olga", password=PASSWORD)


@pytest.fixture
def tournament(dora: User) -> Tournament:
    """A tournament directed by Dora."""
    made = Tournament.objects.create(slug="open", name="Summer Open")
    Membership.objects.create(tournament=made, user=dora, role="director")
    return made
