"""Codes on the cards of tables. A code identifies its table and is not a secret."""

import re
import secrets
from collections.abc import Collection
from typing import NamedTuple

from clocks.models import RetiredCode, Table

ALPHABET = "23456789CFGHJKMPQRVWX"  # no look-alike characters, and no vowels, which could spell words
CODE_LENGTH = 6


def new_code() -> str:
    """Random code, one of 85 million: a collision is rare but possible."""
    number = secrets.randbelow(len(ALPHABET) ** CODE_LENGTH)
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(CODE_LENGTH))


def unused_code() -> str:
    """New code that no table has ever had."""
    return unused_codes(1)[0]


def unused_codes(number: int) -> list[str]:
    """New codes that no table has ever had."""
    found: set[str] = set()
    while len(found) < number:
        new = {new_code() for _ in range(number - len(found))}
        for model in (Table, RetiredCode):
            new.difference_update(model._default_manager.filter(code__in=new).values_list("code", flat=True))
        found |= new
    return list(found)


def normalise_code(text: str) -> str:
    """Extract the code from typed, pasted or scanned text; "" if it has none.

    Ignores case, spaces and punctuation. In an address, only the part after `/t/` counts.
    """
    after = re.search(r"/t/([^/?#]+)", text, re.IGNORECASE)
    code = re.sub(r"[\W_]", "", after.group(1) if after else text).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else ""


def find_table(text: str) -> Table | None:
    """Table for a code as typed, or None."""
    code = normalise_code(text)
    return Table.objects.select_related("tournament", "current").filter(code=code).first() if code else None


class CodedTable(NamedTuple):
    """Table whose page a phone opens; `archived` if its tournament is archived."""

    id: int
    tournament_id: int
    archived: bool


def tables_with(codes: Collection[str]) -> dict[str, CodedTable]:
    """Tables keyed by code, for normalised codes."""
    found = Table.objects.filter(code__in=codes).values_list("code", "pk", "tournament_id", "tournament__archived_at")
    return {code: CodedTable(pk, of, archived_at is not None) for code, pk, of, archived_at in found}


def is_retired(text: str) -> bool:
    """True if a code as typed is a former code of a table."""
    return RetiredCode.objects.filter(code=normalise_code(text)).exists()
