"""Build a release zip that installs without a network: `make release`.

    python deploy/release.py [--to dist] [--systems linux windows macos] [--pythons 3.11 3.12 3.13 3.14]

It has the files in git without the tests and, in `wheels`, everything in requirements.lock for each system and Python;
`start.py` installs from there. Every wheel's hash is checked when it is downloaded and when it is installed. The hash
of the zip is beside it, for `sha256sum --check`.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from runpy import run_path

from packaging.markers import Marker

HERE = Path(__file__).resolve().parent.parent
PLATFORMS = {
    "linux": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm": (
        "manylinux_2_28_aarch64",
        "manylinux_2_27_aarch64",
        "manylinux_2_17_aarch64",
        "manylinux2014_aarch64",
    ),
    "windows": ("win_amd64",),
    "macos": ("macosx_15_0_arm64",),  # some dependencies no longer have wheels for Intel Macs
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NAMES = {"linux": "linux", "windows": "win32", "macos": "darwin"}
LEFT_OUT = ("tests/", ".ci/", "docs/screenshots/")


def wanted(lock: str, system: str, python: str) -> str:
    """Part of a lock file for a system and Python, with hashes.

    A requirement is kept if its marker holds for the first or the last patch release.
    """
    environment = {
        "python_version": python,
        "sys_platform": NAMES[system.split("-")[0]],
        "os_name": "nt" if system == "windows" else "posix",
        "platform_system": {"linux": "Linux", "windows": "Windows", "macos": "Darwin"}[system.split("-")[0]],
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    kept = []
    for block in re.split(r"\n(?=\S)", lock):
        if block.startswith("#"):
            continue
        pin, _, rest = block.partition(" \\\n")
        name, _, marker = pin.partition(" ; ")
        patches = ({**environment, "python_full_version": f"{python}.{patch}"} for patch in (0, 99))
        if not marker or any(Marker(marker).evaluate(each) for each in patches):
            kept.append(f"{name} \\\n{rest}")
    return "\n".join(kept) + "\n"


def download(lock: str, system: str, python: str, wheels: Path) -> None:
    """Download the wheels for a system and Python."""
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "requirements.txt"
        part.write_text(wanted(lock, system, python))
        platforms = [f"--platform={name}" for name in PLATFORMS[system]]
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        target = [f"--python-version={python}", "--implementation=cp", *platforms, f"--dest={wheels}"]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, *target, "-r", str(part)], check=True)


def git(*arguments: str) -> str:
    """Output of a git command in this folder."""
    return subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=True).stdout


def name() -> str:
    """File name of the release, with the version that `--version` and /metrics report."""
    return f"backgammon-clock-{run_path(str(HERE / 'clocks/host/version.py'))['version']()}.zip"


def write(path: Path, wheels: Path) -> None:
    """Write the zip; scripts keep their executable bit."""
    listed = git("ls-files")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in listed.splitlines():
            if not name.startswith(LEFT_OUT):
                archive.write(HERE / name, f"backgammon-clock/{name}")
        for wheel in sorted(wheels.iterdir()):
            archive.write(wheel, f"backgammon-clock/wheels/{wheel.name}", zipfile.ZIP_STORED)


def main() -> None:
    """Download the wheels and write the zip."""
    parser = argparse.ArgumentParser(prog="deploy/release.py", description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=HERE / "dist", help="the folder for the zip (default: dist)")
    parser.add_argument("--systems", nargs="+", choices=PLATFORMS, default=[*PLATFORMS])
    parser.add_argument("--pythons", nargs="+", choices=PYTHONS, default=[*PYTHONS])
    chosen = parser.parse_args()
    chosen.to.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "requirements.lock").read_text()
    with tempfile.TemporaryDirectory() as wheels:
        for system in chosen.systems:
            for python in chosen.pythons:
                print(f"Fetching wheels: {system}, Python {python}", file=sys.stderr)
                download(lock, system, python, Path(wheels))
        path = chosen.to / name()
        write(path, Path(wheels))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
    print(path)


if __name__ == "__main__":
    main()
