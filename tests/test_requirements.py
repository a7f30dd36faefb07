"""Requirements: pinned, explained and locked with hashes, transitively."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LISTS = ("requirements", "requirements-dev")


def listed(name: str) -> dict[str, tuple[str, str]]:
    """Version and reason of each package in a requirements file."""
    lines = [line for line in (ROOT / f"{name}.txt").read_text().splitlines() if not line.startswith(("#", "-r "))]
    found = {}
    for line in lines:
        pinned, _, why = line.partition("#")
        requirement = Requirement(pinned.strip())
        found[canonicalize_name(requirement.name)] = (str(requirement.specifier).removeprefix("=="), why.strip())
    return found


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of each package in a lock file."""
    entries = re.split(r"^(?=\w)", (ROOT / f"{name}.lock").read_text(), flags=re.MULTILINE)[1:]
    found = {}
    for entry in entries:
        named = Requirement(entry.split(" \\\n")[0].strip())
        hashes = re.findall(r"^    --hash=(sha256:[0-9a-f]{64})(?= \\$|$)", entry, re.MULTILINE)
        found[canonicalize_name(named.name)] = (str(named.specifier).removeprefix("=="), hashes)
    return found


@pytest.mark.parametrize("name", LISTS)
def test_every_package_of_ours_has_one_version_and_a_reason(name: str) -> None:
    found = listed(name)
    assert len(found) >= 12
    assert {package: entry for package, entry in found.items() if not (entry[0] and entry[1])} == {}


@pytest.mark.parametrize("name", LISTS)
def test_the_lock_file_has_the_same_versions_and_hashes_for_every_package(name: str) -> None:
    lock = locked(name)
    assert {package: lock[package][0] for package in listed(name)} == {
        package: version for package, (version, _) in listed(name).items()
    }
    assert [package for package, (_, hashes) in lock.items() if not hashes] == []


@pytest.mark.parametrize("name", LISTS)
def test_the_lock_file_contains_the_dependencies_of_its_packages(name: str) -> None:
    lock = locked(name)
    needed = {
        canonicalize_name(requirement.name)
        for package in listed(name)
        for requirement in map(Requirement, distribution(package).requires or [])
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    }
    assert needed and needed - set(lock) == set()


def test_the_tests_run_on_what_the_product_runs_on() -> None:
    product, tests = locked("requirements"), locked("requirements-dev")
    assert {package: tests.get(package) for package in product} == product


def test_nothing_is_installed_without_its_hash() -> None:
    written = {name: (ROOT / name).read_text() for name in ("start.py", "Makefile", "deploy/release.py")}
    installs = [
        line
        for text in written.values()
        for line in text.splitlines()
        if re.search(r"pip\b.*\b(install|download)", line)
    ]
    assert len(installs) == 3
    assert all("--require-hashes" in line or '"download", *options' in line for line in installs)
    assert '"--require-hashes"]' in written["deploy/release.py"]
