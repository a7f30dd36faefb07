"""Hash of what a page showed, to detect changes when its form is submitted."""

import hashlib


def stamp(*shown: object) -> str:
    """Hash of these values."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
