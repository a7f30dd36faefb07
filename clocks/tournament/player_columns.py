"""Columns of a list of players: by title, by content, or as the director chose.

Titles may be in any supported language. Details next to a name, as in “1. Møller, Jørgen (DEN) 1842”, get columns of
their own.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.tournament.draw_columns import LAST_TITLE, OF_PLAYER, normalise_title
from clocks.tournament.spreadsheet import Row

CHOICES = ("name", "first", "last", *OF_PLAYER)
NAMING = {"name", "first", "last"}
FIGURE = re.compile(r"[\[(#]?[\d.,]+[\])]?")  # a number, or a seed such as [1]
START_NUMBER = r"\d{1,3}"
MOST_WORDS = 5  # text with more words is a sentence, not a name

# Known column titles in English, Danish, German, Spanish, French and Japanese.
_ALIASES = {
    "name": "name player fullname playername navn spiller spieler nombre jugador jugadora joueur joueuse nom 名前 氏名 "
    "選手 選手名 プレイヤー",
    "first": "firstname givenname forename fornavn vorname nombredepila prénom 名",
    "last": "lastname surname familyname efternavn nachname familienname apellido apellidos nomdefamille 姓",
    "number": "number no nr id seed setzplatz seedning cabezadeserie têtedesérie シード startno startnr sno snr "
    "startnumber nummer startnummer número num numéro 番号",
    "club": "club team klub forening verein klubb equipo clubcity vereinort ciudad ville town city by ort クラブ 所属",
    "rating": "rating elo rtg rtgi wertung elozahl puntuación classement レーティング",
    "country": "country nation fed federation flag land nationalitet país federación pays fédération 国 国籍",
}
_COLUMN_OF = {normalise_title(alias): column for column, aliases in _ALIASES.items() for alias in aliases.split()}

_BULLET = re.compile(r"^(?:[-*•–]\s+|>\s*)+(?=\S)")  # a bullet, or the quote mark of an e-mail
_NUMBERED = re.compile(
    r"(?:[#[(]|N[or]\.?\s*)(?P<number>\d{1,3})[])]?[.:]?\s+(?=\D)"  # #1, [1], (1), No. 1
    r"|(?P<before>\d{1,3})(?:\s*[.):](?:\s+|(?=[^\W\d]))|\s+[-–—]\s+)(?=\S)"  # 1., 1), 1 -
)
_COUNT = re.compile(r"(?P<before>\d{1,3})\s+(?=[^\W\d])")  # a number without punctuation
_COUNTRY = re.compile(r"\s*[([]([A-Z]{2,3})[)\]]")
_CODE = re.compile(r"[A-Z]{2,3}")
_BESIDE = re.compile(r"\s*\(([^()]+)\)")
_SENTENCE = re.compile(r"[:!?@]|//|[^.]{4}(?<!\b[JS]r)\.$")
_POINTS = r"\d{3,4}(?:[.,]\d{1,2})?"
_RATING = re.compile(rf"[\s,]+({_POINTS})$|\s*[(\[]({_POINTS})[)\]]")
_SEED = re.compile(r"\s*[([]#?(\d{1,2})[)\]]")
_PATTERNS = (("rating", _RATING), ("number", _SEED), ("country", _COUNTRY), ("club", _BESIDE))


def name_of(cells: Sequence[str], columns: Sequence[str]) -> str:
    """Name in a line; “Møller, Jørgen” becomes “Jørgen Møller”.

    If it ends in a comma, only that comma is dropped (see `as_written`).
    """
    by_column = {name: cell for name, cell in zip(columns, cells, strict=False) if name}
    name = by_column.get("name", "") or " ".join(filter(None, (by_column.get("first", ""), by_column.get("last", ""))))
    if name.endswith(","):
        return name[:-1].rstrip()
    if name.count(",") == 1:
        name = " ".join(reversed([part.strip() for part in name.split(",")]))
    return name


def as_written(name: str) -> str:
    """Name for an exported list: a trailing comma protects a comma in the name."""
    return f"{name}," if name.count(",") == 1 or name.endswith(",") else name


def number_of(text: str) -> str:
    """Player's number, without surrounding brackets, dots and #."""
    return " ".join(text.strip("[]()#. ").split())


Split = tuple[int, list[str], dict[str, str]]  # line number, cells, and details split off them


