"""Containers of a compose file, on machines instead of in Docker.

Applies the file's commands, environment, volumes, users, start order and health checks. The images' entry points are
imitated: the clock's from `deploy/container/Dockerfile`, PostgreSQL's initialisation, and Redis, Caddy and Prometheus
from Debian's packages.
"""

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.deployment.machines import Machine, Network, program
from tests.server.daphne import ROOT
from tests.services import program as postgresqls

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "container/Dockerfile").read_text().replace("\\\n", " ")
CLOCK_USER = int(re.findall(r"useradd --uid (\d+)", DOCKERFILE)[0])
IMAGE_ENV = dict(
    word.split("=", 1) for line in re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE) for word in shlex.split(line)
)
HEALTH = yaml.safe_load(re.findall(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.MULTILINE)[0])
OURS = "backgammon-clock"
PROGRAMS = ("caddy", "prometheus", "redis-server", "redis-cli")
START_S = 240.0  # seconds; a container first collects its static files, while other tests run
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin"
_NAMED = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def written(file: str, given: Mapping[str, str]) -> Any:
    """Load a compose file and substitute these variables."""

    def one(found: re.Match[str]) -> str:
        name, kind, default = found.groups()
        assert given.get(name) or kind == "-", f"{name} is required: {default}"
        return given.get(name) or str(default)

    def filled(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: filled(value) for key, value in part.items()}
        if isinstance(part, list):
            return [filled(value) for value in part]
        return _NAMED.sub(one, part) if isinstance(part, str) else part

    return filled(yaml.safe_load((DEPLOY / file).read_text()))


