"""Sentences that were odd stay gone from all that people read."""

from pathlib import Path

import polib
import pytest

CATALOGUES = Path(__file__).parents[1] / "clocks" / "locale" / "de" / "LC_MESSAGES"
SAID = [entry.msgid for name in ("django.po", "djangojs.po") for entry in polib.pofile(str(CATALOGUES / name))]


@pytest.mark.parametrize(
    "odd", ["begins at once", "that nobody has begun give way", "sign of lifes", "declined. the director must rule"]
)
def test_an_odd_sentence_is_said_nowhere(odd: str) -> None:
    assert len(SAID) > 500
    found = [said for said in SAID if odd in said.casefold() and "proposed it" not in said]
    assert found == []


def test_no_sentence_says_the_same_twice() -> None:
    def sentences(said: str) -> list[str]:
        return [each.strip().casefold() for each in said.split(". ") if each.strip()]

    assert [said for said in SAID if len(set(sentences(said.rstrip(".")))) < len(sentences(said.rstrip(".")))] == []
