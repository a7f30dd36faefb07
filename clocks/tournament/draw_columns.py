"""Identify the columns of a draw by title (in any supported language) or content."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.engine.setup import LONGEST_MATCH
from clocks.tournament.spreadsheet import Row

BYES = ("bye", "-", "–", "—")
OPTIONAL = ("length", "rules", "format", "score_left", "score_right", "options")
NAMES = ("table", "left", "right", *OPTIONAL)
OF_PLAYER = ("number", "club", "rating", "country")
DETAILS = tuple(f"{seat}_{detail}" for seat in ("left", "right") for detail in OF_PLAYER)  # for the list of players
LONGEST_TITLE = 80  # in characters; anything longer is not a title
LAST_TITLE = 10  # lines to search for the column titles; some programs put headings above them

# Column titles in use: English, then Danish, German, Spanish, French, Japanese.
_ALIASES = {
    "table": "table tableno tablenumber board boardno boardnumber bo bd bord bordnr bordnummer tisch tischnr "
    "tischnummer brett brettnr mesa numerodemesa tablero numerodetable plateau テーブル テーブル番号 台 卓 卓番",
    "left": "left leftplayer player1 playera name1 white home team1 venstre venstrespiller spillertilvenstre spiller1 "
    "spillera navn1 hvid hold1 links spielerlinks linkerspieler spieler1 spielera weiß heim izquierda izquierdo "
    "jugadorizquierdo jugador1 nombre1 blancas equipo1 gauche joueurdegauche joueurgauche joueur1 joueura nom1 blancs "
    "équipe1 左 左のプレイヤー 左プレイヤー プレイヤー1 プレイヤーa 選手1 白",
    "right": "right rightplayer player2 playerb name2 black away opponent team2 højre højrespiller spillertilhøjre "
    "spiller2 spillerb navn2 modstander sort hold2 rechts spielerrechts rechterspieler spieler2 spielerb gegner "
    "schwarz gast derecha derecho jugadorderecho jugador2 jugadorb nombre2 adversario rival negras equipo2 droite "
    "joueurdedroite joueurdroite joueur2 joueurb nom2 adversaire noirs équipe2 右 右のプレイヤー 右プレイヤー "
    "プレイヤー2 プレイヤーb 選手2 相手 対戦相手 黒",
    "player": "player name team spiller navn hold spieler jugador jugadora nombre equipo joueur nom équipe プレイヤー "
    "選手 名前 氏名",
    "length": "length points matchlength to point længde kamplængde punkte länge matchlänge puntos longitud distancia "
    "longueur longueurdumatch ポイント 長さ",
    "rules": "rules ruleset regler regelsæt regeln regelwerk reglamento reglas règlement règles ルール 規則",
    "format": "format formato modalidad 形式",
    "score_left": "scoreleft leftscore score1 scorevenstre standlinks marcadorizquierda scoregauche 左の得点",
    "score_right": "scoreright rightscore score2 scorehøjre standrechts marcadorderecha scoredroite 右の得点",
    "options": "options valg indstillinger optionen opciones オプション",
    "round": "round runde ronda ronde ラウンド",
    "winner": "winner vinder sieger ganador vainqueur 勝者",
}


def normalise_title(name: str) -> str:
    """Normalise a title: case-folded, without accents, spaces or punctuation."""
    apart = unicodedata.normalize("NFKD", name[:LONGEST_TITLE].casefold())  # long runs of accents take minutes
    return re.sub(r"[\s_.:#/()-]", "", "".join(each for each in apart if not unicodedata.combining(each)))


_COLUMN_OF = {normalise_title(alias): column for column, aliases in _ALIASES.items() for alias in aliases.split()}
_COLUMN_OF |= {normalise_title(detail): detail for detail in DETAILS}


def titles_of(column: str) -> set[str]:
    """Normalised titles of a column."""
    return {title for title, name in _COLUMN_OF.items() if name == column}


class Columns(NamedTuple):
    """Column names ("" if ignored), the rows below the titles, notes and faults."""

    names: list[str]
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def is_bye(name: str) -> bool:
    """True if a cell stands for a bye."""
    return name.lower().strip("()[]* ") in BYES


def names_players(rows: Sequence[Row]) -> bool:
    """True if titles name a table, a left or right player, or two players."""
    named = [_named(cells) for _number, cells in rows[:LAST_TITLE]]
    return any("right" in names for names in named) or bool({"table", "left"} & set(_of_titles(rows[0][1])))


def _of_titles(cells: Sequence[str]) -> list[str]:
    return [_COLUMN_OF.get(normalise_title(cell), "") for cell in cells]


def identify(rows: Sequence[Row]) -> Columns:
    """Identify the columns by titles if there are any, otherwise by content."""
    named = [_named(cells) for _number, cells in rows[:LAST_TITLE]]
    for i, names in enumerate(named):
        if "left" in names and "right" in names:
            return _below(rows, i, names)
    if {"table", "left", "right"} & set(named[0]):
        return _below(rows, 0, named[0])
    return _by_content(rows)


def _named(cells: list[str]) -> list[str]:
    """Column named by each cell; of two player titles, the first is the left one.

    A line with a number has no titles, because a player at table 1 may be called White.
    """
    if any(_is_number(cell) for cell in cells):
        return [""] * len(cells)
    names = _of_titles(cells)
    sides = iter([side for side in ("left", "right") if side not in names])
    return [next(sides, "") if name == "player" else name for name in names]


def _below(rows: Sequence[Row], at: int, names: list[str]) -> Columns:
    """Columns by the titles in row `at`, with the rows below it."""
    header = rows[at][1]
    faults = [_("Two columns are called %(name)s.") % {"name": name} for name in NAMES[:3] if names.count(name) > 1]
    faults += [_("The column %(name)s is missing.") % {"name": name} for name in ("left", "right") if name not in names]
    if faults:
        words = _("The line that names the columns must name left and right and may name table, %(optional)s.")
        return Columns(names, (), (), (*faults, words % {"optional": ", ".join(OPTIONAL)}))
    # In a list of results the score is final, not the one at which a match begins.
    unused = {"winner", *(("score_left", "score_right") if "winner" in names else ())}
    unused |= {name for name in OPTIONAL if names.count(name) > 1}
    names = ["" if name in unused else name for name in names]
    notes = []
    if at:
        words = _("Whatever comes before the line with the column names is ignored: %(text)s.")
        notes.append(words % {"text": "; ".join(" ".join(filter(None, cells)) for _number, cells in rows[:at])})
    ignored = [cell for cell, name in zip(header, names, strict=True) if cell and not name]
    if ignored:
        notes.append(_("These columns are not used: %(names)s.") % {"names": ", ".join(ignored)})
    return Columns(names, rows[at + 1 :], tuple(notes))


def _by_content(rows: Sequence[Row]) -> Columns:
    """Columns by content: an optional table, two players, an optional length."""
    width = max(len(cells) for _number, cells in rows)
    columns = [[cells[i] for _number, cells in rows if i < len(cells) and cells[i]] for i in range(width)]
    texts = [i for i, cells in enumerate(columns) if not all(_is_number(cell) for cell in cells)]
    first = all(re.search(r"\d", cell) for cell in columns[0])  # names of tables, such as 12, A1 and Table 5
    if (first or len(texts) == width == 3) and len([i for i in texts if i]) >= 2:
        texts = [i for i in texts if i]
        table = 0
    else:
        table = -1
    if len(texts) < 2:
        words = _("Each line needs both players, such as: %(example)s")
        return Columns([], (), (), (words % {"example": "1, Ann, Bob"},))
    names = [""] * width
    names[texts[0]], names[texts[1]] = "left", "right"
    if table == 0:
        names[0] = "table"
    after = range(texts[1] + 1, width)
    if len(after) == 1 and columns[after[0]] and all(_is_length(cell) for cell in columns[after[0]]):
        names[after[0]] = "length"
    words = _("No line names the columns, so they are read as: %(names)s.")
    notes = [words % {"names": ", ".join(name or _("not used") for name in names)}]
    return Columns(names, rows, tuple(notes))


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?\d+([.,]\d+)?", cell) is not None


def _is_length(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and 1 <= int(cell[:4]) <= LONGEST_MATCH
