"""The deployment as shipped, on machines made of Linux namespaces.

machines.py   machines with their own network, disk and host name
compose.py    containers of a compose file
watching.py   Prometheus of a compose file, and faults that it reports
units.py      systemd units and the accompanying script
nginx.py      Debian's nginx
play.py       players and visitors behind a proxy
"""
