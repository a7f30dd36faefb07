"""Mark line breaks in Japanese catalogues: `python -m tests.phrases`.

Japanese has no spaces, and only Chromium finds words by itself. Other browsers break lines within a word, unless the
style sheet forbids it (`word-break: keep-all`) and the text marks the places with zero-width spaces.
"""

import re
from functools import cache
from pathlib import Path

import budoux
import polib

MARK = "\u200b"
CATALOGUES = sorted((Path(__file__).resolve().parent.parent / "clocks/locale/ja").rglob("*.po"))
HOLE = re.compile(r"%\(\w+\)s|\{\w+\}|%%|(</?[a-z][^>]*>)")
NAME = "サム"  # replaces a placeholder, which is usually a name
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]")
# The parser sometimes splits these in short labels: compounds of Chinese characters, foreign words.
COMPOUND = re.compile(r"[\u3400-\u9fff々]{2}|[\u30a1-\u30ffー]{2}")
# Characters; a longer phrase may not fit on one line of a small phone, so it may break between its words.
LONG = 6
WORDS = re.compile(
    rf"(?<=[\u30a1-\u30faー])(?<!{NAME})(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff]{{2}})(?=[\u30a1-\u30fa])(?!{NAME})"
    "|(?<=なければ)(?=なり)"
)
# No phrase begins with a closing character or ends with an opening one.
CLOSING, OPENING = "、。，．）」』】〉》”’！？：；・…ー", "（「『【〈《“‘"


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()


def marked(text: str) -> str:
    """Replace a sentence's break marks, but put none within placeholders or tags."""
    text = text.replace(MARK, "")
    if not JAPANESE.search(text):
        return text
    plain = ""
    pieces: list[tuple[int, str]] = []  # text pieces, each with its position in the plain text
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
    """Positions at which a phrase begins without a space before it."""
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
