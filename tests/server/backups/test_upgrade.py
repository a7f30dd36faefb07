"""Upgrades first make a backup, and lose nothing."""

import gzip
import re
import signal
import sqlite3
import time
from contextlib import closing

from tests.server.daphne import ROOT, House

HERITAGE = ROOT / "tests/heritage/clock.sqlite3.gz"


def lengthen(house: House, match: int, by: int) -> None:
    """Change a match's version, which no longer is its journal's."""
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database, database:
        database.execute("UPDATE clocks_match SET version = version + ? WHERE id = ?", (by, match))


def test_an_upgrade_takes_a_backup_before_it_changes_the_database(house: House) -> None:
    (house.folder / "clock.sqlite3").write_bytes(gzip.decompress(HERITAGE.read_bytes()))
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database, database:
        database.execute("UPDATE clocks_journalentry SET claimed_at = at - 5000 WHERE event = 'hit'")
    said = house.manage("upgrade").splitlines()
    found = re.fullmatch(r"A backup of everything as it was is in (\S+)\.", said[0])
    assert found
    assert said[1:] == ["The database is up to date."]
    assert house.manage("verify") == "6 matches, 185 journal entries: all as their journals say\n"
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM clocks_match WHERE late IS NOT NULL").fetchall() != [(0,)]
    assert house.manage("upgrade") == ""
    house.manage("restore", found[1], "--yes", "--over-play")
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database:
        steps = database.execute("SELECT max(name) FROM django_migrations WHERE app = 'clocks'").fetchall()
    assert steps == [("0006_seat_asks",)]


def test_a_newer_versions_database_is_left_alone(house: House) -> None:
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database, database:
        columns = "INSERT INTO django_migrations (app, name, applied)"
        database.execute(f"{columns} VALUES ('clocks', '9999_later', '2030-01-01')")
    for command in (["upgrade"], ["serve", "--port", str(house.port)]):
        assert house.refused(*command) == (
            "A newer version of the clock has used this database (it has clocks.9999_later). "
            "Start that version, or restore a backup that this one took. Nothing has been changed."
        )


def test_a_service_is_told_of_its_own_script(house: House) -> None:
    house.manage("migrate", "clocks", "0034", "-v", "0", "--skip-checks")
    house.environment["CLOCK_SCRIPT"] = "backgammon-clock"
    assert house.refused("serve", "--port", str(house.port)) == (
        "The database is not up to date. This brings it up to date: backgammon-clock upgrade"
    )


def test_a_start_on_a_damaged_database_says_how_to_restore_a_backup(house: House) -> None:
    backup = house.manage("backup").split(" holds ")[0]
    (house.folder / "clock.sqlite3").write_bytes(b"no database at all, only words " * 100)
    assert house.refused("upgrade") == (
        "The database is damaged (file is not a database), and nothing has been changed. This sets it aside and puts "
        f"the newest backup in its place: .venv/bin/python manage.py restore {backup} --yes"
    )


def test_an_upgrade_in_play_charges_nobody_and_accepts_a_wrong_journal(house: House) -> None:
    made, wrong = house.new_match("--option", "delay_ms=0"), house.new_match()["match"]
    house.start()
    ann, bob = house.phone(made, "left"), house.phone(made, "right")
    for phone, do in ((ann, "confirm"), (bob, "confirm"), (ann, "hit")):
        assert phone.do(do, f"{do} {phone is ann}")["t"] == "ack"
    running = bob.see(turn="right")
    house.signal(signal.SIGKILL)
    ended_at = time.time() * 1000
    house.manage("migrate", "clocks", "0021", "-v", "0", "--skip-checks")  # schema of an earlier version
    lengthen(house, wrong, 1)
    assert house.manage("upgrade").splitlines()[-1] == "The database is up to date."
    lengthen(house, wrong, -1)
    house.start()
    stopped = house.phone(made, "right").see(status="stopped")
    assert (stopped["stop"]["reason"], stopped["turn"]) == ("outage", "right")
    assert stopped["stop"]["at"] <= ended_at
    charged = [before - after for before, after in zip(running["reserve_ms"], stopped["reserve_ms"], strict=True)]
    assert charged[0] == 0
    assert charged[1] <= ended_at - running["now"]  # charged only for the time before the kill
    assert house.manage("verify").endswith("all as their journals say\n")
