"""Machines with their own network, disk and host name, made of Linux namespaces.

Each machine sees the host's programs through an overlay that is discarded with it. This needs root, as in a container
with `--privileged`; elsewhere the tests are skipped, or fail under CI=true.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.daphne import ROOT

NETWORK = "172.18.0"  # like Docker's first network
CLONE_NEWNET = 0x40000000
DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL")
_libc = ctypes.CDLL(None, use_errno=True)


def required() -> None:
    """Skip the test if machines cannot be created here, or fail it if CI=true."""
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--propagation", "private", "ip", "link", "add", "br0", "type", "bridge"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        assert os.environ.get("CI") != "true", f"namespaces need root and iproute2: {tried.stderr}"
        pytest.skip(f"left out: namespaces need root and iproute2: {tried.stderr}")


class Machine:
    """A machine; `run` and `start` run programs on it."""

    def __init__(self, name: str, number: int, network: "Network", names: Path) -> None:
        folder = network.folder
        self.name, self.address, self.network = name, f"{NETWORK}.{number}", network
        self.log = folder / f"{name}.log"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._holder = _hold("--mount", "--propagation", "private")
        self._disk = folder / name
        self._disk.mkdir()
        upper, work = self._disk / "written", self._disk / "work"
        for command in (
            f"mount -t tmpfs -o mode=755 none {self._disk}",
            f"mkdir {upper} {work} {self.root}",
            f"mount -t overlay overlay -o lowerdir=/,upperdir={upper},workdir={work} {self.root}",
            f"mount -t proc proc {self.root}/proc",
            f"mount --rbind /dev {self.root}/dev",
            f"mount -t tmpfs -o mode=1777 none {self.root}/tmp",
            f"chmod 755 {self.root}/root",  # the host's Python may be there
        ):
            self._outside(command)
        self.bind(names, "/etc/hosts")

    @property
    def root(self) -> Path:
        """Path of the machine's root directory in its mount namespace."""
        return self._disk / "root"

    @property
    def pid(self) -> int:
        """Id of the process that holds the machine's namespaces."""
        return self._holder.pid

    def bind(self, source: Path, target: str) -> None:
        """Bind-mount a host file or folder on this machine."""
        inside = f"{self.root}{target}"
        made = f"mkdir -p {inside}" if source.is_dir() else f"mkdir -p {Path(inside).parent} && touch {inside}"
        self._outside(f"{made} && mount --bind {source} {inside}")

    def shell(self, command: str) -> str:
        """Run a shell command, which must succeed; return its output."""
        return self.run(["sh", "-ec", command], {"PATH": os.environ["PATH"] + ":/usr/sbin"})

    def read_only(self) -> None:
        """Make the disk read-only, except for mounts."""
        self._outside(f"mount -o remount,ro {self.root}")

    def run(self, command: Sequence[str], environment: Mapping[str, str], user: int = 0, status: int = 0) -> str:
        """Run a program, which must exit with this status; return its output."""
        line = self._line(command, user)
        done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, f"{self.name}: {command}\n{done.stdout}{done.stderr}"
        return done.stdout + (done.stderr if status else "")

    def start(self, command: Sequence[str], environment: Mapping[str, str], user: int = 0) -> "subprocess.Popen[bytes]":
        """Start a program that writes to the machine's log."""
        with self.log.open("ab") as log:
            process = subprocess.Popen(self._line(command, user), env=environment, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def end(self, process: "subprocess.Popen[bytes]", number: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal to a program and wait until it exits."""
        process.send_signal(number)
        process.wait(30)

    def close(self) -> None:
        """Kill all programs and remove the machine."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._holder.kill()
        self._holder.wait()

    def _line(self, command: Sequence[str], user: int) -> list[str]:
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        root = f"/proc/{self.pid}/root{self.root}"
        into = ["nsenter", f"--target={self.pid}", "--mount", "--net", f"--root={root}", f"--wd={root}"]
        # Set the parent-death signal last: changing the user clears it.
        return [*into, *as_user, *DIES_WITH_US, *command]

    def _outside(self, command: str) -> None:
        """Run a shell command in the machine's namespaces, with the host's root directory."""
        subprocess.run(["nsenter", f"--target={self.pid}", "--mount", "sh", "-ec", command], check=True)


class Network:
    """Network of machines that can resolve each other's names."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.machines = folder, dict[str, Machine]()
        self._names = folder / "hosts"
        self._names.write_text("127.0.0.1 localhost\n")
        self._switch = _hold()
        self._ip(self._switch.pid, "link add br0 type bridge", "link set br0 up", "link set lo up")
        self._ip(self._switch.pid, f"addr add {NETWORK}.1/16 dev br0")

    def machine(self, name: str) -> Machine:
        """Add a machine to the network."""
        number = len(self.machines) + 2
        made = self.machines[name] = Machine(name, number, self, self._names)
        with self._names.open("a") as names:
            names.write(f"{made.address} {name}\n")
        self._ip(self._switch.pid, f"link add v{number} type veth peer name eth0 netns {made.pid}")
        self._ip(self._switch.pid, f"link set v{number} master br0 up")
        self._ip(made.pid, "link set lo up", f"addr add {made.address}/16 dev eth0", "link set eth0 up")
        return made

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Within the block, open this thread's connections inside the network."""
        own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        theirs = os.open(f"/proc/{self._switch.pid}/ns/net", os.O_RDONLY)
        try:
            _enter(theirs)
            yield
        finally:
            _enter(own)
            os.close(own)
            os.close(theirs)

    def close(self) -> None:
        """Remove the network and all its machines."""
        for machine in self.machines.values():
            machine.close()
        self._switch.kill()
        self._switch.wait()

    def _ip(self, pid: int, *commands: str) -> None:
        for command in commands:
            subprocess.run(["nsenter", f"--target={pid}", "--net", "ip", *command.split()], check=True)


@contextmanager
def network() -> Iterator[Network]:
    """Yield an empty network; finally remove it with its machines."""
    required()
    folder = Path(tempfile.mkdtemp(prefix="clock-deployed-"))
    folder.chmod(0o755)
    made = Network(folder)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


def program(name: str) -> str:
    """Path of a program. If it is missing, skip the test, or fail if CI=true."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        assert os.environ.get("CI") != "true", f"{name} is missing: .ci/packages installs it"
        pytest.skip(f"left out: {name} is not installed")
    return found


def version_with_a_migration(folder: Path) -> Path:
    """Copy the program to a folder and add a migration; return the folder."""
    for name in ("clocks", "config", "static", "templates", "deploy"):
        shutil.copytree(ROOT / name, folder / name)  # with bytecode: a machine's disk is read-only
    shutil.copy(ROOT / "manage.py", folder)
    folder.chmod(0o755)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    newest = sorted(path.stem for path in (folder / "clocks/migrations").glob("[0-9]*.py"))[-1]
    (folder / "clocks/migrations/9999_later.py").write_text(
        "from django.db import migrations\n\n\n"
        "class Migration(migrations.Migration):\n"
        f'    dependencies = [("clocks", "{newest}")]\n'
        '    operations = [migrations.RunSQL("ALTER TABLE clocks_match ADD COLUMN later integer", "")]\n'
    )
    return folder


def _hold(*namespaces: str) -> "subprocess.Popen[bytes]":
    """Start a process that holds a new network namespace, and those in `namespaces`."""
    command = [*DIES_WITH_US, "unshare", "--net", *namespaces, "sh", "-c", "echo; exec sleep infinity"]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline() == b"\n"
    return holder


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
