"""A player's time per turn, beside the opponent's and figures kept on the phone."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.events import NamesRemoved
from clocks.engine.match import Match as MatchState
from clocks.models import Match
from clocks.record.match_record import RecordEntry
from clocks.record.player_pace import PlayerPace, of_seat
from clocks.record.turn_times import turns

ROWS = {
    "all": _("All turns"),
    "opening": _("First ten turns"),
    "middle": _("Turns in between"),
    "last": _("Last ten turns"),
    "before_cube": _("Before the cube"),
    "after_cube": _("After the cube"),
    "cube": _("Cube decisions"),
}


class Row(NamedTuple):
    """A row of the table: kind of turns, and each column's average in milliseconds."""

    key: str
    name: str
    each_ms: list[int | None]


class OwnPace(NamedTuple):
    """Average turn times of both players: “You” and “Opponent”, or by name if shared.

    `kept` is what the script keeps on the phone; None for a shared phone.
    """

    names: list[str]
    rows: list[Row]
    kept: dict[str, Any] | None


def of_phone(match: Match, state: MatchState, lines: Sequence[RecordEntry], device_id: int) -> OwnPace | None:
    """Pace for the phone with this id; None if no turn has ended."""
    played = turns(line.step for line in lines if line.step is not None)
    if not played:
        return None
    seats = [seat for seat in Seat if (match.left_device_id, match.right_device_id)[seat.index] == device_id]
    mine = seats[0]
    paces = [of_seat(played, seat) for seat in (mine, mine.other)]
    rows = [Row(key, str(name), [getattr(pace, key).each_ms for pace in paces]) for key, name in ROWS.items()]
    if len(seats) > 1:
        return OwnPace(list(match.setup["names"]), rows, None)
    return OwnPace([gettext("You"), gettext("Opponent")], rows, _kept(match, state, lines, paces[0]))


def _kept(match: Match, state: MatchState, lines: Sequence[RecordEntry], pace: PlayerPace) -> dict[str, Any]:
    """Figures of a match for its player's phone, without names."""
    return {
        "match": f"{match.pk}-{match.created_at:%Y%m%d%H%M%S}",
        "at": state.at,
        "over": state.status is Status.OVER,
        "forgotten": any(line.event == NamesRemoved.name for line in lines),
        "keep_days": settings.KEEP_DAYS,
        "turns": {key: list(taken) for key, taken in pace._asdict().items()},
    }
