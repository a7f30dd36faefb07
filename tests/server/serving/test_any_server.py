"""The application under Uvicorn, as plain ASGI."""

import signal
from pathlib import Path
from typing import Any

from tests.server.daphne import House
from tests.server.desk.test_process import start_play


def test_a_match_is_played_and_ended_under_uvicorn(tmp_path: Path) -> None:
    house = House(tmp_path)
    made = house.new_match()
    house.start("-m", "uvicorn", "config.asgi:application", "--port", str(house.port))
    try:
        ann, bob = start_play(house, made)
        probe: dict[str, Any] = bob.hear("probe")
        bob.say(probe)
        ann.see(turn="right")
        assert bob.do("hit", "hit", turn_number=1)["t"] == "ack"
        ann.see(turn="left")
        house.signal(signal.SIGTERM)
        assert bob.close_code() == 1012
    finally:
        house.close()
