"""The certificate of `serve --tls`: names, lifetime, constraints."""

import ipaddress
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError
from django.contrib.auth.models import User
from django.test import Client

from clocks.host import certificate
from clocks.host.fingerprint import fingerprint, in_words

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NAMES = ["laptop", "laptop.local"]
HALL = ["192.168.1.5"]


def kept(folder: Path, names: list[str] = NAMES, addresses: list[str] = HALL, after: timedelta = timedelta()) -> bytes:
    """Certificate in use this long after `NOW`; created or renewed if needed."""
    return certificate.keep(folder, names, addresses, NOW + after).certificate.read_bytes()


def named(pem: bytes) -> list[str]:
    """Subject alternative names of a certificate."""
    found = x509.load_pem_x509_certificate(pem).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(one.value) for one in found]


def authority(folder: Path) -> bytes:
    return (folder / "authority.crt").read_bytes()


def contents(folder: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_it_names_localhost_the_machine_and_its_addresses(tmp_path: Path) -> None:
    assert named(kept(tmp_path)) == ["localhost", "laptop", "laptop.local", "192.168.1.5", "127.0.0.1", "::1"]


def test_global_ipv6_addresses_are_omitted_because_they_change_daily(tmp_path: Path) -> None:
    addresses = ["192.168.1.5", "2003:e1:7f1a::17", "fd00::17"]
    assert named(kept(tmp_path, addresses=addresses))[3:] == ["192.168.1.5", "fd00::17", "127.0.0.1", "::1"]


def test_a_valid_certificate_is_kept(tmp_path: Path) -> None:
    kept(tmp_path)
    first = contents(tmp_path)
    kept(tmp_path, after=timedelta(days=1))
    assert contents(tmp_path) == first
    assert sorted(first) == ["authority.crt", "authority.key", "clock.crt", "clock.key"]


def test_only_this_user_may_read_the_keys(tmp_path: Path) -> None:
    kept(tmp_path)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"authority.crt": 0o644, "authority.key": 0o600, "clock.crt": 0o644, "clock.key": 0o600}


def test_a_new_address_gets_a_new_certificate_of_the_same_authority(tmp_path: Path) -> None:
    first, by = kept(tmp_path), authority(tmp_path)
    moved = kept(tmp_path, addresses=["10.0.0.7"])
    assert moved != first
    assert "10.0.0.7" in named(moved)
    assert authority(tmp_path) == by


def test_a_removed_address_needs_no_new_certificate(tmp_path: Path) -> None:
    first = kept(tmp_path, addresses=["192.168.1.5", "10.0.0.7"])
    assert kept(tmp_path) == first


def test_an_expiring_certificate_is_renewed_by_the_same_authority(tmp_path: Path) -> None:
    first, by = kept(tmp_path), authority(tmp_path)
    assert kept(tmp_path, after=timedelta(days=365)) == first
    assert kept(tmp_path, after=timedelta(days=367)) != first
    assert authority(tmp_path) == by


def test_the_authority_is_renewed_before_its_certificate_would_outlive_it(tmp_path: Path) -> None:
    kept(tmp_path)
    by = authority(tmp_path)
    kept(tmp_path, after=timedelta(days=3251))
    assert authority(tmp_path) == by
    kept(tmp_path, after=timedelta(days=3253))
    assert authority(tmp_path) != by


def test_a_name_outside_the_authoritys_constraints_is_omitted(tmp_path: Path) -> None:
    kept(tmp_path)
    by = authority(tmp_path)
    renamed = kept(tmp_path, names=["laptop.fritz.box", "laptop", "laptop.local"], addresses=["10.0.0.7"])
    assert named(renamed)[:3] == ["localhost", "laptop", "laptop.local"]
    assert authority(tmp_path) == by


def test_a_public_address_needs_an_authority_that_permits_it(tmp_path: Path) -> None:
    kept(tmp_path)
    by = authority(tmp_path)
    assert "131.220.1.5" in named(kept(tmp_path, addresses=["131.220.1.5"]))
    assert authority(tmp_path) != by


