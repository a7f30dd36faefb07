"""`start.py`: installing a release without a network, also on Windows."""

import ast
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests import prepared
from tests.ports import free_port
from tests.server.daphne import ROOT
from tests.syntax import parse

NOWHERE = "http://127.0.0.1:9"  # nothing listens on this port
POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "spwd", "syslog", "termios", "tty"}
POSIX_NAMES = {
    "os": {"fork", "getuid", "geteuid", "setsid", "killpg", "mkfifo", "link", "symlink", "readlink", "umask", "uname"}
    | {"sched_setaffinity", "sched_getaffinity", "nice", "getloadavg", "wait", "fchmod", "chown"},
    "signal": {"SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT", "SIGALRM", "alarm", "setitimer"},
    "time": {"clock_gettime", "clock_gettime_ns", "tzset"},
    "asyncio": {"add_signal_handler"},
}
LACKING = {f"{module}.{name}" for module, names in POSIX_NAMES.items() for name in names}
GUARDS = ("win32", "hasattr", "WINDOWS")  # words that occur in a platform check; one exempts the whole function


def product() -> list[Path]:
    """Modules that run on a director's laptop."""
    return [ROOT / "manage.py", ROOT / "start.py", *(ROOT / "config").rglob("*.py"), *(ROOT / "clocks").rglob("*.py")]


