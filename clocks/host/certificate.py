"""Certificate for `serve --tls`, and the local authority that signs it.

Both are stored, and renewed when necessary. A phone that has installed the authority also accepts the certificates that
it signs later. Name constraints limit the harm if the authority's key is stolen: it can sign only for `.local` names,
this machine's names and addresses, and local networks.
"""

import ipaddress
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LASTS = timedelta(days=3650)
LASTS = timedelta(days=397)  # Apple's devices accept at most 825 days, browsers 398
RENEWED_BEFORE = timedelta(days=30)
BACKDATED = timedelta(days=1)  # a phone's clock may be slow
LOCAL = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
LOCAL_NAMES = ("localhost", "local")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Files(NamedTuple):
    """PEM files of the certificate, its key and the authority's certificate."""

    certificate: Path
    key: Path
    authority: Path


class Signed(NamedTuple):
    """Certificate and its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def keep(folder: Path, names: Sequence[str], addresses: Sequence[str], now: datetime) -> Files:
    """Return certificate files for `localhost`, these names and these addresses.

    Reuses the files in `folder` if they are still valid for these, else writes new ones. Omits public IPv6 addresses,
    which change daily and are never in a QR code. Omits names that the authority's constraints do not permit: they
    would need a new authority, which every phone would have to install. A new public IPv4 address does need one.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    wanted = [address for address in map(ipaddress.ip_address, addresses) if address.version == 4 or _is_local(address)]
    wanted += [ipaddress.ip_address(own) for own in ("127.0.0.1", "::1")]
    authority = _read(folder / "authority")
    if authority is None or not _serves(authority, LASTS, now) or not all(_may(authority, one) for one in wanted):
        authority = _new_authority(names, wanted, now)
        _write(folder / "authority", authority)
    spoken = [name for name in ("localhost", *names) if name.isascii() and _may_name(authority, name)]
    current = _read(folder / "clock")
    if current is None or not _is_for(current, authority, spoken, wanted) or not _serves(current, RENEWED_BEFORE, now):
        _write(folder / "clock", _new_certificate(authority, spoken, wanted, now))
    return Files(folder / "clock.crt", folder / "clock.key", folder / "authority.crt")


def to_install(authority: Path) -> bytes:
    """Authority's certificate in DER, the format that phones install."""
    return x509.load_pem_x509_certificate(authority.read_bytes()).public_bytes(serialization.Encoding.DER)


def name_of(authority: Path) -> str:
    """Common name of an authority, under which phones list it."""
    return _common_name(x509.load_pem_x509_certificate(authority.read_bytes()))


def _common_name(certificate: x509.Certificate) -> str:
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def _is_local(address: Address) -> bool:
    return any(address in ipaddress.ip_network(network) for network in LOCAL)


def _new_authority(names: Sequence[str], addresses: Sequence[Address], now: datetime) -> Signed:
    """Create an authority for local networks, these names and these addresses."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = next((name for name in names if name.isascii()), "this computer").split(".")[0]
    subject = _subject(f"Backgammon clock on {called}, {now:%Y-%m-%d %H:%M}")
    networks: list[Network] = [ipaddress.ip_network(network) for network in LOCAL]
    networks += [ipaddress.ip_network(address) for address in addresses if not _is_local(address)]
    permitted: list[x509.GeneralName] = [x509.IPAddress(network) for network in networks]
    permitted += [x509.DNSName(name) for name in (*LOCAL_NAMES, *filter(str.isascii, names))]
    certificate = (
        _begun(subject, subject, key, now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Signed(certificate, key)


def _new_certificate(authority: Signed, names: Sequence[str], addresses: Sequence[Address], now: datetime) -> Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    spoken: list[x509.GeneralName] = [x509.DNSName(name) for name in dict.fromkeys(names)]
    spoken += [x509.IPAddress(address) for address in dict.fromkeys(addresses)]
    signer = authority.certificate
    identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    certificate = (
        _begun(_subject("Backgammon clock"), signer.subject, key, now, LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(spoken), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .sign(authority.key, hashes.SHA256())
    )
    return Signed(certificate, key)


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])  # X.509 limits it to 64


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now - BACKDATED + lasts)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _serves(signed: Signed, left: timedelta, now: datetime) -> bool:
    """True if a certificate is valid now and for at least `left` longer."""
    certificate = signed.certificate
    return certificate.not_valid_before_utc <= now and now + left <= certificate.not_valid_after_utc


def _is_for(signed: Signed, authority: Signed, names: Sequence[str], addresses: Sequence[Address]) -> bool:
    """True if the authority signed the certificate for all these names and addresses."""
    try:
        signed.certificate.verify_directly_issued_by(authority.certificate)
    except (InvalidSignature, TypeError, ValueError):  # signed by another authority, or with another kind of key
        return False
    spoken = signed.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    named = {*spoken.get_values_for_type(x509.DNSName), *spoken.get_values_for_type(x509.IPAddress)}
    return {*names, *addresses} <= named


def _permitted(authority: Signed) -> Sequence[x509.GeneralName]:
    constraints = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    return constraints.permitted_subtrees or []


def _may(authority: Signed, address: Address) -> bool:
    networks = [
        ipaddress.ip_network(str(one.value)) for one in _permitted(authority) if isinstance(one, x509.IPAddress)
    ]
    return any(address in network for network in networks)


def _may_name(authority: Signed, name: str) -> bool:
    allowed = [one.value for one in _permitted(authority) if isinstance(one, x509.DNSName)]
    return any(name == domain or name.endswith(f".{domain}") for domain in allowed)


def _read(stem: Path) -> Signed | None:
    """Load `stem`.crt and `stem`.key; None if one is missing or unusable."""
    try:
        certificate = x509.load_pem_x509_certificate(stem.with_suffix(".crt").read_bytes())
        key = serialization.load_pem_private_key(stem.with_suffix(".key").read_bytes(), password=None)
    except (OSError, ValueError):
        return None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        return None
    return Signed(certificate, key)


def _write(stem: Path, signed: Signed) -> None:
    """Write both files, each atomically; only this user may read the key."""
    secret = signed.key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for suffix, content, mode in (
        (".key", secret, 0o600),
        (".crt", signed.certificate.public_bytes(serialization.Encoding.PEM), 0o644),
    ):
        new = stem.with_suffix(f"{suffix}.new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
        new.replace(stem.with_suffix(suffix))
