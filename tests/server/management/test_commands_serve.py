"""The `serve` process: output, responses, shutdown, refusals to start."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests import forked, prepared
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[3]


def manage(data_dir: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a management command on a separate installation."""
    return forked.run(arguments, environment(data_dir) | settings, timeout=60)


def environment(data_dir: Path) -> dict[str, str]:
    """Environment in which only the data folder is configured."""
    return {"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation as prepared by `make run`."""
    return installation(tmp_path_factory.mktemp("installation"))


def installation(path: Path) -> Path:
    prepared.database(path)
    prepared.static_files(path)
    return path


class Served:
    """A running server and its greeting, printed to a pipe or a terminal."""

    def __init__(self, data_dir: Path, *options: str, terminal: bool = False) -> None:
        self.port, self.data_dir = free_port(), data_dir
        screen, out = pty.openpty() if terminal else (None, subprocess.PIPE)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port), *options],
            cwd=ROOT,
            env=environment(data_dir),
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
        if terminal:
            os.close(out)
        self._screen = self.process.stdout if screen is None else os.fdopen(screen, encoding="utf-8")
        assert self._screen
        self.printed = ""
        for line in self._screen:
            self.printed += line
            if "Stop with Ctrl-C" in line:
                return
        raise AssertionError(self.process.communicate(timeout=30)[1])

    def get(self, path: str) -> tuple[int, str]:
        """Request a page; return status and text, after redirects."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def end(self, with_signal: signal.Signals) -> tuple[int, str, str]:
        """Send a signal; return the exit status and the remaining output."""
        self.process.send_signal(with_signal)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server shared by tests that only send requests."""
    yield from until_ended(Served(installation(tmp_path_factory.mktemp("shared"))))


@pytest.fixture
def served(data_dir: Path) -> Iterator[Served]:
    yield from until_ended(Served(data_dir))


@pytest.fixture
def at_a_terminal(data_dir: Path) -> Iterator[Served]:
    yield from until_ended(Served(data_dir, terminal=True))


def until_ended(server: Served) -> Iterator[Served]:
    yield server
    if server.process.poll() is None:
        server.end(signal.SIGTERM)


def test_it_prints_the_directors_link_the_address_its_qr_and_how_to_stop(at_a_terminal: Served) -> None:
    served = at_a_terminal
    link = re.search(rf"http://[^/\s]+:{served.port}/director/sign-in/[\w-]{{43}}/", served.printed)
    address = re.search(rf"^    http://[^/\s]+:{served.port}/$", served.printed, re.MULTILINE)
    assert link and address and "█▀" in served.printed
    path = link.group().split(str(served.port))[1]
    status, text = served.get(path)
    assert (status, "Sign in here" in text) == (200, True)


def test_pages_use_hashed_static_files_with_hashed_imports(shared: Served) -> None:
    status, text = shared.get("/")
    style = re.search(r'href="(/static/clocks/pages/style\.[0-9a-f]{6}\.css)"', text)
    assert status == 200 and style
    assert shared.get(style.group(1))[0] == 200
    manifest = shared.get("/static/staticfiles.json")[1]
    module = re.search(r'"clocks/phone/match-clock\.js": "([^"]+)"', manifest)
    assert module
    imported = re.findall(r"""from\s*["'](\.{1,2}/[\w./-]+)["']""", shared.get(f"/static/{module.group(1)}")[1])
    assert imported and all(re.search(r"\.[0-9a-f]{6}\.js$", name) for name in imported)


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_hashed_static_files_are_compressed_and_served_with_few_headers(shared: Served, encoding: str) -> None:
    names = json.loads(shared.get("/static/staticfiles.json")[1])["paths"]
    for name, kind in (("clocks/console/grid.css", "text/css"), ("clocks/phone/match-clock.js", "text/javascript")):
        address = f"http://127.0.0.1:{shared.port}/static/{names[name]}"
        with urllib.request.urlopen(urllib.request.Request(address, headers={"Accept-Encoding": encoding})) as answer:
            said = {key.title(): value for key, value in answer.headers.items()}
        assert int(said.pop("Content-Length")) < (ROOT / "static" / name).stat().st_size / 3
        assert {key: value for key, value in said.items() if key not in ("Connection", "Date", "Server")} == {
            "Cache-Control": "max-age=31536000, immutable",
            "Content-Encoding": encoding,
            "Content-Type": kind,
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
        }


