"""Hash chain of a match's journal.

The hash of an entry covers the entry and the previous hash. It is the SHA-256, in hexadecimal, of a JSON array: the
previous hash ("" for entry 1), then the columns of `Row` in order, with `data` and `command` as JSON. The array is
compact, with sorted keys, in UTF-8. Each non-empty name or note is replaced by {"sha256": digest}, the SHA-256 of a
salt and the text. `seals` maps the path of each to its salt. Once the text is removed, `seals` holds the digest
instead of the salt: the chain stays valid, and nobody can test names against the digest.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction

from clocks.engine.events import ClockHit
from clocks.journal.rows import COLUMNS, INSERT, TABLE, Row
from clocks.models import Match

Seals = Mapping[str, Mapping[str, str]]  # by path: {"salt": ...}, or {"sha256": ...} of a removed text

FIRST = ""  # previous hash of entry 1
USER_NAME = "user_name"  # path of the user's name
ENTRIES_AT_ONCE = 2_000  # a transaction takes no further match after this many entries, so that presses need not wait

_READ = f"SELECT id, seals, hash, {COLUMNS} FROM {TABLE} WHERE match_id = %s AND seq > %s ORDER BY seq"
_CHAIN = f"UPDATE {TABLE} SET seals = %s, hash = %s WHERE id = %s"
_CHAIN_ON_POSTGRESQL = (  # takes a third of the time of single statements
    f"UPDATE {TABLE} AS entry SET seals = new.seals::jsonb, hash = new.hash"
    " FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS new (seals, hash, id) WHERE entry.id = new.id"
)
_HEADS = (
    f"SELECT played.id, entry.hash FROM {Match._meta.db_table} AS played"
    f" JOIN {TABLE} AS entry ON entry.match_id = played.id AND entry.seq = played.version WHERE played.id IN ({{}})"
)
_LAST_CHAINED = f"SELECT seq, hash FROM {TABLE} WHERE match_id = %s AND hash IS NOT NULL ORDER BY seq DESC LIMIT 1"
_UNCHAINED = f"SELECT match_id, count(*) FROM {TABLE} WHERE hash IS NULL GROUP BY match_id ORDER BY match_id"


class Entry(NamedTuple):
    """A journal entry as stored.

    `hash` is None if a process of an earlier version wrote it.
    """

    id: int
    seals: Seals
    hash: str | None
    row: Row


def digest(salt: str, text: str) -> str:
    """Return the digest of a name or note, in hexadecimal."""
    return sha256((salt + text).encode()).hexdigest()


def link(before: str, row: Row, seals: Seals) -> str:
    """Return the hash of an entry that follows the one with hash `before`.

    Raises KeyError if a text has no seal.
    """
    data, command = orjson.loads(row.data), None if row.command is None else orjson.loads(row.command)
    user_name: Any = row.user_name
    if seals or row.event != ClockHit.name:
        sealed = _sealed(seals)
        data, command = replaced(data, "data", sealed), replaced(command, "command", sealed)
        user_name = sealed(USER_NAME, row.user_name)
    written = (before, *row[:7], data, command, *row[9:13], user_name, row.user_role)
    return sha256(orjson.dumps(written, option=orjson.OPT_SORT_KEYS)).hexdigest()


def new_seals(row: Row) -> dict[str, dict[str, str]]:
    """Return a salt for each name and note of a new entry; a hit has none."""
    if row.event == ClockHit.name:
        return {}
    return {path: {"salt": secrets.token_hex(16)} for path, text in texts_of(row).items() if text}


def without_salts(seals: Seals | None, before: Mapping[str, Any], after: Mapping[str, Any]) -> Seals | None:
    """Return the seals of an entry whose columns changed from `before` to `after`.

    Removed texts keep only a digest.
    """
    old, new = _texts(before), _texts(after)
    return seals and {
        path: {"sha256": digest(seal["salt"], old[path])}
        if "salt" in seal and path in old and old[path] != new[path]
        else seal
        for path, seal in seals.items()
    }


def texts_of(row: Row) -> dict[str, str]:
    """Return the names and notes of an entry, by path."""
    command = None if row.command is None else orjson.loads(row.command)
    return _texts({"data": orjson.loads(row.data), "command": command, USER_NAME: row.user_name})


def _texts(columns: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, value in columns.items():
        if name == USER_NAME:
            texts[name] = value
        else:
            replaced(value, name, texts.__setitem__)
    return texts


def replaced(value: Any, path: str, each: Callable[[str, str], Any]) -> Any:
    """JSON with each name and note, at any depth, replaced by `each(path, text)`."""
    if isinstance(value, dict):
        return {key: _replaced(key, part, f"{path}/{key}", each) for key, part in value.items()}
    if isinstance(value, list):
        return [replaced(part, f"{path}/{place}", each) for place, part in enumerate(value)]
    return value


def _replaced(key: str, value: Any, path: str, each: Callable[[str, str], Any]) -> Any:
    if key == "note" and isinstance(value, str):
        return each(path, value)
    if key == "names" and isinstance(value, list):
        return [each(f"{path}/{place}", name) for place, name in enumerate(value)]
    return replaced(value, path, each)


def _sealed(seals: Seals) -> Callable[[str, str], Any]:
    """Return the function that replaces names and notes by their digests."""

    def sealed(path: str, text: str) -> Any:
        if not text and path not in seals:
            return ""
        seal = seals[path]
        return {"sha256": digest(seal["salt"], text) if "salt" in seal else seal["sha256"]}

    return sealed


def insert(rows: Sequence[Row], heads: Mapping[int, str]) -> dict[int, str]:
    """Append entries to the hash chains; return the new head hashes by match."""
    heads = dict(heads)
    values = []
    for row in rows:
        seals = new_seals(row)
        before = FIRST if row.seq == 1 else heads[row.match_id]
        heads[row.match_id] = after = link(before, row, seals)
        values.append((*row, orjson.dumps(seals).decode() if seals else None, after))
    with connection.cursor() as cursor:
        cursor.executemany(INSERT, values)
    return heads


def read(match_id: int, after: int = 0) -> Iterator[Entry]:
    """Yield the entries of a match after entry `after`."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, [match_id, after])
        while found := cursor.fetchmany(1_000):
            for id_, seals, hash_, *columns in found:
                yield Entry(id_, orjson.loads(seals) if seals else {}, hash_, Row(*columns))


