"""A backup made during play."""

import re
import subprocess
import sys
from typing import NamedTuple

from tests.server.daphne import ROOT, House

LAST = r"the last of \d{4}-\d\d-\d\d \d\d:\d\d"


class Copied(NamedTuple):
    """Path and entry count of a backup, and number of presses during it."""

    path: str
    entries: int
    pressed: int


def copied_while_they_press(house: House) -> Copied:
    """Start a server; during `backup`, two players press alternately, up to 100 times."""
    made = house.new_match()
    house.start()
    ann, bob = house.phone(made, "left"), house.phone(made, "right")
    for phone, do in ((ann, "confirm"), (bob, "confirm"), (ann, "hit")):
        assert phone.do(do, f"{do} {phone is ann}")["t"] == "ack"
    command = [sys.executable, "manage.py", "backup"]
    backup = subprocess.Popen(command, cwd=ROOT, env=house.environment, stdout=subprocess.PIPE, text=True)
    pressed = 0
    while backup.poll() is None and pressed < 100:  # stay below a phone's rate limit
        assert (bob, ann)[pressed % 2].do("hit", f"hit {pressed}")["t"] == "ack"
        pressed += 1
    said, _ = backup.communicate()
    assert backup.returncode == 0
    found = re.fullmatch(
        rf"(\S+\.zip) holds 0 tournaments, 1 matches, (\d+) journal entries, {LAST}, and agrees with every journal\.\n",
        said,
    )
    assert found, said
    return Copied(found[1], int(found[2]), pressed)
