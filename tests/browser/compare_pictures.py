"""Compare screenshots: `python -m tests.browser.compare_pictures BEFORE AFTER`.

Lists those that differ, and saves the two versions of each side by side in AFTER/differing.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops

LOUD = 24  # ignore differences of a colour channel up to this (of 255)


def differences(before: Path, after: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each changed screenshot, with a description of the difference."""
    names = {path.name for folder in (before, after) for path in folder.glob("*.png")}
    for name in sorted(names):
        old, new = before / name, after / name
        if not (old.exists() and new.exists()):
            yield name, "missing before" if new.exists() else "missing after"
            continue
        if old.read_bytes() == new.read_bytes():
            continue
        one, other = Image.open(old).convert("RGB"), Image.open(new).convert("RGB")
        if one.size != other.size:
            yield name, f"size {one.size} {other.size}"
            continue
        loud = ImageChops.difference(one, other).point(lambda value: 255 if value > LOUD else 0).convert("L")
        if box := loud.getbbox():
            count = sum(loud.point(lambda value: 1 if value else 0).getdata())
            yield name, f"{count} pixels in {box}"


def compare(before: Path, after: Path) -> None:
    """List changed screenshots; save both versions side by side."""
    shown = after / "differing"
    shutil.rmtree(shown, ignore_errors=True)
    shown.mkdir()
    for name, words in differences(before, after):
        print(f"{name}: {words}", flush=True)
        if words.startswith("missing"):
            continue
        pair = [Image.open(folder / name).convert("RGB") for folder in (before, after)]
        both = Image.new("RGB", (sum(each.width for each in pair) + 12, max(each.height for each in pair)), "magenta")
        both.paste(pair[0], (0, 0))
        both.paste(pair[1], (pair[0].width + 12, 0))
        both.save(shown / name)


if __name__ == "__main__":
    compare(*map(Path, sys.argv[1:]))
