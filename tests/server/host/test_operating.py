"""Container entry point, compose files, systemd units and settings."""

import configparser
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from clocks.host.version import version
from deploy import release
from tests import prepared
from tests.ports import free_port
from tests.server.daphne import ROOT, wait_for_page

DEPLOY = ROOT / "deploy"
COMPOSE = ["compose.yaml", "compose-many.yaml"]
UNITS = sorted(path.name for path in (DEPLOY / "systemd").glob("*.service"))
OF_POSTGRESQL = ("backgammon-clock-archive.service", "backgammon-clock-base.service")  # run PostgreSQL's own programs
SETTINGS = set(
    re.findall(
        r'(?:env\.\w+|_flag|_whole|_address|_proxies)\(\s*"([A-Z_]+)"', (ROOT / "config/settings.py").read_text()
    )
)
OTHERS = {"PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "UPGRADE", "PORT", "CLOCK_SCRIPT"}  # for Python, the image or units


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Environment of the container image, with this installation's paths."""
    own = {"CLOCK": str(ROOT), "PYTHON": sys.executable, "DATA_DIR": str(tmp_path), "PORT": str(free_port())}
    return {**os.environ, "DATABASE_URL": "", "CHANNEL_REDIS_URL": "", **own}


def test_the_entry_point_upgrades_serves_reports_health_and_ends_cleanly(
    environment: dict[str, str], tmp_path: Path
) -> None:
    prepared.static_files(tmp_path)
    entry = str(DEPLOY / "container/entrypoint")
    address = f"http://127.0.0.1:{environment['PORT']}"
    assert subprocess.run([entry, "health"], env=environment, capture_output=True, check=False).returncode != 0
    with (tmp_path / "log").open("wb") as log:
        told = {**environment, "LOG_FORMAT": "json"}
        running = subprocess.Popen([entry], env=told, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_for_page(f"{address}/livez", running)
        with urllib.request.urlopen(f"{address}/readyz", timeout=20) as answer:
            assert json.load(answer)["ok"] is True
        assert subprocess.run([entry, "health"], env=environment, check=False).returncode == 0
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) in (0, -signal.SIGTERM)
    finally:
        running.kill()
    said = [json.loads(line)["message"] for line in (tmp_path / "log").read_text().splitlines()]
    assert [said[0].partition(" at ")[0], said[-1]] == ["listening, and reached", "stopped"]


def test_the_entry_point_runs_other_commands(environment: dict[str, str], tmp_path: Path) -> None:
    prepared.database(tmp_path)
    entry = str(DEPLOY / "container/entrypoint")
    subprocess.run([entry, "upgrade"], env=environment, check=True)
    done = subprocess.run([entry, "verify"], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "0 matches, 0 journal entries: all as their journals say\n"


def test_the_image_has_what_it_needs_and_runs_without_privileges() -> None:
    lines = (DEPLOY / "container/Dockerfile").read_text().replace("\\\n", " ").splitlines()
    copied = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert {"manage.py", "config", "clocks", "templates", "static", "requirements.lock"} <= set(copied)
    last_user = [line.split()[1] for line in lines if line.startswith("USER ")][-1]
    assert last_user == "clock"
    installs = [line for line in lines if "pip install" in line]
    assert ["--require-hashes" in line for line in installs if "$PACKAGES" not in line] == [True]
    assert [line for line in lines if line.startswith("FROM") and "platform" in line] == []  # amd64 and arm64


@pytest.mark.parametrize("file", COMPOSE)
def test_a_compose_file_names_only_existing_things(file: str) -> None:
    written = yaml.safe_load((DEPLOY / file).read_text())
    services: dict[str, Any] = written["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in written["volumes"] or (DEPLOY / source).exists(), volume
        if service["image"] == "backgammon-clock":
            assert set(service.get("environment", {})) <= SETTINGS | OTHERS, name
            commands = set(get_commands()) | {"serve", "health"}
            assert service.get("command", ["serve"])[0] in commands, name
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]


def test_processes_in_containers_share_the_backup_status() -> None:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose-many.yaml").read_text())["services"]
    ours = {name: service for name, service in services.items() if service["image"] == "backgammon-clock"}
    assert {name for name, service in ours.items() if "backups:/backups" in service["volumes"]} == set(ours)
    assert {service["environment"]["BACKUP_DIR"] for service in ours.values()} == {"/backups"}


@pytest.mark.parametrize("file", COMPOSE)
def test_containers_take_any_setting_and_rotate_their_logs(file: str) -> None:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / file).read_text())["services"]
    ours = [service for service in services.values() if service["image"] == "backgammon-clock"]
    assert [service["env_file"] for service in ours] == [[{"path": "clock.env", "required": False}]] * len(ours)
    assert {service["logging"]["options"]["max-size"] for service in services.values()} == {"20m"}