def lacking(path: Path) -> list[str]:
    """POSIX-only names in a module, except in functions with a platform check."""
    tree = parse(path)
    found = [(node.lineno, name) for node in ast.walk(tree) if hasattr(node, "lineno") for name in lacking_in(node)]
    if not found:
        return []
    lines = path.read_text().splitlines()
    functions = [(node.lineno, node.end_lineno) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    asking = [
        (first, last)
        for first, last in functions
        if any(guard in line for line in lines[first - 1 : last] for guard in GUARDS)
    ]
    return [name for at, name in found if not any(first <= at <= (last or first) for first, last in asking)]


def lacking_in(node: ast.AST) -> set[str]:
    """POSIX-only names that a node of a syntax tree imports or reads."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return {f"import {name}" for name in names if name.split(".")[0] in POSIX_MODULES}
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return {f"{node.value.id}.{node.attr}"} & LACKING
    return set()


def test_the_product_uses_nothing_missing_on_windows() -> None:
    found = {str(path.relative_to(ROOT)): lacking(path) for path in product()}
    assert {name: lacks for name, lacks in found.items() if lacks} == {}


def test_the_search_for_features_missing_on_windows_works(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    unguarded = "import fcntl\ndef f():\n    os.fork()\n    signal.SIGKILL\n"
    wrong.write_text(unguarded + "def g():\n    return hasattr(os, 'fork') and os.fork()\n")
    assert sorted(lacking(wrong)) == ["import fcntl", "os.fork", "signal.SIGKILL"]


def test_no_file_of_the_product_has_a_name_that_windows_refuses() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    reserved = re.compile(r'[<>:"|?*\\]|(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)|[ .](/|$)', re.IGNORECASE)
    assert [name for name in listed.splitlines() if reserved.search(name)] == []


def loaded(path: Path) -> ModuleType:
    """Load a script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`start.py` with all its paths in a temporary folder."""
    module = loaded(ROOT / "start.py")
    for name in ("HERE", "VENV", "PYTHON", "INSTALLED", "WHEELS"):
        monkeypatch.setattr(module, name, tmp_path / getattr(module, name).relative_to(ROOT))
    return module


def test_an_environment_of_another_computer_is_replaced(starter: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    venv.create(starter.VENV, symlinks=True)
    made: list[str] = []
    call = subprocess.call
    monkeypatch.setattr(starter, "make_environment", lambda: made.append("anew"))
    monkeypatch.setattr(starter.subprocess, "call", lambda line, **how: call(line, **how) if "-c" in line else 0)
    starter.set_up()  # a working interpreter, but nothing installed yet
    assert made == []
    assert starter.INSTALLED.read_text() == hashlib.sha256(starter.LOCK.read_bytes()).hexdigest()
    starter.set_up()
    assert made == ["anew"]


def test_a_disk_without_room_is_named_as_the_reason(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(starter.subprocess, "call", lambda line, **_: int("venv" in line))
    monkeypatch.setattr(starter.shutil, "disk_usage", lambda _: SimpleNamespace(free=12_345_678))
    with pytest.raises(SystemExit):
        starter.make_environment()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "This disk has 12 MB left, and the first start needs 400. Make room on it."


def test_an_unwritable_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    for name in ("start.py", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv").write_text("in the way")
    done = subprocess.run([sys.executable, "start.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        f"[Errno 17] File exists: '{tmp_path}/.venv'. "
        "Move this folder to where you may write, or make room on the disk.",
    )


@pytest.mark.parametrize("system", ["linux", "linux-arm", "windows", "macos"])
@pytest.mark.parametrize("python", ["3.11", "3.14"])
def test_there_are_wheels_of_all_requirements(system: str, python: str, tmp_path: Path) -> None:
    named = {
        "linux": "x86_64-manylinux_2_28",
        "linux-arm": "aarch64-manylinux_2_28",
        "windows": "windows",
        "macos": "aarch64-apple-darwin",
    }
    command = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--no-config", "--dry-run", "--no-deps"]
    command += ["--only-binary", ":all:", "--target", str(tmp_path), "--python-version", python]
    command += ["--python-platform", named[system], "--requirement", str(ROOT / "requirements.lock")]
    environment = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "15.0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("python", "kept"), [("3.11", ["always==1", "old==1", "new==1"]), ("3.12", ["always==1", "new==1"])]
)
def test_a_release_works_with_any_patch_of_a_python(python: str, kept: list[str]) -> None:
    lock = (
        "always==1 \\\n    --hash=sha256:0\n"
        "old==1 ; python_full_version < '3.11.3' \\\n    --hash=sha256:1\n"
        "new==1 ; python_full_version >= '3.11.3' \\\n    --hash=sha256:2\n"
    )
    wanted = loaded(ROOT / "deploy/release.py").wanted(lock, "linux", python)
    assert [line.split()[0] for line in wanted.splitlines() if "==" in line] == kept


def test_a_release_is_for_these_systems() -> None:
    command = [sys.executable, "deploy/release.py", "--help"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "{linux,linux-arm,windows,macos}" in said


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An unpacked release for this system."""
    folder = tmp_path_factory.mktemp("release")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    system = "linux-arm" if os.uname().machine == "aarch64" else "linux"
    command = [sys.executable, "deploy/release.py", "--to", str(folder), "--systems", system, "--pythons", version]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(made.stdout.strip()) as archive:
        archive.extractall(folder)
    unpacked = folder / "backgammon-clock"
    prepared.database(unpacked / "var")  # as after a first start; what does not fit the release is made again
    prepared.static_files(unpacked / "var")
    return unpacked


def without_network(**more: str) -> dict[str, str]:
    """Environment in which HTTP proxies and package index refuse connections."""
    refused = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    pip = {"PIP_INDEX_URL": f"{NOWHERE}/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
    fast = {"PIP_NO_COMPILE": "1"}  # a few modules of all that is installed are imported
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **refused, **pip, **fast, **more}


@pytest.mark.timeout(300)
def test_a_release_starts_offline_and_finds_its_data_in_another_folder(release: Path, tmp_path: Path) -> None:
    first = "Start a clock" in started(release)
    made = subprocess.run(
        [sys.executable, "start.py", "manage", "newmatch", "--rules", "us-2013", "--length", "3"],
        cwd=release,
        env=without_network(),
        capture_output=True,
        text=True,
        check=True,
    )
    code = re.findall(r"code (\w+)", made.stdout)[0]
    moved = tmp_path / "on a stick"
    release.rename(moved)
    assert (first, code in started(moved, f"/t/{code}/")) == (True, True)


def started(folder: Path, path: str = "/") -> str:
    """Start the clock from a folder, load a page, stop the clock; return the page."""
    port = free_port()
    command = [sys.executable, "start.py", "--port", str(port), "--bind", "127.0.0.1"]
    running = subprocess.Popen(
        command,
        cwd=folder,
        env=without_network(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert running.stdout is not None
    said = ""
    for line in running.stdout:
        said += line
        if "Stop with Ctrl-C" in line:
            break
    else:
        pytest.fail(said)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            page = answer.read().decode()
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
    return page
