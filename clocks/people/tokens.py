"""Secrets of 256 bits that a phone or a link carries; only their hashes are stored."""

import hashlib
import secrets

COOKIE_AGE_S = 400 * 24 * 3600  # browsers keep no cookie for longer


def new_token() -> str:
    """Return a secret of 256 bits that is safe in a cookie and in an address."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()
