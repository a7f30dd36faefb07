"""Random 256-bit tokens for phones, links and programs; only hashes are stored."""

import hashlib
import secrets

COOKIE_AGE_S = 400 * 24 * 3600  # 400 days, the longest that browsers keep a cookie


def new_token() -> str:
    """Create a token of 256 random bits, safe in cookies and URLs."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Hash a token for storage: SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()
