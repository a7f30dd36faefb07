"""Copy player details from a draw to the list of players."""

from collections.abc import Iterable, Iterator, Mapping

from clocks.engine.parsing import hidden_character
from clocks.host.slices import update_in_slices
from clocks.models import Player, Tournament
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_columns import OF_PLAYER
from clocks.tournament.player_list import LONGEST
from clocks.tournament.players import Players

# Fill only what is still empty, because another request may have stored a detail since the list was read.
_FILLED = ", ".join(f"{each} = CASE WHEN {each} = '' THEN %s ELSE {each} END" for each in OF_PLAYER)
_FILL = f"UPDATE {Player._meta.db_table} SET {_FILLED} WHERE id = %s"


def of_lines(lines: Iterable[DrawLine]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each name in these lines with the details given for it."""
    for line in lines:
        for seat in ("left", "right"):
            yield line.cells[seat], {each: line.cells.get(f"{seat}_{each}", "") for each in OF_PLAYER}


def keep(tournament: Tournament, given: Iterable[tuple[str, Mapping[str, str]]]) -> None:
    """Fill in details that the list of players does not have yet."""
    known = Players(tournament)
    changed = []
    for name, details in given:
        player = known.of(name) if any(details.values()) else None
        if player is None:
            continue
        own = [getattr(player, each) for each in OF_PLAYER]
        filled = [mine or _storable(each, details[each]) for each, mine in zip(OF_PLAYER, own, strict=True)]
        if filled != own:
            changed.append((*filled, player.pk))
    update_in_slices(_FILL, changed)


def _storable(detail: str, value: str) -> str:
    """The value, or "" if it is too long or contains a hidden character."""
    return "" if len(value) > LONGEST[detail] or hidden_character(value) else value
