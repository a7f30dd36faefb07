"""A certificate's SHA-256, as devices show it and in a few words, so that people can tell it from somebody else's."""

from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from mnemonic import Mnemonic

BITS_A_WORD = 11  # the list has 2,048 words, told apart by their first four letters
WORDS = 6  # 66 bits: nobody can make another certificate that begins with the same ones


class Fingerprint(NamedTuple):
    """The SHA-256 of a certificate: its 32 bytes as hexadecimal pairs, eight a line, and words for its beginning."""

    lines: tuple[str, ...]
    words: str


def fingerprint(certificate: Path) -> Fingerprint:
    """Return the fingerprint of a certificate in a PEM file."""
    digest = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    lines = tuple(digest[at : at + 8].hex(":").upper() for at in range(0, len(digest), 8))
    return Fingerprint(lines, in_words(digest))


def in_words(digest: bytes) -> str:
    """Return the first 66 bits of a hash as six English words from the list of BIP 39."""
    beginning = int.from_bytes(digest) >> (8 * len(digest) - WORDS * BITS_A_WORD)
    known = Mnemonic("english").wordlist
    shifts = (BITS_A_WORD * left for left in reversed(range(WORDS)))
    return " ".join(known[(beginning >> shift) % len(known)] for shift in shifts)
