"""What the tests of the server share: nothing is left over from the test before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.api import following
from clocks.desk import changes
from clocks.host.server_time import now_ms
from clocks.live import broadcast, catchup, command_limit
from clocks.live.flag_watch import watch
from clocks.live.hub import Hub, hub
from clocks.models import Membership, Tournament
from clocks.seats import claim_limit
from clocks.tournament import casual_limit, code_limit
from tests.server.daphne import House
from tests.server.set_clocks import clocks
from tests.server.staff import PASSWORD

__all__ = ["clocks"]


@pytest.fixture(autouse=True)
def an_empty_house() -> Iterator[None]:
    """Begin with a desk that has nothing at hand and tells the sockets, of which there are none."""
    desk.forget()
    casual_limit.forget()
    following.forget()
    claim_limit.forget()
    code_limit.forget()
    command_limit.forget()  # its phones are known by numbers, which begin anew in each test
    catchup.forget()  # so do the entries that it has seen
    changes.listen(broadcast.publish)
    watch._disciplined_at = now_ms()  # a server on PostgreSQL asks it for the time when it starts
    yield
    vars(hub).update(vars(Hub()))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Return a data folder with an empty database, on which a real server may run until the test ends."""
    house = House(tmp_path / "house")
    yield house
    house.close()


@pytest.fixture
def dora() -> User:
    """Return a person."""
    return User.objects.create_user("dora")


@pytest.fixture
def owner() -> User:
    """Return a person who signs in by name and password."""
    return User.objects.create_user("olga", password=PASSWORD)


@pytest.fixture
def tournament(dora: User) -> Tournament:
    """Return a tournament that Dora directs."""
    made = Tournament.objects.create(slug="open", name="Summer Open")
    Membership.objects.create(tournament=made, user=dora, role="director")
    return made