class Columns(NamedTuple):
    """Column names ("" if ignored) and titles, the rows below and above, and notes.

    `doubtful` has reasons, by line number, to leave out lines of a list without titles.
    """

    names: list[str]
    titles: list[str]
    rows: Sequence[Row]
    above: Sequence[Row] = ()
    notes: tuple[str, ...] = ()
    doubtful: Mapping[int, str] = MappingProxyType({})


def identify(rows: Sequence[Row], chosen: Sequence[str] = ()) -> Columns:
    """Identify the columns; names in `chosen` override those found."""
    for i, (_number, cells) in enumerate(rows[:LAST_TITLE]):
        names = [_COLUMN_OF.get(normalise_title(cell), "") for cell in cells]
        if NAMING & set(names) and not any(re.fullmatch(r"[\d.,]+", cell) for cell in cells):
            return _chosen(_titled(rows, i, names), chosen)
    return _chosen(_by_content(rows), chosen)


def _chosen(found: Columns, chosen: Sequence[str]) -> Columns:
    if not chosen or not NAMING & set(chosen):
        return found
    width = len(found.names)
    names = [name if name in CHOICES and name not in chosen[:i] else "" for i, name in enumerate(chosen)]
    return found._replace(names=[*names, *[""] * width][:width], notes=())


def _titled(rows: Sequence[Row], at: int, names: list[str]) -> Columns:
    header = rows[at][1]
    names = [name if name not in names[:i] else "" for i, name in enumerate(names)]
    ignored = [cell for cell, name in zip(header, names, strict=True) if cell and not name]
    notes = (_("These columns are not used: %(names)s.") % {"names": ", ".join(ignored)},) if ignored else ()
    return Columns(names, header, rows[at + 1 :], rows[:at], notes)


def _by_content(rows: Sequence[Row]) -> Columns:
    """Columns by content: a number before or after the name, then club, then rating."""
    taken = split(rows)
    doubtful = _around(taken)
    if _are_bare(taken):
        taken = [(number, _joined(cells), found) for number, cells, found in taken]
    doubtful |= _doubtful(taken)
    sure = [each for each in taken if each[0] not in doubtful] or taken
    counted = [found["number"] for _number, _cells, found in sure if found.get("number")]
    notes = list[str]()
    if len(counted) > 1 and counted == [str(n) for n in range(1, len(counted) + 1)]:
        notes.append(_("The numbers before the names only count the lines, and are not used."))
        taken, sure = ([(n, cells, {**found, "number": ""}) for n, cells, found in each] for each in (taken, sure))
    width = max(len(cells) for _number, cells, _found in taken)
    beside = [name for name in OF_PLAYER if any(found.get(name) for _number, _cells, found in sure)]
    names = [
        "" if name in beside else name
        for name in _of_content([_padded(cells, width) for _number, cells, _found in sure])
    ]
    read = [
        (number, [*_padded(cells, width), *(found.get(name, "") for name in beside)]) for number, cells, found in taken
    ]
    return Columns(names + beside, [""] * (width + len(beside)), read, (), tuple(notes), doubtful)


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


def _around(rows: Sequence[Split]) -> dict[int, str]:
    """Lines above and below the list, such as a greeting, with the reason.

    An empty line, or the numbering of the entries, sets them apart. In a list of bare names, greetings end in a comma.
    """
    last = len(rows)
    greetings = [i for i, (_number, cells, _found) in enumerate(rows) if cells[0].endswith(",") or cells[1:] == [""]]
    bare = _are_bare([row for i, row in enumerate(rows) if i not in greetings])
    entries = [
        i
        for i, (_number, cells, found) in enumerate(rows)
        if not _is_sentence(cells) and (any(found.values()) or (_width(cells) > 1 and not bare))
    ]
    after = {i for i in range(1, last) if rows[i][0] - rows[i - 1][0] > 1}  # lines below an empty one
    around = set[int]()
    if len(entries) > 1:
        begins = entries[0] if rows[entries[0]][2].get("number") else max({i for i in after if i <= entries[0]} | {0})
        ends = min({i for i in after if i > entries[-1]} | {last})
        around = {*range(begins), *range(ends, last)}
    if bare and 2 * len(greetings) < last:
        around |= set(greetings)
        around.update(*(range(i, last) for i in greetings if 2 * i > last))
    return dict.fromkeys((rows[i][0] for i in around), _("This line is unlike the others."))


