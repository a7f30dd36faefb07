"""Hash of what a page showed, to detect a change before a form is acted on."""

import hashlib


def stamp(*shown: object) -> str:
    """Hash of these values."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
