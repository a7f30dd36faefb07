"""How a phone joins: the code on the table's card, the address and QR that lead to it, the device's own token.

A code locates a table and is no secret; the token is one, so only its hash is stored and it travels in a cookie
that scripts cannot read.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from io import BytesIO

import segno
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from clocks.models import Device, RetiredCode, Table, Tournament

ALPHABET = "23456789CFGHJKMPQRVWX"  # nothing that reads like something else, nothing that spells a word
CODE_LENGTH = 6
CASUAL = "casual"
DEVICE_COOKIE_AGE_S = 400 * 24 * 3600  # the longest that browsers keep a cookie


# --- codes ---------------------------------------------------------------------------------------------------------


def new_code() -> str:
    """Return a random code of 6 characters; one in 85 million, so a collision is rare but possible."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def unused_code() -> str:
    """Return a new code that no table has or ever had."""
    while True:
        code = new_code()
        if not (Table.objects.filter(code=code).exists() or RetiredCode.objects.filter(code=code).exists()):
            return code


def normalise_code(text: str) -> str:
    """Return the code in what somebody typed, pasted or scanned, or "" when there is none.

    Case, spaces and dashes of any kind do not matter; of a whole address the part after `/t/` counts.
    """
    after = re.search(r"/t/([^/?#]+)", text, re.IGNORECASE)
    code = re.sub(r"[\W_]", "", after.group(1) if after else text).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else ""


def find_table(text: str) -> Table | None:
    """Return the table that a code, in whatever form it was typed, belongs to."""
    code = normalise_code(text)
    return Table.objects.select_related("tournament", "current").filter(code=code).first() if code else None


def is_retired(text: str) -> bool:
    """Tell whether a code, in whatever form it was typed, was a table's before that got a new one."""
    return RetiredCode.objects.filter(code=normalise_code(text)).exists()


def add_table(tournament: Tournament, name: str = "") -> Table:
    """Store a new table with a code of its own; without a name it is called by its code."""
    for _ in range(5):
        code = unused_code()
        try:
            with transaction.atomic():
                return Table.objects.create(tournament=tournament, name=name or code, code=code)
        except IntegrityError:
            if name and table_named(tournament.tables.all(), name) is not None:
                raise
    raise RuntimeError("no free code found in five tries")


def tables_named(tables: QuerySet[Table], names: Iterable[str]) -> dict[str, Table]:
    """Return those among `tables` of one tournament with these names, by the name as given, whatever its case."""
    by_name = {table.name.casefold(): table for table in tables}
    return {name: by_name[name.casefold()] for name in names if name.casefold() in by_name}


def table_named(tables: QuerySet[Table], name: str) -> Table | None:
    """Return the one among `tables` of one tournament with this name, whatever its case; None where there is none."""
    return tables_named(tables, [name]).get(name)


def casual_tournament() -> Tournament:
    """Return the tournament of the matches that belong to none, made on first use."""
    return Tournament.objects.get_or_create(slug=CASUAL, defaults={"name": "Casual matches"})[0]


# --- addresses -----------------------------------------------------------------------------------------------------


def base_url(request: HttpRequest | None = None) -> str:
    """Return the address, without a slash at the end, at which other devices reach this installation.

    BASE_URL decides when it is set. A page asked for by `localhost` gives the address in the local network that
    `serve` found, because no other phone can use `localhost`; any other page gives its own address.
    """
    if settings.BASE_URL:
        return str(settings.BASE_URL).rstrip("/")
    served_at = served_address()
    if request is None:
        return served_at or "http://localhost:8000"
    if served_at and request.get_host().split(":")[0] in ("localhost", "127.0.0.1"):
        return served_at
    return f"{request.scheme}://{request.get_host()}"


def served_address() -> str:
    """Return the address that the running `serve` left for other commands, or "" when none runs."""
    try:
        return str(settings.SERVED_ADDRESS_FILE.read_text()).strip()
    except FileNotFoundError:
        return ""


def table_url(base: str, code: str) -> str:
    """Return the address of a table's page."""
    return f"{base}/t/{code}/"


def qr_svg(url: str) -> bytes:
    """Return the QR of an address as SVG: upper case (a denser alphabet), level Q (a quarter may be dirt or glare)."""
    out = BytesIO()
    segno.make(url.upper(), error="q", micro=False, boost_error=False).save(
        out, kind="svg", border=4, scale=8, dark="#000", light="#fff", omitsize=True, xmldecl=False
    )
    return out.getvalue()


def qr_path(url: str) -> tuple[int, str]:
    """Return the same QR without its quiet zone: modules a side, and an SVG path that fills the dark ones."""
    code = segno.make(url.upper(), error="q", micro=False, boost_error=False)
    rows = [bytes(row) for row in code.matrix]
    runs = [
        f"M{found.start()} {y}h{len(found.group())}v1h-{len(found.group())}z"
        for y, row in enumerate(rows)
        for found in re.finditer(b"\x01+", row)
    ]
    return len(rows), "".join(runs)


def qr_data(url: str) -> str:
    """Return the QR of an address whose letters keep their case, as a `data:` address of an image."""
    return segno.make(url, error="m", micro=False).svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True)


# --- devices -------------------------------------------------------------------------------------------------------


def new_token() -> str:
    """Return a secret of 256 bits that is safe in a cookie and in an address."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_device(cookies: Mapping[str, str]) -> Device | None:
    """Return the device whose token is among these cookies."""
    token = cookies.get(settings.DEVICE_COOKIE_NAME)
    return Device.objects.filter(token_hash=hash_token(token)).first() if token else None


def join_device(cookies: Mapping[str, str]) -> tuple[Device, str]:
    """Return the device of these cookies and its token; a phone that is new here gets both."""
    device = find_device(cookies)
    if device:
        return device, cookies[settings.DEVICE_COOKIE_NAME]
    token = new_token()
    return Device.objects.create(token_hash=hash_token(token)), token


def remember_device(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Give the phone its token: out of reach of scripts, and of plain http when the page came by https."""
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        token,
        max_age=DEVICE_COOKIE_AGE_S,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
