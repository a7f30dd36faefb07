"""Mark line breaks in Japanese catalogues: `python -m tests.phrases`.

Japanese has no spaces, and only Chromium finds its words by itself. Elsewhere a line ends within a word, unless the
style sheet forbids that (`word-break: keep-all`) and the text says where it may end: with a space that has no width.
"""

import re
from functools import cache
from pathlib import Path

import budoux
import polib

MARK = "\u200b"
CATALOGUES = sorted((Path(__file__).resolve().parent.parent / "clocks/locale/ja").rglob("*.po"))
HOLE = re.compile(r"%\(\w+\)s|\{\w+\}|%%|(</?[a-z][^>]*>)")
NAME = "サム"  # stands for what is put into a hole, most often a name
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]")
# What the parser sometimes takes apart in labels of few letters: a compound of Chinese characters, a foreign word.
COMPOUND = re.compile(r"[\u3400-\u9fff々]{2}|[\u30a1-\u30ffー]{2}")
# Where a phrase of many letters may be divided, because a small phone has no line for it: between its words.
LONG = 6
WORDS = re.compile(
    rf"(?<=[\u30a1-\u30faー])(?<!{NAME})(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff]{{2}})(?=[\u30a1-\u30fa])(?!{NAME})"
    "|(?<=なければ)(?=なり)"
)
# A phrase neither begins with these nor ends with those.
CLOSING, OPENING = "、。，．）」』】〉》”’！？：；・…ー", "（「『【〈《“‘"


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()


def marked(text: str) -> str:
    """Return a sentence with a mark between its phrases, and with no other; holes and tags stay whole."""
    text = text.replace(MARK, "")
    if not JAPANESE.search(text):
        return text
    plain = ""
    pieces: list[tuple[int, str]] = []  # each with the place in the plain text before which it stands
    end = 0
    for hole in HOLE.finditer(text):
        pieces += [(len(plain) + at, letter) for at, letter in enumerate(text[end : hole.start()])]
        plain += text[end : hole.start()]
        pieces.append((len(plain), hole[0]))
        plain += "" if hole[1] else NAME
        end = hole.end()
    pieces += [(len(plain) + at, letter) for at, letter in enumerate(text[end:])]
    plain += text[end:]
    cuts = _cuts(plain)
    found = []
    for at, piece in pieces:
        if at in cuts and not piece.startswith("</"):
            cuts.remove(at)
            found.append(MARK)
        found.append(piece)
    return "".join(found)


def _cuts(plain: str) -> set[int]:
    """Return the places before which a phrase begins, where no space is."""
    cuts: set[int] = set()
    at = 0
    phrases = [
        word for phrase in _parser().parse(plain) for word in (WORDS.split(phrase) if len(phrase) > LONG else [phrase])
    ]
    for phrase in phrases[:-1]:
        at += len(phrase)
        before, after = plain[at - 1], plain[at]
        japanese = JAPANESE.match(before) or JAPANESE.match(after) or before in CLOSING or after in OPENING
        spaced = before.isspace() or after.isspace()
        compound = COMPOUND.fullmatch(before + after)
        if japanese and not spaced and not compound and before not in OPENING and after not in CLOSING:
            cuts.add(at)
    return cuts


def mark_all(path: Path) -> None:
    """Mark every translation in a catalogue."""
    catalogue = polib.pofile(str(path), wrapwidth=0)
    for entry in catalogue:
        entry.msgstr = marked(entry.msgstr)
        entry.msgstr_plural = {number: marked(form) for number, form in entry.msgstr_plural.items()}
    catalogue.save()


if __name__ == "__main__":
    for path in CATALOGUES:
        mark_all(path)
