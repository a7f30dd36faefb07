"""Human-readable record of a match, from its journal, with actors and reasons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clocks.engine import events as e
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.match import Match
from clocks.journal.entries import SETUP
from clocks.journal.names import called
from clocks.journal.tenure import IN_FULL, Devices, Tenure, reseated
from clocks.lag.late_presses import PRESSES, late_press, was_heard
from clocks.models import JournalEntry
from clocks.record.look_back import Step
from clocks.record.replaying import replay
from clocks.wording.amounts import clock, seconds
from clocks.wording.events import describe, handed_over, listed
from clocks.wording.language import said

SEATS = tuple(str(seat) for seat in Seat)
ANSWERS = (e.Agreed, e.Took, e.GameEnded, e.MatchEnded, e.ExpiryApplied)


class Change(NamedTuple):
    """A change made by an entry, in words."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """A journal entry in words. `why` is a note.

    `phone` identifies the phone by its number in the match and its seats, `device` by its database key. `held_up_ms` is
    the network delay that was not credited; `step` has the match before and after, and is None for the setup.
    """

    seq: int
    at: int
    by: str
    who: str
    device: str
    phone: str
    event: str
    what: str
    changes: tuple[Change, ...]
    why: str
    credit_ms: int
    held_up_ms: int
    command: dict[str, Any] | None
    command_id: str
    claimed_at: int | None
    data: dict[str, Any]
    hash: str
    step: Step | None = None

    @property
    def when(self) -> datetime:
        """Time of the entry as a datetime in UTC."""
        return datetime.fromtimestamp(self.at / 1000, UTC)

    @property
    def tenth(self) -> int:
        """Tenths of a second of `at`, from 0 to 9."""
        return self.at % 1000 // 100

    @property
    def names_itself(self) -> bool:
        """True if `what` begins with the actor's name; a short record then omits `who`."""
        return self.what.startswith(self.who)

    @property
    def is_ruling(self) -> bool:
        """True for entries relevant to disputes: calls, flags, the director's actions."""
        return self.event in (e.DirectorCalled.name, e.FlagFell.name) or self.by == Official.DIRECTOR


def lines(match_id: int) -> Iterator[RecordEntry]:
    """Yield the record of a match in journal order."""
    entries = JournalEntry.objects.filter(match_id=match_id).order_by("seq").select_related("user")
    seating: tuple[Devices, Tenure] = ((None, None), IN_FULL)
    asked_at: int | None = None  # phone on which the open proposal was made
    numbers: dict[int, int] = {}  # of phones, in order of appearance
    for entry, match, step in replay(entries.iterator()):
        if entry.device_id is not None:
            numbers.setdefault(entry.device_id, len(numbers) + 1)
        if step is None:
            yield _line(entry, match, _phone(entry, match, numbers, seating[0]), _made(match), ())
            continue
        event = step.event
        what = handed_over(event, entry.heard_at) if isinstance(event, e.HandedOver) else describe(match, event)
        what = _given_by(entry, match, _pressed_at(entry, match, seating[0], what))
        if isinstance(event, e.Proposed | e.Doubled):
            asked_at = entry.device_id
        elif isinstance(event, ANSWERS) and asked_at is not None and entry.device_id == asked_at == seating[1].between:
            what = _("%(what)s (one phone for both players)") % {"what": what}
        seating = reseated(*seating, event)
        phone = _phone(entry, match, numbers, seating[0])
        yield _line(entry, match, phone, what, tuple(_changes(match, step.after, event)), step)


def _given_by(entry: JournalEntry, match: Match, what: str) -> str:
    """Append to the description who gave away a seat.

    The server seats a phone by itself only if the seat is free or its phone is offline.
    """
    if entry.event != e.SeatTaken.name or entry.by == Official.SERVER:
        return what
    return _("%(what)s, given away by %(who)s") % {"what": what, "who": _who(match, entry)}


def _pressed_at(entry: JournalEntry, match: Match, holders: Sequence[int | None], what: str) -> str:
    """Append on whose phone a press was made if it was the opponent's."""
    if entry.event not in PRESSES or entry.by not in SEATS or entry.device_id in (None, holders[Seat(entry.by).index]):
        return what
    others = [match.setup.names[seat.index] for seat in Seat if holders[seat.index] == entry.device_id]
    return _("%(what)s, pressed at %(name)s’s phone") % {"what": what, "name": others[0]} if others else what


def _phone(entry: JournalEntry, match: Match, numbers: Mapping[int, int], holders: Devices) -> str:
    """Name of an entry's phone: its number in the match, and the seats that it has.

    The seats are omitted if the phone has only the actor's seat.
    """
    if entry.device_id is None:
        return ""
    values = {"number": numbers[entry.device_id]}
    names = [match.setup.names[seat.index] for seat in Seat if holders[seat.index] == entry.device_id]
    if names in ([], [_who(match, entry)]):
        return _("phone %(number)s") % values
    return _("phone %(number)s (%(names)s)") % (values | {"names": listed(names)})


