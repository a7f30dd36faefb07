"""The deployment as it is written, on machines of its own: Linux namespaces in place of containers and servers.

machines.py   machines with a network, a disk and names of their own
compose.py    containers of a compose file
units.py      systemd units and the script beside them
play.py       players and visitors behind a proxy
"""