class Containers:
    """Containers of a compose file; `image` is the folder with the image's program."""

    def __init__(self, network: Network, file: str, given: Mapping[str, str], env_file: Mapping[str, str]) -> None:
        self._network, self._env_file = network, dict(env_file)
        self._given, self._file = given, written(file, given)
        self.services: dict[str, Any] = self._file["services"]
        self.image = ROOT
        self._running: dict[str, tuple[Machine, subprocess.Popen[bytes]]] = {}
        self.volumes = network.folder / "volumes"

    def up(self, *names: str, deps: bool = True) -> None:
        """Like `docker compose up --wait`: start services and wait until they are healthy.

        Restarts named services that are running. Without names, starts those without a profile, except those with
        `restart: no`, which are for `run`.
        """
        for name in names or [name for name, service in self.services.items() if "profiles" not in service]:
            if name in self._running and names:
                self.stop(name)
            elif name in self._running or self.services[name].get("restart") == "no":
                continue
            if deps:
                self._wait_for_what_it_needs(name)
            machine = self._machine(name)
            self._running[name] = machine, machine.start(self._command(name), self._environment(name), self._user(name))
            self.wait_until_healthy(name)

    def run(self, name: str, *command: str, status: int = 0, deps: bool = True) -> str:
        """`docker compose run --rm`: run the service's or this command; return its output."""
        if deps:
            self._wait_for_what_it_needs(name)
        machine = self._machine(name)
        return machine.run(self._command(name, command), self._environment(name), self._user(name), status)

    def exec(self, name: str, *command: str) -> str:
        """`docker compose exec`: run a command in a running container; return its output."""
        machine, _ = self._running[name]
        return machine.run(self._found(command), self._environment(name), self._user(name))

    def stop(self, name: str, number: signal.Signals | None = None) -> None:
        """Stop a container with its configured signal, or with this one."""
        machine, process = self._running.pop(name)
        usual = signal.Signals[self.services[name].get("stop_signal", "SIGTERM")]
        machine.end(process, number or usual)

    def is_healthy(self, name: str) -> bool:
        """Result of a container's health check; without one, True while it runs."""
        machine, process = self._running[name]
        service = self.services[name]
        check = service.get("healthcheck", {})
        if service["image"] == OURS and not check.get("disable"):
            test = list(HEALTH)
        elif "test" in check:
            test = check["test"][1:]
        else:
            return process.poll() is None
        line = machine._line(self._found(test), self._user(name))
        return subprocess.run(line, env=self._environment(name), capture_output=True, check=False).returncode == 0

    def wait_until_healthy(self, name: str) -> None:
        """Wait until a container's health check succeeds."""
        machine, process = self._running[name]
        until = time.monotonic() + START_S
        while not self.is_healthy(name):
            assert process.poll() is None and time.monotonic() < until, f"{name}:\n{machine.log.read_text()}"
            time.sleep(0.5)  # polled, as Docker polls a health check; each check starts Python

    def log(self, name: str) -> str:
        """Output of a service's containers so far."""
        return self._network.machines[name].log.read_text()

    def _wait_for_what_it_needs(self, name: str) -> None:
        for other, wanted in self.services[name].get("depends_on", {}).items():
            if wanted["condition"] == "service_completed_successfully":
                self.run(other)
            elif other not in self._running:
                self.up(other)

    def _machine(self, name: str) -> Machine:
        """Machine for a service, with its volumes and the current image."""
        service = self.services[name]
        if name not in self._network.machines:
            machine = self._network.machine(name)
            if service["image"] == OURS:
                machine.shell(f"mkdir -p /data /backups && chown {CLOCK_USER} /data /backups")
                machine.shell("ln -s /clock/deploy/container/entrypoint /usr/local/bin/backgammon-clock")
                machine.bind(self.image, "/clock")
            for volume in service.get("volumes", ()):
                source, target = volume.split(":")[:2]
                folder = DEPLOY / source if source.startswith(".") else self.volumes / source
                if not source.startswith("."):
                    folder.mkdir(parents=True, exist_ok=True)
                    os.chown(folder, self._user(name), self._user(name))
                machine.bind(folder, target)
            for secret in service.get("secrets", ()):
                value = shlex.quote(self._given[self._file["secrets"][secret]["environment"]])
                machine.shell(f"mkdir -p /run/secrets && printf %s {value} > /run/secrets/{secret}")
            if service["image"].startswith("postgres:"):
                initialise(machine, service["environment"])
            if service.get("read_only"):
                machine.read_only()
        elif service["image"] == OURS:
            self._network.machines[name].bind(self.image, "/clock")
        return self._network.machines[name]

    def _user(self, name: str) -> int:
        image = self.services[name]["image"]
        return CLOCK_USER if image == OURS else postgres_user() if image.startswith("postgres:") else 0

    def _command(self, name: str, other: tuple[str, ...] = ()) -> list[str]:
        service = self.services[name]
        command = [*service.get("entrypoint", ()), *(other or service.get("command", ["serve"]))]
        return self._found(["backgammon-clock", *command] if service["image"] == OURS else command)

    def _found(self, command: Any) -> list[str]:
        """Replace programs whose path in Debian differs from that in the image."""
        first, *rest = command
        if first in ("postgres", "pg_isready"):
            return [postgresqls(first), *rest]
        return [program(first) if first in PROGRAMS else first, *rest]

    def _environment(self, name: str) -> dict[str, str]:
        service = self.services[name]
        own = {"PATH": f"{PATH}:{Path(postgresqls('postgres')).parent}", "LANG": "C.UTF-8"}
        if service["image"] == OURS:
            own |= IMAGE_ENV | self._env_file
        if service["image"].startswith("postgres:"):
            own |= {"PGDATA": "/var/lib/postgresql/data"}
        if service["image"].startswith("caddy:"):
            own |= {"XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config", "HOME": "/root"}
        return own | service.get("environment", {})


def postgres_user() -> int:
    """Id of the user that runs PostgreSQL."""
    import pwd

    return pwd.getpwnam("postgres").pw_uid


def initialise(machine: Machine, given: Mapping[str, str]) -> None:
    """Initialise PostgreSQL on a machine, as its image does for an empty volume."""
    data, name, secret = "/var/lib/postgresql/data", given["POSTGRES_USER"], given["POSTGRES_PASSWORD"]
    bin_ = Path(postgresqls("postgres")).parent
    machine.shell(f"mkdir -p /run/postgresql && chown postgres /run/postgresql && echo '{secret}' > /tmp/secret")
    machine.shell("chmod 644 /tmp/secret")
    initdb = [str(bin_ / "initdb"), "-D", data, "-U", name, "--pwfile=/tmp/secret", "--auth-local=trust", "--no-sync"]
    machine.run([*initdb, "--auth-host=scram-sha-256", "--encoding=UTF8"], {"PATH": PATH}, postgres_user())
    machine.shell(f"echo 'host all all all scram-sha-256' >> {data}/pg_hba.conf")
    single = f"echo 'CREATE DATABASE {given['POSTGRES_DB']}' | {bin_}/postgres --single -D {data} postgres"
    machine.run(["sh", "-ec", single], {"PATH": PATH}, postgres_user())
