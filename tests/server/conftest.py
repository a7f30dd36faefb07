"""What the tests of the server share: nothing is left over from the test before."""

from collections.abc import Iterator

import pytest

from clocks import desk
from clocks.hub import hub


@pytest.fixture(autouse=True)
def an_empty_house() -> Iterator[None]:
    """Begin with a desk that has nothing at hand, and without sockets."""
    desk.forget()
    yield
    hub.places.clear()
    hub.galleries.clear()
    hub.loop = None
