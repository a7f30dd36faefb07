"""Frames for hall screens and public feeds, which anybody may read."""

import re

# Notes of calls and of terms in an encoded frame; in terms, `what` is the next field.
_NOTES = re.compile(r'("call_note":|"note":(?="(?:[^"\\]|\\.)*","what":))"(?:[^"\\]|\\.)*"')


def for_screens(text: str, code: str) -> str:
    """Encoded `match` frame without the code, by which phones join, and without notes."""
    return _NOTES.sub(r'\1""', text.replace(f'"code":"{code}",', "", 1))
