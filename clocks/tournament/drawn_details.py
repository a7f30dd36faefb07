"""Details of players that a draw gives, kept in the list of players."""

from collections.abc import Sequence

from clocks.engine.parsing import hidden_character
from clocks.host.slices import update_in_slices
from clocks.models import Player, Tournament
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_columns import OF_PLAYER
from clocks.tournament.player_list import LONGEST
from clocks.tournament.players import Players

_FILL = f"UPDATE {Player._meta.db_table} SET {', '.join(f'{each} = %s' for each in OF_PLAYER)} WHERE id = %s"


def keep(tournament: Tournament, lines: Sequence[DrawLine]) -> None:
    """Fill in details that the list of players does not have yet."""
    known = Players(tournament)
    changed = []
    for line in lines:
        for seat in ("left", "right"):
            given = {each: line.cells.get(f"{seat}_{each}", "") for each in OF_PLAYER}
            player = known.of(line.cells[seat]) if any(given.values()) else None
            if player is None:
                continue
            filled = [getattr(player, each) or _storable(each, given[each]) for each in OF_PLAYER]
            if filled != [getattr(player, each) for each in OF_PLAYER]:
                changed.append((*filled, player.pk))
    update_in_slices(_FILL, changed)


def _storable(detail: str, value: str) -> str:
    """A detail, or "" if it cannot be stored."""
    return "" if len(value) > LONGEST[detail] or hidden_character(value) else value
