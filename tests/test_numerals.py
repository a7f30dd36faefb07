"""Clock numerals: made from the pinned font, small, all of the same width."""

from io import BytesIO

from fontTools.ttLib import TTFont

from tests import numerals

MOST_BYTES = 12_000


def test_the_numerals_are_those_of_the_pinned_package() -> None:
    assert numerals.FILE.read_bytes() == numerals.made()
    assert numerals.LICENCE.read_text() == numerals.licence()
    assert "SIL OPEN FONT LICENSE" in numerals.licence().upper()


def test_the_numerals_are_small_and_have_only_what_a_time_needs() -> None:
    content = numerals.FILE.read_bytes()
    assert len(content) < MOST_BYTES
    assert {chr(code) for code in TTFont(BytesIO(content)).getBestCmap()} == set(numerals.CHARACTERS)


def test_every_figure_is_equally_wide() -> None:
    font = TTFont(numerals.FILE)
    names, em = font.getBestCmap(), font["head"].unitsPerEm
    widths = {font["hmtx"][names[ord(figure)]][0] for figure in numerals.FIGURES}
    assert [round(width / em, 3) for width in widths] == [numerals.WIDTH]


def test_the_colon_stands_in_the_middle_of_the_figures() -> None:
    font = TTFont(numerals.FILE)
    names, glyphs = font.getBestCmap(), font["glyf"]
    middles = [(glyphs[names[ord(sign)]].yMax + glyphs[names[ord(sign)]].yMin) / 2 for sign in "0:"]
    assert abs(middles[0] - middles[1]) <= 1