def head(match_id: int) -> str:
    """Return the hash of the last entry of a match; "" if it has none."""
    return heads([match_id]).get(match_id) or ""


def heads(match_ids: Collection[int]) -> dict[int, str | None]:
    """Hash of the last entry of each match; None if it is not hashed yet."""
    if not match_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_HEADS.format(", ".join(["%s"] * len(match_ids))), list(match_ids))
        return dict(cursor.fetchall())


def heads_to_follow(match_ids: Collection[int]) -> dict[int, str]:
    """`heads` of locked matches, after hashing the entries that have no hash."""
    return {match_id: _completed(match_id) if found is None else found for match_id, found in heads(match_ids).items()}


def complete() -> int:
    """Hash the entries that earlier versions did not, in slices; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_UNCHAINED)
        waiting = dict(cursor.fetchall())
    for some in _slices(waiting):
        with transaction.atomic():
            list(Match.objects.select_for_update().filter(pk__in=some).order_by("pk").values_list("pk", flat=True))
            for match_id in some:
                _completed(match_id)
    return sum(waiting.values())


def _slices(numbers: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield groups of matches; a group ends at ENTRIES_AT_ONCE entries to chain."""
    some: list[int] = []
    total = 0
    for match_id, number in numbers.items():
        some.append(match_id)
        total += number
        if total >= ENTRIES_AT_ONCE:
            yield some
            some, total = [], 0
    if some:
        yield some


def _completed(match_id: int) -> str:
    """Hash the entries of a locked match that have no hash; return the last hash."""
    with connection.cursor() as cursor:
        cursor.execute(_LAST_CHAINED, [match_id])
        seq, before = cursor.fetchone() or (0, FIRST)
        values = []
        for entry in list(read(match_id, after=seq)):
            seals = new_seals(entry.row)
            before = link(before, entry.row, seals)
            values.append((orjson.dumps(seals).decode() if seals else None, before, entry.id))
        if connection.vendor == "postgresql" and values:
            cursor.execute(_CHAIN_ON_POSTGRESQL, [list(column) for column in zip(*values, strict=True)])
        else:
            cursor.executemany(_CHAIN, values)
    return before


def breaks(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries whose hash is missing or wrong, or follows a missing one."""
    before: str | None = FIRST
    for entry in entries:
        if before is None or not _follows(before, entry):
            yield entry
        before = entry.hash


def _follows(before: str, entry: Entry) -> bool:
    try:
        return link(before, entry.row, entry.seals) == entry.hash
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