def test_the_image_is_built_from_what_it_copies_and_nothing_else() -> None:
    lines = (DEPLOY / "container/Dockerfile").read_text().splitlines()
    copied = {
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    }
    ignored = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert (ignored[0], {line[1:] for line in ignored if line.startswith("!")}) == ("*", copied)


@pytest.mark.parametrize("command", [["manage.py", "--version"], ["start.py", "--version"]])
def test_commands_metrics_and_the_release_tell_the_same_version(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{version()}\n"
    assert release.name() == f"backgammon-clock-{version()}.zip"


@pytest.mark.parametrize("file", COMPOSE)
def test_no_secret_has_a_value_in_a_compose_file(file: str) -> None:
    text = (DEPLOY / file).read_text()
    for name in ("POSTGRES_PASSWORD", "SECRET_KEY"):
        assert [line for line in text.splitlines() if re.search(rf"{name}: (?!.*\$\{{)", line)] == []


@pytest.mark.parametrize("file", [each for each in UNITS if each not in OF_POSTGRESQL])
def test_a_unit_uses_existing_commands_and_settings(file: str) -> None:
    unit = configparser.RawConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((DEPLOY / "systemd" / file).read_text())
    text = (DEPLOY / "systemd" / file).read_text()
    started = [shlex.split(line.partition("=")[2]) for line in text.splitlines() if line.startswith("ExecStart")]
    assert started
    for python, program, command, *arguments in started:
        assert (python, program) == ("/opt/backgammon-clock/.venv/bin/python", "manage.py")
        known = load_command_class(get_commands()[command], command)
        known.create_parser("manage.py", command).parse_args([word.replace("%i", "8001") for word in arguments])
    given = dict(word.split("=", 1) for word in shlex.split(unit["Service"]["Environment"]))
    assert set(given) <= SETTINGS | OTHERS | {"BACKUP_THEN"}
    assert given["BACKUP_DIR"] == "/var/lib/backgammon-clock/backups"  # so that every process reports their age
    if "backup" not in file:
        assert unit["Service"]["TimeoutStartSec"] == "infinity"  # upgrading a long journal takes minutes
    assert unit["Service"]["User"] == "clock"


def test_a_command_on_the_data_of_the_service_runs_as_the_service_does(tmp_path: Path) -> None:
    (tmp_path / "systemd-run").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "systemd-run").chmod(0o755)
    command = [str(DEPLOY / "systemd/backgammon-clock"), "restore", "my copy.zip", "--yes"]
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    unit = (DEPLOY / "systemd/backgammon-clock.service").read_text()
    given = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)[0].split()
    set_ = [word.removeprefix("--setenv=") for word in said if word.startswith("--setenv=")]
    assert set(given) - set(set_) == {"TRUSTED_PROXIES=127.0.0.1"}
    assert said[-5:] == ["/opt/backgammon-clock/.venv/bin/python", "manage.py", "restore", "my copy.zip", "--yes"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not there")
@pytest.mark.parametrize("file", UNITS)
def test_systemd_accepts_each_unit(file: str, tmp_path: Path) -> None:
    there = (DEPLOY / "systemd" / file).read_text()
    for program in ("/opt/backgammon-clock/.venv/bin/python", "/usr/local/bin/backgammon-clock-archive"):
        there = there.replace(program, "/usr/bin/env")
    copy = tmp_path / file.replace("@", "@8001")
    copy.write_text(there)
    found = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, check=False)
    assert [line for line in found.stderr.splitlines() if copy.name in line] == []


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not there; continuous integration installs it")
def test_caddy_accepts_the_configuration(tmp_path: Path) -> None:
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "caddy/Caddyfile")]
    home = {
        "CLOCK_SERVERS": "one:8000 two:8000",
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    done = subprocess.run(command, env=os.environ | home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_settings_of_an_operated_clock_pass_djangos_own_check(tmp_path: Path) -> None:
    operated = {"BASE_URL": "https://clock.example.org", "TRUSTED_PROXIES": "127.0.0.1", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **operated}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
