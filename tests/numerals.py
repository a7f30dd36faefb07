"""Clock numerals; `python -m tests.numerals` cuts them out of a font.

Barlow Semi Condensed SemiBold, from a pinned package, reduced to the characters of a time. Digits are 0.6 em wide, like
those of the fallback font on the phone. Digits and the colon are vertically centred.
"""

from importlib.metadata import PackagePath, files
from io import BytesIO
from pathlib import Path

from fontTools.pens.filterPen import DecomposingFilterPen as DecomposingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

PACKAGE = "fontpkg-barlow-semi-condensed"
FOLDER = Path(__file__).resolve().parent.parent / "static" / "clocks" / "fonts"
FILE = FOLDER / "numerals.woff2"
LICENCE = FOLDER / "OFL.txt"
FIGURES = "0123456789"
WIDTH = 0.6  # of a digit, in em: `font-size-adjust: ch-width` in static/clocks/phone/clock.css
CHARACTERS = FIGURES + ":.,+-−–hms "  # signs of a time change, dash of a hidden time


def made() -> bytes:
    """Return the subset font, compressed as WOFF2."""
    font = TTFont(BytesIO(_file("files/BarlowSemiCondensed-SemiBold.ttf").read_binary()), recalcTimestamp=False)
    _use_tabular_figures(font)
    _raise_colon(font)
    _fit(font)
    options = Options()
    options.layout_features, options.hinting, options.notdef_outline = [], False, False
    options.name_IDs, options.name_languages, options.flavor = [0, 1, 2, 13, 14], [0x409], "woff2"
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "DSIG", "STAT"]
    cutter = Subsetter(options)
    cutter.populate(text=CHARACTERS)
    cutter.subset(font)
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written, reorderTables=False)
    return written.getvalue()


def licence() -> str:
    """Licence text from the font's package."""
    return _file("LICENSE").read_text()


def _file(name: str) -> PackagePath:
    (found,) = (file for file in files(PACKAGE) or [] if str(file).endswith(f"condensed/{name}"))
    return found


def _use_tabular_figures(font: TTFont) -> None:
    """Replace the digits with the tabular ones (OpenType feature `tnum`)."""
    tables = font["GSUB"].table
    lookups = {
        index
        for record in tables.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    swaps = {
        glyph: other
        for index in lookups
        for subtable in tables.LookupList.Lookup[index].SubTable
        for glyph, other in getattr(subtable, "ExtSubTable", subtable).mapping.items()
    }
    for table in font["cmap"].tables:
        table.cmap = {
            code: swaps.get(name, name) if chr(code) in FIGURES else name for code, name in table.cmap.items()
        }


def _raise_colon(font: TTFont) -> None:
    """Centre the colon on the digits; the font aligns it with lower-case letters."""
    names, glyphs = font.getBestCmap(), font["glyf"]
    name, zero = names[ord(":")], glyphs[names[ord("0")]]
    by = round((zero.yMax + zero.yMin - glyphs[name].yMax - glyphs[name].yMin) / 2)
    drawn = font.getGlyphSet()
    pen = TTGlyphPen(None)
    drawn[name].draw(DecomposingPen(TransformPen(pen, (1, 0, 0, 1, 0, by)), drawn))
    glyphs[name] = pen.glyph()


def _fit(font: TTFont) -> None:
    """Fit the em and the line height to the digit 0."""
    zero = font.getBestCmap()[ord("0")]
    em, high = round(font["hmtx"][zero][0] / WIDTH), font["glyf"][zero].yMax
    above, below = round((em + high) / 2), round((em - high) / 2)
    font["head"].unitsPerEm = em
    line, metrics = font["hhea"], font["OS/2"]
    line.ascent, line.descent, line.lineGap = above, -below, 0
    metrics.sTypoAscender, metrics.sTypoDescender, metrics.sTypoLineGap = above, -below, 0
    metrics.usWinAscent, metrics.usWinDescent = above, below


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    FILE.write_bytes(made())
    LICENCE.write_text(licence())
