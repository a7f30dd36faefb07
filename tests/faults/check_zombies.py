"""Processes that are frozen for a minute: `test_zombie.py` with FROZEN_S=60."""

import pytest

from tests.processes.conftest import houses  # noqa: F401
from tests.processes.test_zombie import (  # noqa: F401
    test_a_zombie_flags_nobody_and_gives_no_time_back,
    test_a_zombie_in_the_middle_of_a_press_writes_no_old_state,
)

pytestmark = pytest.mark.timeout(600)
