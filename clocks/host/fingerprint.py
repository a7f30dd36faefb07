"""Fingerprint of a certificate, in hexadecimal and in words for people to compare."""

from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from mnemonic import Mnemonic

BITS_A_WORD = 11  # BIP 39 has 2,048 words
WORDS = 6  # 66 bits: infeasible to forge


class Fingerprint(NamedTuple):
    """SHA-256 of a certificate: in lines of eight hexadecimal bytes, and as words.

    The words encode only the first 66 bits.
    """

    lines: tuple[str, ...]
    words: str


def fingerprint(certificate: Path) -> Fingerprint:
    """Fingerprint of a certificate in a PEM file."""
    digest = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    lines = tuple(digest[at : at + 8].hex(":").upper() for at in range(0, len(digest), 8))
    return Fingerprint(lines, in_words(digest))


def in_words(digest: bytes) -> str:
    """First 66 bits of a hash as six words from the English list of BIP 39."""
    beginning = int.from_bytes(digest) >> (8 * len(digest) - WORDS * BITS_A_WORD)
    known = Mnemonic("english").wordlist
    shifts = (BITS_A_WORD * left for left in reversed(range(WORDS)))
    return " ".join(known[(beginning >> shift) % len(known)] for shift in shifts)
