#!/usr/bin/env python3
"""Start the clock: set up what is missing, update the database, serve.

    python start.py [--port 8000] [--bind 0.0.0.0] [--tls]
    python start.py --set-up-only
    python start.py manage backup --every 5m --keep 24

Uses only the standard library, and needs no network if the folder `wheels` is present. Everything is stored in this
folder, `.venv` for the environment and `var` for the data, so that you can move it.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
WINDOWS = sys.platform == "win32"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
INSTALLED = VENV / ".installed"
LOCK = HERE / "requirements.lock"
WHEELS = HERE / "wheels"
NEWEST_FIRST = ("python3.14", "python3.13", "python3.12", "python3.11")
NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"
OF_THIS_COMPUTER = "import orjson; " + NEW_ENOUGH  # orjson is compiled for one version of Python, system and processor
ROOM_MB = 400


def main():
    """Run the command line; return the exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["manage"]:
        set_up()
        return run("manage.py", *arguments[1:])
    parser = argparse.ArgumentParser(prog="start.py", description=__doc__.splitlines()[0])
    parser.add_argument("--port", default="8000", help="default: 8000")
    parser.add_argument("--bind", default="0.0.0.0", help="the interface to listen on (default: all)")
    parser.add_argument("--tls", action="store_true", help="serve https with a certificate made here")
    parser.add_argument("--version", action="store_true", help="print the version and no more")
    parser.add_argument("--set-up-only", action="store_true", help="install what the clock needs, and no more")
    chosen = parser.parse_args(arguments)
    if chosen.version:
        print(version())
        return 0
    set_up()
    if chosen.set_up_only:
        return 0
    for command in (["upgrade"], ["collectstatic", "--noinput", "--verbosity", "0"]):
        status = run("manage.py", *command)
        if status:
            return status
    serve = ["serve", "--port", chosen.port, "--bind", chosen.bind] + (["--tls"] if chosen.tls else [])
    return run("manage.py", *serve, last=True)


def version():
    """Version of the program, by its own module."""
    return run_path(str(HERE / "clocks" / "host" / "version.py"))["version"]()


def set_up():
    """Create the environment and install the lock file, with hash checks."""
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    installed = INSTALLED.read_text() if INSTALLED.exists() else ""
    # Recreate an environment from another computer or with a missing Python.
    works = PYTHON.exists() and quietly([str(PYTHON), "-c", OF_THIS_COMPUTER if installed else NEW_ENOUGH]) == 0
    if works and installed == wanted:
        return
    if not works:
        make_environment()
    say("Installing what the clock needs ...")
    install = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    if WHEELS.is_dir():
        install += ["--no-index", "--find-links", str(WHEELS)]
    if subprocess.call([*install, "-r", str(LOCK)], stdout=sys.stderr) != 0:
        need_room()
        if WHEELS.is_dir():
            fail(
                "The folder wheels has nothing for this Python or computer. It needs Python 3.11, 3.12, 3.13 or 3.14; "
                "on a Mac also macOS 15 and Apple's own processor."
            )
        fail("The first start needs the internet, or a release with its folder wheels. Nothing else is missing.")
    INSTALLED.write_text(wanted)


def make_environment():
    """Create .venv with a suitable Python; replaces one that does not work."""
    python = find_python()
    say("Making .venv with {} ...".format(python))  # noqa: UP032 (an old Python must get as far as this sentence)
    VENV.mkdir(exist_ok=True)
    if subprocess.call([python, "-m", "venv", "--clear", str(VENV)]) != 0:
        shutil.rmtree(str(VENV), ignore_errors=True)
        need_room()
        fail("Python's venv module is missing. Debian, Ubuntu: apt install python3-venv")


def need_room():
    """Exit with a message if the disk is too full for the set-up."""
    left_mb = shutil.disk_usage(str(HERE)).free // 1_000_000
    if left_mb < ROOM_MB:
        fail("This disk has {} MB left, and the first start needs {}. Make room on it.".format(left_mb, ROOM_MB))  # noqa: UP032


def find_python():
    """Path of a suitable Python: $PYTHON, this one, or another one on the system."""
    named = os.environ.get("PYTHON")
    for candidate in filter(None, (named, sys.executable, *NEWEST_FIRST)):
        path = shutil.which(candidate)
        if path and quietly([path, "-c", NEW_ENOUGH]) == 0:
            return path
    return fail(
        "This needs Python 3.11 or newer; here is {}.{}. Install one: https://www.python.org/downloads/ "
        "(Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python).".format(*sys.version_info[:2])
    )


def run(*command, last=False):
    """Run the environment's Python in this folder; return its exit status.

    Forces UTF-8 for files and the terminal. With `last`, replaces this process where the system supports it, so that
    Ctrl-C and signals reach the command.
    """
    environment = dict(os.environ, PYTHONUTF8="1")
    line = [str(PYTHON), *command]
    os.chdir(str(HERE))
    if last and not WINDOWS:
        sys.stdout.flush()
        os.execve(line[0], line, environment)
    try:
        return subprocess.call(line, env=environment)
    except KeyboardInterrupt:  # the child gets the signal, too
        return 0


def quietly(line):
    """Exit status of a command, without its output; 1 if it cannot be run."""
    try:
        return subprocess.call(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return 1


def say(words):
    """Print a message on standard error."""
    print(words, file=sys.stderr, flush=True)


def fail(words):
    """Print an error and exit."""
    say(words)
    sys.exit(1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        fail("{}. Move this folder to where you may write, or make room on the disk.".format(error))  # noqa: UP032