def _line(
    entry: JournalEntry, match: Match, phone: str, what: str, changes: tuple[Change, ...], step: Step | None = None
) -> RecordEntry:
    command = entry.command or {}
    is_press = entry.event in PRESSES
    late = late_press(match, entry) if is_press else None
    if entry.claimed_at is not None and was_heard(entry.claimed_at, entry.heard_at):
        what = _("%(what)s, claimed %(ms)s ms earlier though the phone was heard since") % {
            "what": what,
            "ms": entry.at - entry.claimed_at,
        }
    if "arrived_at" in command:
        what = _("%(what)s, made %(ms)s ms before it arrived, while the phone did not answer") % {
            "what": what,
            "ms": command["arrived_at"] - entry.at,
        }
    return RecordEntry(
        seq=entry.seq,
        at=entry.at,
        by=entry.by,
        who=_who(match, entry),
        device="" if entry.device_id is None else _("phone %(number)s") % {"number": entry.device_id},
        phone=phone,
        event=entry.event,
        what=what,
        changes=changes,
        why=str(entry.data.get("note") or (command.get("note") if command.get("do") == "propose" else "") or ""),
        credit_ms=entry.credit_ms,
        held_up_ms=0 if late is None else late.late_ms - late.credit_ms,
        command=entry.command,
        command_id=entry.command_id or "",
        claimed_at=entry.claimed_at,
        data=entry.data,
        hash=entry.hash or "",
        step=step,
    )


def _who(match: Match, entry: JournalEntry) -> str:
    if entry.by in SEATS:
        return match.setup.names[Seat(entry.by).index]
    if entry.by == Official.DIRECTOR and entry.user is not None:
        name = entry.user_name or called(entry.user)
        if entry.user_role == "helper":
            return _("helper %(name)s") % {"name": name}
        return _("director %(name)s") % {"name": name} if name != "director" else _("director")
    if entry.event == SETUP and entry.by == Official.SERVER and entry.device_id is not None:
        return _("the players")
    return said(entry.by)


def _made(match: Match) -> str:
    setup = match.setup
    clocks = listed(dict.fromkeys(clock(ms) for ms in match.clock.reserve_ms))
    wait = match.clock.control.delay_ms
    words = _("Match made: %(left)s – %(right)s to %(length)s, %(rules)s, %(format)s; reserve %(clocks)s")
    if any(setup.score) and wait:
        words = _(
            "Match made: %(left)s – %(right)s to %(length)s from %(score)s, %(rules)s, %(format)s; "
            "reserve %(clocks)s, delay %(delay)s"
        )
    elif any(setup.score):
        words = _(
            "Match made: %(left)s – %(right)s to %(length)s from %(score)s, %(rules)s, %(format)s; reserve %(clocks)s"
        )
    elif wait:
        words = _(
            "Match made: %(left)s – %(right)s to %(length)s, %(rules)s, %(format)s; reserve %(clocks)s, delay %(delay)s"
        )
    return words % {
        "left": setup.names[0],
        "right": setup.names[1],
        "length": setup.length,
        "score": f"{setup.score[0]}–{setup.score[1]}",
        "rules": said(match.rules.name),
        "format": said(setup.format),
        "clocks": clocks,
        "delay": seconds(wait),
    }


def _changes(before: Match, after: Match, event: e.Event) -> Iterator[Change]:
    """Yield the changes. If a turn ended, compare reserves with those at its start."""
    at, names = event.at, before.setup.names
    ends_turn = before.clock.turn is not None and after.clock.turn is not before.clock.turn
    was = before.clock.reserve_ms if ends_turn else before.clock.reserves(at)
    now = after.clock.reserve_ms if ends_turn else after.clock.reserves(at)
    for seat in Seat:
        if was[seat.index] != now[seat.index]:
            yield Change(
                _("%(name)s’s reserve") % {"name": names[seat.index]}, clock(was[seat.index]), clock(now[seat.index])
            )
    # A press always passes the turn, so don't list that.
    unsaid = (_("Turn"),) if event.name in PRESSES and before.turn is not None else ()
    first, second = _facts(before), _facts(after)
    for name, value in first.items():
        if value != second[name] and name not in unsaid:
            yield Change(name, value, second[name])


def _facts(match: Match) -> Mapping[str, str]:
    """State of a match in words, without clocks, to compare before and after an event."""
    names, cube, nobody = match.setup.names, match.cube, _("nobody")

    def name(seat: Seat | None, otherwise: str) -> str:
        return otherwise if seat is None else names[seat.index]

    held = f"{cube.value}, {name(cube.owner, _('in the middle'))}"
    return {
        _("Status"): said(match.status),
        _("Turn"): name(match.turn, nobody),
        _("Score"): f"{match.score[0]}–{match.score[1]}",
        _("Game"): str(match.game),
        _("Crawford game"): {"none": _("not yet"), "now": _("this game"), "done": _("played")}[match.crawford],
        _("Cube"): _("%(cube)s, frozen") % {"cube": held} if cube.frozen else held,
        _("Double offered by"): name(cube.offered_by, nobody),
        # Translators: a period of play with its own time.
        _("Control"): {1: pgettext("control", "first"), 2: pgettext("control", "second")}[match.control],
        _("Offences"): f"{match.offences[0]}–{match.offences[1]}",
        _("Delay forfeited by"): listed(names[s.index] for s in Seat if match.forfeit[s.index]) or nobody,
        _("Winner"): name(match.winner, nobody),
    }
