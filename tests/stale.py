"""Find stale translations: `python -m tests.stale [--unchanged]`.

A `.pairs` file beside each catalogue holds the hashes of each English message and its translation. If an English
message is gone and another has its translation, the English was reworded but the translation was not updated.
"""

import argparse
import sys
from hashlib import sha256
from pathlib import Path

import polib

from tests.phrases import MARK

LOCALE = Path(__file__).resolve().parent.parent / "clocks/locale"
CATALOGUES = sorted(path for path in LOCALE.rglob("*.po") if path.parent.parent.name != "en")


def _hash(*texts: str) -> str:
    return sha256("\0".join(texts).replace(MARK, "").encode()).hexdigest()[:10]


def pairs(catalogue: Path) -> dict[tuple[str, str], str]:
    """Translated English messages, keyed by the hashes of message and translation."""
    return {
        (
            _hash(entry.msgid, entry.msgid_plural),
            _hash(*(entry.msgstr_plural.values() or [entry.msgstr])),
        ): entry.msgid
        for entry in polib.pofile(str(catalogue))
        if entry.translated()
    }


def recorded(catalogue: Path) -> set[tuple[str, str]]:
    """Pairs of hashes recorded by the last `make messages`."""
    path = catalogue.with_suffix(".pairs")
    lines = path.read_text().splitlines() if path.exists() else []
    return {(english, translation) for english, translation in (line.split() for line in lines)}


def stale(catalogue: Path) -> list[str]:
    """New English messages that have the translation of a removed one."""
    now, before = pairs(catalogue), recorded(catalogue)
    present = {english for english, _ in now}
    left = {translation for english, translation in before if english not in present}
    return [text for pair, text in now.items() if pair not in before and pair[1] in left]


def record(catalogue: Path) -> None:
    """Write a catalogue's pairs to the file beside it."""
    lines = sorted(" ".join(pair) for pair in pairs(catalogue))
    catalogue.with_suffix(".pairs").write_text("\n".join(lines) + "\n")


def check(catalogue: Path, unchanged: bool = False) -> list[str]:
    """Return untranslated and stale messages; if there are none, record the pairs."""
    entries = [entry for entry in polib.pofile(str(catalogue)) if not entry.obsolete]
    untranslated = [entry.msgid for entry in entries if not entry.translated()]
    wrong = [f"not translated, or fuzzy: {text}" for text in untranslated]
    if not unchanged:
        wrong += [f"English changed, translation did not: {text}" for text in stale(catalogue)]
    if not wrong:
        record(catalogue)
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Find stale translations, and record the others.")
    parser.add_argument("--unchanged", action="store_true", help="the translations still fit the changed English")
    arguments = parser.parse_args()
    found = [f"{path.relative_to(LOCALE)}: {text}" for path in CATALOGUES for text in check(path, arguments.unchanged)]
    if found:
        sys.exit("\n".join([*found, "If a translation still fits: make messages UNCHANGED=yes"]))
