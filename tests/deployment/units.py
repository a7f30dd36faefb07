"""Run the systemd units of `deploy/` and the accompanying script without systemd.

Imitates commands, environment, users, state directories and the read-only disk, but not kernel sandboxing.
"""

import re
import shlex
import subprocess
from pathlib import Path

from tests.deployment.machines import Machine
from tests.server.daphne import ROOT

UNITS = ROOT / "deploy/systemd"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin"
STATE = Path("/var/lib")
# Stand-in for systemd-run that fails on unknown options.
SYSTEMD_RUN = r"""#!/bin/sh
set -eu
directory=
while :; do
    case "$1" in
    --quiet | --pipe | --wait | --collect | --gid=* | --property=StateDirectoryMode=0700) ;;
    --uid=*) user=${1#--uid=} ;;
    --working-directory=*) directory=${1#--working-directory=} ;;
    --property=EnvironmentFile=-*) set -a; [ ! -e "${1#*=-}" ] || . "${1#*=-}"; set +a ;;
    --property=StateDirectory=*) state=/var/lib/${1##*=} ;;
    --setenv=*) export "${1#--setenv=}" ;;
    -*) echo "unknown: $1" >&2; exit 64 ;;
    *) break ;;
    esac
    shift
done
[ -z "${state:-}" ] || { mkdir -p -m 700 "$state"; chown "$user" "$state"; }
cd "$directory"
exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
"""


class Units:
    """Systemd units on a machine set up as in docs/operations.md."""

    def __init__(self, machine: Machine, settings: str) -> None:
        self.machine = machine
        machine.bind(ROOT, "/opt/backgammon-clock")
        machine.shell("useradd --system clock")
        machine.shell(f"cat > /etc/backgammon-clock.env <<'END'\n{settings}\nEND")
        machine.shell("cp /opt/backgammon-clock/deploy/systemd/backgammon-clock /usr/local/bin/")
        machine.shell(
            f"cat > /usr/local/bin/systemd-run <<'END'\n{SYSTEMD_RUN}END\nchmod 755 /usr/local/bin/systemd-run"
        )

    def command(self, *words: str) -> str:
        """Run the script `backgammon-clock` as root; return its output."""
        return self.machine.run(["backgammon-clock", *words], {"PATH": PATH, "LANG": "C.UTF-8"})

    def start(self, unit: str, instance: str = "", is_prepared: bool = False) -> "subprocess.Popen[bytes]":
        """Run a unit's preparations, unless it has started before, then start its service."""
        given = self._read(unit, instance)
        environment = {"PATH": PATH, "LANG": "C.UTF-8"}
        for line in given["Environment"]:
            environment |= dict(word.split("=", 1) for word in shlex.split(line))
        for line in given["EnvironmentFile"]:
            text = self.machine.shell(f"cat {line.removeprefix('-')}")
            environment |= dict(word.split("=", 1) for word in shlex.split(text))
        states = [str(STATE / name) for line in given["StateDirectory"] for name in line.split()]
        user = given["User"][0]
        self.machine.shell(
            f"mkdir -p {' '.join(states)}; chmod 700 {' '.join(states)}; chown {user} {' '.join(states)}"
        )
        for line in [] if is_prepared else given.get("ExecStartPre", []):
            self.machine.run(self._as_the_service(given, states, line), environment)
        return self.machine.start(self._as_the_service(given, states, given["ExecStart"][0]), environment)

    def _as_the_service(self, given: dict[str, list[str]], states: list[str], line: str) -> list[str]:
        """Command line to run a unit on a disk that is read-only except for its state."""
        assert given["ProtectSystem"] == ["strict"]
        own = "".join(f"mount --bind {state} {state}; " for state in states)
        user = given["User"][0]
        as_user = f"exec setpriv --reuid={user} --regid={user} --clear-groups --pdeathsig KILL {line}"
        script = f"{own}mount -o remount,bind,ro /; cd {given['WorkingDirectory'][0]}; {as_user}"
        return ["unshare", "--mount", "sh", "-ec", script]

    def _read(self, unit: str, instance: str) -> dict[str, list[str]]:
        """Values in a unit's [Service] section, by name."""
        text = (UNITS / unit).read_text().partition("[Service]")[2].partition("\n[")[0].replace("%i", instance)
        found: dict[str, list[str]] = {}
        for name, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
            found.setdefault(name, []).append(value)
        return found
