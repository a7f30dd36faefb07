"""Debian's nginx with the configuration from `deploy/nginx`, on a machine."""

import re
import shutil
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from clocks.host import certificate
from tests.deployment.machines import Machine
from tests.deployment.play import Site
from tests.server.daphne import ROOT, START_S

NAME = "clock.example.org"
CONF = ROOT / "deploy/nginx/backgammon-clock.conf"
LIVE = f"/etc/letsencrypt/live/{NAME}"
SERVER = "    server 127.0.0.1:8000 "


def install_certificate(machine: Machine, folder: Path) -> ssl.SSLContext:
    """Install a new certificate and key for the site's name, like certbot."""
    shutil.rmtree(folder, ignore_errors=True)
    files = certificate.keep(folder, [NAME], [], datetime.now(UTC))
    machine.shell(f"mkdir -p {LIVE}")
    for name, file in (("fullchain.pem", files.certificate), ("privkey.pem", files.key)):
        machine.shell(f"cat > {LIVE}/{name} <<'END'\n{file.read_text()}END")
    return ssl.create_default_context(cafile=files.authority)


def start(machine: Machine, folder: Path, ports: Sequence[int] = (8000,)) -> Site:
    """Start nginx in front of the processes on these ports; return the site."""
    trust = install_certificate(machine, folder)
    machine.shell(f"rm -f /etc/nginx/sites-enabled/*; cp {CONF} /etc/nginx/sites-enabled/")
    (line,) = re.findall(rf"^{SERVER}.*$", CONF.read_text(), re.MULTILINE)
    lines = "\\n".join(line.replace(":8000", f":{port}") for port in ports)
    machine.shell(f"sed -i 's|^{SERVER}.*|{lines}|' /etc/nginx/sites-enabled/{CONF.name}")
    for line in re.findall(r"^#   (.+)$", CONF.read_text(), re.MULTILINE):
        machine.shell(f"cd {CONF.parent}; {line}")
    machine.start(["nginx", "-g", "daemon off;"], {"PATH": "/usr/sbin:/usr/bin:/bin"})
    made = Site(machine.network, NAME, machine.address, trust)
    until = time.monotonic() + START_S
    while True:
        with suppress(OSError):
            if made.ask("GET", "/livez")[0] == 200:
                return made
        assert time.monotonic() < until, machine.log.read_text()
        time.sleep(0.1)  # polled, because there is no event
