"""Mark line breaks in Japanese catalogues: `python -m tests.phrases`.

Japanese has no spaces, and only Chromium detects word boundaries. Other browsers break lines within words, unless the
style sheet forbids it (`word-break: keep-all`) and zero-width spaces mark the break opportunities.
"""

import re
from functools import cache
from pathlib import Path

import budoux
import polib

MARK = "\u200b"
CATALOGUES = sorted((Path(__file__).resolve().parent.parent / "clocks/locale/ja").rglob("*.po"))
HOLE = re.compile(r"%\(\w+\)s|\{\w+\}|%%|(</?[a-z][^>]*>)")
NAME = "サム"  # stands in for a placeholder, which is usually a name
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]")
# In short labels the parser sometimes splits these: compounds of Chinese characters, and foreign words.
COMPOUND = re.compile(r"[\u3400-\u9fff々]{2}|[\u30a1-\u30ffー]{2}")
# In characters. A longer phrase may not fit on one line of a small phone, so it may break between words.
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
    """Replace the break marks of a text; put none within placeholders or tags."""
    text = text.replace(MARK, "")
    if not JAPANESE.search(text):
        return text
    plain = ""
    pieces: list[tuple[int, str]] = []  # pieces of text, each with its position in the plain text
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
    """Positions where a phrase begins without a preceding space."""
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
    """Mark line breaks in every translation of a catalogue."""
    catalogue = polib.pofile(str(path), wrapwidth=0)
    for entry in catalogue:
        entry.msgstr = marked(entry.msgstr)
        entry.msgstr_plural = {number: marked(form) for number, form in entry.msgstr_plural.items()}
    catalogue.save()


if __name__ == "__main__":
    for path in CATALOGUES:
        mark_all(path)
