"""Brackets of 8 to 256 players with names of 25 letters, on paper and on screen."""

import pytest

from clocks.models import Round, Tournament
from clocks.tournament.events import Event, Game
from clocks.tournament.players import Players
from clocks.views import bracket_drawing, bracket_paper
from clocks.views.bracket_drawing import TYPE, Drawing
from clocks.views.bracket_paper import PAPERS
from clocks.views.public.hall_screen import MOST

MM = 2.3  # least type size of names on paper
LEGIBLE = 0.0108  # least type size of names in the hall, as a share of the drawing's width (`hall/layout.js`)
NUMBERS = [8, 32, 128, 256]


def names(players: int) -> list[str]:
    return [f"Bartholomew Feather {n:05}" for n in range(players)]


def knockout(players: int) -> Event:
    """Knockout with only the first round drawn."""
    seats = names(players)
    games = [
        Game(left, right, "", None, str(n), False, n, n + 1)
        for n, (left, right) in enumerate(zip(seats[::2], seats[1::2], strict=True))
    ]
    return Event(None, "Main", "knockout", Players(Tournament()), [(Round(number=1), games)])


def written(drawings: list[Drawing]) -> list[str]:
    """Sorted names in the boxes, without references to other sheets."""
    shown = [side.name for drawing in drawings for box in drawing.boxes for side in box.sides]
    return sorted(name for name in shown if name and not name.startswith("←"))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("players", NUMBERS)
def test_names_of_25_letters_are_whole_and_legible_on_paper(players: int, paper: str) -> None:
    room = PAPERS[paper]
    placed = [part for sheet in bracket_paper.sheets([knockout(players)], room) for part in sheet.parts]
    assert written([each.part.drawing for each in placed]) == names(players)
    for each in placed:
        assert TYPE * each.width / each.part.drawing.width >= MM - 0.01
        assert each.width <= room.width and each.height <= room.height


@pytest.mark.parametrize("players", NUMBERS)
def test_names_of_25_letters_are_whole_and_legible_in_the_hall(players: int) -> None:
    drawn = bracket_drawing.parts(knockout(players), MOST)
    assert written(drawn) == names(players)
    assert max(LEGIBLE * each.width for each in drawn) <= TYPE


def test_these_names_have_25_letters() -> None:
    assert {len(name) for name in names(256)} == {25}


def test_a_winner_stands_in_the_dashed_box_of_the_next_round() -> None:
    event = knockout(8)
    games = event.rounds[0][1]
    games[1] = games[1]._replace(winner=games[1].right)
    drawing = bracket_drawing.whole(event)
    later = [(box.look, [side.name for side in box.sides]) for box in drawing.boxes if box.x > 0]
    assert later == [("empty", ["", names(8)[3]]), ("empty", ["", ""]), ("empty", ["", ""])]