@pytest.mark.parametrize("damaged", ["authority.crt", "authority.key", "clock.crt", "clock.key"])
def test_a_damaged_file_is_replaced(tmp_path: Path, damaged: str) -> None:
    kept(tmp_path)
    (tmp_path / damaged).write_text("-----BEGIN NOTHING-----")
    assert verified(kept(tmp_path), authority(tmp_path), "192.168.1.5")


def verified(pem: bytes, by: bytes, host: str) -> bool:
    """True if clients that trust `by` accept the certificate for this host."""
    leaf, root = x509.load_pem_x509_certificate(pem), x509.load_pem_x509_certificate(by)
    try:
        subject: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        subject = x509.DNSName(host)
    try:
        PolicyBuilder().store(Store([root])).time(NOW).build_server_verifier(subject).verify(leaf, [])
    except VerificationError:
        return False
    return True


def test_the_authority_is_trusted_for_its_own_addresses_only(tmp_path: Path) -> None:
    pem, by = kept(tmp_path), authority(tmp_path)
    hosts = ["192.168.1.5", "localhost", "laptop.local", "192.168.1.6", "bank.example"]
    assert [verified(pem, by, host) for host in hosts] == [True, True, True, False, False]


def test_the_authority_cannot_sign_for_hosts_on_the_internet(tmp_path: Path) -> None:
    files = certificate.keep(tmp_path, NAMES, HALL, NOW)
    root = x509.load_pem_x509_certificate(files.authority.read_bytes())
    permitted = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert permitted.critical and permitted.value.permitted_subtrees is not None
    names = [one.value for one in permitted.value.permitted_subtrees if isinstance(one, x509.DNSName)]
    networks = [ipaddress.ip_network(str(one.value)) for one in permitted.value.permitted_subtrees[: -len(names)]]
    assert names == ["localhost", "local", "laptop", "laptop.local"]
    assert [network for network in networks if network.is_global] == []


def test_phones_install_the_authority_under_a_name_that_identifies_it(tmp_path: Path) -> None:
    files = certificate.keep(tmp_path, NAMES, HALL, NOW)
    installed = x509.load_der_x509_certificate(certificate.to_install(files.authority))
    assert installed == x509.load_pem_x509_certificate(files.authority.read_bytes())
    assert certificate.name_of(files.authority) == "Backgammon clock on laptop, 2026-05-01 12:00"


def test_a_fingerprint_has_six_words() -> None:
    # BIP 39 test vectors: 128 zero bits, 128 one bits, and bytes of 7f.
    assert in_words(bytes(32)) == "abandon abandon abandon abandon abandon abandon"
    assert in_words(b"\xff" * 32) == "zoo zoo zoo zoo zoo zoo"
    assert in_words(b"\x7f" * 32) == "legal winner thank year wave sausage"


@pytest.mark.django_db(transaction=True)
def test_the_directors_page_shows_what_the_terminal_does(tmp_path: Path, settings: Any) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("dora"))
    assert "SHA-256" not in client.get("/director/").content.decode()
    files = certificate.keep(tmp_path, [], [], datetime.now(UTC))
    settings.CERTIFICATE_FILE, settings.AUTHORITY_FILE = files.certificate, files.authority
    page = client.get("/director/").content.decode()
    for file in (files.certificate, files.authority):
        shown = fingerprint(file)
        assert all(text in page for text in (*shown.lines, shown.words))
    assert 'href="/certificate/"' in page
    assert "SHA-256" not in Client().get("/director/").content.decode()  # the visitor is not signed in


def test_the_certificate_page_explains_the_warning(tmp_path: Path, settings: Any) -> None:
    settings.AUTHORITY_FILE = certificate.keep(tmp_path, [], [], datetime.now(UTC)).authority
    page = Client().get("/certificate/").content.decode()
    headings = re.findall(r"<h2>([^<]+)</h2>", page)
    assert headings[:2] == ["Players", "The director’s own devices"]
    assert "Nothing has to be installed." in page and "compare the SHA-256" in page
