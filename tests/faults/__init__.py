"""Play under faults: killed processes, lost services, full disks, set clocks.

`make check-faults` runs the long form (`check_*.py`, KILLS=200 moments), the suite a short one of the kills.

players.py   boards that are played on, as the page does it, whatever becomes of the server
judging.py   what must hold afterwards
houses.py    servers, and what they depend on, to be broken
"""