def test_only_this_machines_host_names_are_answered(shared: Served) -> None:
    def status_for(host: str) -> int:
        request = urllib.request.Request(f"http://127.0.0.1:{shared.port}/", headers={"Host": host})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    names = ["localhost", "127.0.0.1", socket.gethostname(), "evil.example"]
    assert [status_for(name) for name in names] == [200, 200, 200, 400]


STOPPED = (0, "\nStopped. Everything has been kept; start again with the same command.\n", "")


def test_other_commands_learn_the_address_until_ctrl_c_ends_it_cleanly(served: Served, data_dir: Path) -> None:
    served.get("/")
    while_running = manage(data_dir, "directorlink").stdout
    assert f":{served.port}/director/sign-in/" in while_running
    assert served.end(signal.SIGINT) == STOPPED
    assert manage(data_dir, "directorlink").stdout.startswith("http://localhost:8000/director/sign-in/")


@pytest.mark.parametrize("size", [5 * 1024, 15 * 1024])
def test_a_frame_that_is_too_long_closes_no_other_socket(shared: Served, size: int) -> None:
    made = manage(shared.data_dir, "newmatch", "--rules", "us-2013", "--length", "5", "--names", "Ann", "Bob", "--json")
    address = f"ws://127.0.0.1:{shared.port}/ws/table/{json.loads(made.stdout)['code']}/"
    with connect(address, legacy=True) as watcher:
        assert [json.loads(watcher.recv(timeout=20))["t"] for _ in range(2)] == ["match", "program"]
        watcher.send("x" * size)
        words = "A message may have at most 4096 bytes."
        answer = {"t": "refused", "id": None, "code": "bad-message", "v": 1, "words": words}
        assert json.loads(watcher.recv(timeout=20)) == answer
        watcher.send('{"t":"ping","c":1}')
        assert json.loads(watcher.recv(timeout=20))["t"] == "pong"


def test_a_port_in_use_is_reported_in_a_sentence(shared: Served, data_dir: Path) -> None:
    refused = manage(data_dir, "serve", "--port", str(shared.port))
    words = (
        f"Port {shared.port} is in use. Is the clock already running? Choose another: make run PORT={shared.port + 1}"
    )
    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", f"CommandError: {words}\n")
    assert shared.get("/healthz")[0] == 200


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_an_impossible_port_is_reported_in_a_sentence(data_dir: Path, port: str) -> None:
    refused = manage(data_dir, "serve", f"--port={port}")
    words = f"CommandError: A port is a number from 1 to 65535, not {port}.\n"
    assert (refused.returncode, refused.stderr) == (1, words)


def test_an_unprepared_installation_is_reported_in_a_sentence(tmp_path: Path) -> None:
    refused = manage(tmp_path, "serve", "--port", str(free_port()))
    words = "CommandError: The database is not up to date. This brings it up to date, and starts: make run\n"
    assert (refused.returncode, refused.stderr) == (1, words)


def test_a_wrong_https_address_is_reported_in_a_sentence(data_dir: Path) -> None:
    refused = manage(data_dir, "serve", "--port", str(free_port()), BASE_URL="https://clock.example.org")
    assert refused.returncode == 1
    assert refused.stderr.startswith("CommandError: BASE_URL is on https, but nothing here speaks it.")
    assert "TRUSTED_PROXIES=127.0.0.1" in refused.stderr


def test_the_sign_in_link_is_printed_to_terminals_only(shared: Served) -> None:
    assert "/director/sign-in/" not in shared.printed
    assert "a link that is not written to a log: make directorlink\n" in shared.printed


def test_nothing_secret_is_logged_until_a_signal_ends_it_cleanly(served: Served, data_dir: Path) -> None:
    link = re.search(r"/director/sign-in/([\w-]{43})/", manage(data_dir, "directorlink").stdout)
    assert link
    served.get(link.group())
    served.get("/director/sign-in/unknown/")
    assert served.end(signal.SIGTERM) == STOPPED
