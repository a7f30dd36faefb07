"""Brackets on paper: large ones are split to be legible, small ones share a sheet."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from clocks.tournament.events import Event
from clocks.views.bracket_drawing import TYPE, Drawing, parts
from clocks.views.bracket_svg import svg

READABLE = 2.3 / TYPE  # least mm per px of a drawing: names of 2.3 mm (6.5 pt)
LARGEST = 0.5  # most mm per px of a drawing: about twice the size on a screen
GAP = 40  # px between two brackets on a sheet
LABEL = 9  # mm above a bracket


class Paper(NamedTuple):
    """Paper size: name, printable area in mm, most matches in a sheet's first round."""

    name: str
    width: int
    height: int
    most: int


PAPERS = {
    "a4": Paper("A4", 277, 190, 16),
    "a3": Paper("A3", 277, 400, 32),
    "letter": Paper("Letter", 259, 195, 16),
}


class Part(NamedTuple):
    """A bracket or a part of one; `of` is the number of parts of that bracket."""

    event: Event
    drawing: Drawing
    of: int


class Placed(NamedTuple):
    """A part on a sheet, with its size there in mm."""

    part: Part
    width: float
    height: float

    @property
    def svg(self) -> SafeString:
        """The part as SVG."""
        return svg(self.part.drawing, self.part.event.name, (self.width, self.height))


class Sheet(NamedTuple):
    """A sheet of paper; its parts are side by side, or one below the other."""

    parts: Sequence[Placed]
    beside: bool


def sheets(played: Sequence[Event], paper: Paper) -> list[Sheet]:
    """Arrange brackets on sheets of paper, in order."""
    found: list[list[Part]] = []
    for event in played:
        drawings = _parts(event, paper)
        for drawing in drawings:
            part = Part(event, drawing, len(drawings))
            if found and max(_scales([*found[-1], part], paper)) >= READABLE:
                found[-1].append(part)
            else:
                found.append([part])
    return [_sheet(each, paper) for each in found]


def _parts(event: Event, paper: Paper) -> list[Drawing]:
    """Halve a bracket until its parts are legible, down to 4 first-round matches."""
    most = paper.most
    while True:
        found = parts(event, most)
        if most == 4 or min(max(_scales([Part(event, each, 1)], paper)) for each in found) >= READABLE:
            return found
        most //= 2


def _sheet(on_it: Sequence[Part], paper: Paper) -> Sheet:
    beside, below = (min(LARGEST, scale) for scale in _scales(on_it, paper))
    scale = max(beside, below)
    sizes = [(round(part.drawing.width * scale, 1), round(part.drawing.height * scale, 1)) for part in on_it]
    return Sheet([Placed(part, *size) for part, size in zip(on_it, sizes, strict=True)], beside >= below)


def _scales(on_it: Sequence[Part], paper: Paper) -> tuple[float, float]:
    """Scales in mm per px: with the parts side by side, and one below the other."""
    widths, heights = [part.drawing.width for part in on_it], [part.drawing.height for part in on_it]
    gaps = GAP * (len(on_it) - 1)
    beside = min(paper.width / (sum(widths) + gaps), (paper.height - LABEL) / max(heights))
    below = min(paper.width / max(widths), (paper.height - LABEL * len(on_it)) / (sum(heights) + gaps))
    return beside, below