def _doubtful(rows: Sequence[Split]) -> dict[int, str]:
    """Lines that may be headings or greetings, with the reason."""
    sentences = {number for number, cells, _found in rows if _is_sentence(cells)}
    others = [(number, _width(cells), found) for number, cells, found in rows if number not in sentences]
    telling = 3 * sum(any(found.values()) for _number, _few, found in others) > 2 * len(others)
    bare = _are_bare(rows)
    unlike = {n for n, width, found in others if (telling and not any(found.values())) or (bare and width > 1)}
    return dict.fromkeys(sentences, _("This does not look like a name.")) | dict.fromkeys(
        unlike, _("This line is unlike the others.")
    )


def _are_bare(rows: Sequence[Split]) -> bool:
    """True if most lines have nothing but a name, in one cell or as “Møller, Jørgen”."""
    lines = [cells for _number, cells, _found in rows if not _is_sentence(cells)]
    alone = sum(_width(cells) == 1 for cells in lines)
    named = sum(len(_joined(cells)) == 1 for cells in lines)
    return 2 * alone >= len(lines) and 3 * named > 2 * len(lines)


def _joined(cells: list[str]) -> list[str]:
    """Join the cells of a name split at its comma, such as “Møller, Jørgen”."""
    filled = [cell for cell in cells if cell]
    return [", ".join(filled)] if is_split_name(filled) else cells


def _is_sentence(cells: Sequence[str]) -> bool:
    return len(cells[0].split()) > MOST_WORDS or _SENTENCE.search(", ".join(filter(None, cells))) is not None


def _width(cells: Sequence[str]) -> int:
    return len(list(filter(None, cells)))


def split(rows: Sequence[Row]) -> list[Split]:
    """Split off details next to the names.

    A number without punctuation belongs to the name, unless most lines begin with one.
    """
    plain = [(number, [_BULLET.sub("", cells[0]), *cells[1:]]) for number, cells in rows]
    counted = 2 * sum(_COUNT.match(cells[0]) is not None for _number, cells in plain) > len(plain)
    return [(number, *_details(cells, counted)) for number, cells in plain]


def _details(cells: Sequence[str], counted: bool) -> tuple[list[str], dict[str, str]]:
    """Cells without the details next to the name, and these details by column."""
    rest, found = list(cells), dict[str, str]()
    number = _NUMBERED.match(rest[0]) or (_COUNT.match(rest[0]) if counted else None)
    if number is not None:
        rest[0] = rest[0][number.end() :]
        found["number"] = next(filter(None, number.groups()))
    for i, cell in enumerate(rest):
        for column, pattern in _PATTERNS:
            match = pattern.search(cell)
            without = cell[: match.start()] + cell[match.end() :] if match else ""
            if match and without.strip() and column not in found:
                cell, found[column] = without.strip(), next(filter(None, match.groups()))
        rest[i] = cell
    return rest, found


def _of_content(rows: Sequence[Sequence[str]]) -> list[str]:
    columns = [[cell for cell in cells if cell] for cells in zip(*rows, strict=True)]
    figures = [bool(cells) and all(FIGURE.fullmatch(cell) for cell in cells) for cells in columns]
    named: list[str] = []
    for i, cells in enumerate(columns):
        beside = (
            named[-1:] == ["name"]
            and (
                all(re.fullmatch(START_NUMBER, cell) for cell in cells)  # a rating is longer
                or figures[i + 1 :] in ([False, True], [False, True, False])  # a club and the rating follow
            )
        )
        if "name" in named and cells and all(map(_CODE.fullmatch, cells)):
            wanted = ["country", "club"]
        elif not figures[i]:
            wanted = ["name", "club", "country"] if cells else []
        else:
            wanted = ["number"] if beside or "name" not in named else ["rating", "number"]
        named.append(next((name for name in wanted if name not in named), ""))
    at = named.index("name") if "name" in named else len(named)
    pairs = [cells[at : at + 2] for cells in rows if any(cells[at + 1 : at + 2])]
    if named[at + 1 : at + 2] == ["club"] and 10 * sum(map(is_split_name, pairs)) >= 7 * len(pairs):
        named[at : at + 2] = ["last", "first"]
    return named


def is_split_name(cells: Sequence[str]) -> bool:
    """True for two cells like “van den Berg” and “Piet”.

    The first has one word, not counting particles, the second one or two.
    """
    if len(cells) != 2:
        return False
    last = [word for word in cells[0].split() if not word[0].islower()] or cells[0].split()
    return len(last) == 1 and len(cells[1].split()) in (1, 2)
