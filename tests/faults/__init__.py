"""Play under faults: killed processes, lost services, full disks, changed clocks.

`make check-faults` runs the long form (`check_*.py`); the test suite runs a short form of kills, failover and archive.

players.py   boards that keep playing, and reconnect like the page
judging.py   checks that must hold afterwards
histories.py checker: one order explains all that clients sent and saw; folded.py reads the journals for it
broken.py    servers with a broken guarantee, which the checker must detect
houses.py    servers and the services they depend on, and ways to break them
replicas.py  two PostgreSQL servers, one the other's standby, and servers on both
set_clock/, slow_disk.c   preloaded to change a process's clock, or to slow down its disk
"""
