"""The deployment as written, on machines made of Linux namespaces.

machines.py   machines with a network, a disk and names of their own
compose.py    containers of a compose file
watching.py   Prometheus of a compose file, and faults that it reports
units.py      systemd units and the script beside them
nginx.py      Debian's nginx
play.py       players and visitors behind a proxy
"""
