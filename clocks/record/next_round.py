"""The next round, filled in from the results of those before it: lines of a draw, and what they were made from."""

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.models import Round
from clocks.pairing import circle, knockout, swiss
from clocks.record import results
from clocks.record.results import Result

Pair = tuple[str, str | None]


class Proposal(NamedTuple):
    """A draw as text, "" where there is none to offer, and in sentences what it was made from or what it lacks."""

    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A round as pairing sees it: its results in table order, and the players by their names without case."""

    round: Round
    lines: tuple[Result, ...]
    names: dict[str, str]

    @property
    def open(self) -> list[Result]:
        """Return the matches that are not decided."""
        return [line for line in self.lines if not line.over]


class Event:
    """The rounds of one event up to the one that is followed, and who plays on in it.

    Events that share a tournament are told apart by their players: an earlier round belongs to this event where at
    least half of its players are in the round that is followed. `others` are players without a match in that round.
    """

    def __init__(self, round_: Round, now: int, others: Sequence[str] = ()) -> None:
        self.last = _played(round_, now)
        self.others = [" ".join(name.split()) for name in others if name.strip()]
        known = {**self.last.names, **{name.casefold(): name for name in self.others}}
        earlier = round_.tournament.rounds.filter(number__lt=round_.number).select_related("tournament")
        found = [_played(each, now) for each in earlier]
        of_event = [each for each in found if 2 * len(each.names.keys() & known.keys()) >= max(1, len(each.names))]
        self.rounds = [*of_event, self.last]
        # In the order in which the draws name them, which is that of the seeds where the first draw followed these.
        seen = {key: name for each in self.rounds for key, name in each.names.items()}
        self.players = {key: name for key, name in {**seen, **known}.items() if key in known}
        self.missing = [name for key, name in seen.items() if key not in known]

    def had_bye(self) -> list[tuple[str, Round]]:
        """Return whom each round left without a match, where it was one player alone."""
        found = []
        for each in self.rounds:
            absent = [key for key in self.players if key not in each.names]
            if len(absent) == 1:
                found.append((absent[0], each.round))
        return found


def resting(round_: Round, now: int) -> list[str]:
    """Return the player who was in the rounds before and has no match in this one, where it is one alone: a bye."""
    missing = Event(round_, now).missing
    return missing if len(missing) == 1 else []


def propose(event: Event, how: str) -> Proposal:
    """Return the next round of an event, paired as `how` says: winners, losers, swiss or circle."""
    if not event.last.lines:
        return Proposal("", (_("%(round)s has no matches yet.") % {"round": event.last.round},))
    if how == "circle":
        return _circle(event)
    undecided = [
        _("Table %(table)s is not decided: %(match)s.") % {"table": line.table, "match": line.pairing}
        for line in event.last.open
    ]
    if how == "swiss":
        if undecided:
            return Proposal("", (*undecided, _("A Swiss round needs every result of the round before it.")))
        return _swiss(event)
    places = [_place(line, how) for line in event.last.lines]
    pairs = knockout.pair(places, event.others)
    notes = list(undecided)
    if undecided:
        notes.append(_("Only matches whose two players are known are filled in. Come back for the rest."))
    if not pairs and not undecided:
        notes.append(_("There is nobody left to meet: this was the last round."))
    return Proposal(_text(pairs), tuple(notes))


def _place(line: Result, how: str) -> str | None:
    """Return who comes from a table: its winner or its loser; None where that is not decided."""
    if not line.over:
        return None
    return line.winner if (how == "winners") else next(name for name in line.names if name != line.winner)


def _swiss(event: Event) -> Proposal:
    score = dict.fromkeys(event.players, 0)
    for each in event.rounds:
        for line in each.lines:
            if line.over and line.winner.casefold() in score:
                score[line.winner.casefold()] += 1
    byes = event.had_bye()
    for key, _round in byes:
        score[key] += 1
    met, rested = _met(event), {key for key, _round in byes}
    pairs = swiss.pair(list(event.players), score, met, rested)
    notes = [
        _("%(name)s had no match in %(round)s: counted as a bye and a win.")
        % {"name": event.players[key], "round": round_}
        for key, round_ in byes
    ]
    again = [(left, right) for left, right in pairs if right is not None and frozenset((left, right)) in met]
    notes += [
        _("%(left)s and %(right)s have met before: no round without a rematch is left.")
        % {"left": event.players[left], "right": event.players[right]}
        for left, right in again
    ]
    return Proposal(_text(_named(event, pairs)), tuple(notes))


def _circle(event: Event) -> Proposal:
    start = event.rounds[0]
    first: list[Pair] = [(line.names[0].casefold(), line.names[1].casefold()) for line in start.lines]
    first += [(key, None) for key in event.players if key not in start.names]
    if len(start.names.keys() | event.players.keys()) != len(event.players) or len(first) > len(start.lines) + 1:
        words = _("The circle method needs the same players in every round, at most one of them with a bye.")
        return Proposal("", (words,))
    pairs = circle.next_round(first, _met(event))
    if pairs is None:
        return Proposal("", (_("No round of the circle is left in which nobody meets the same opponent again."),))
    return Proposal(_text(_named(event, pairs)), ())


def _met(event: Event) -> Collection[frozenset[str]]:
    return {frozenset(name.casefold() for name in line.names) for each in event.rounds for line in each.lines}


def _named(event: Event, pairs: Sequence[Pair]) -> list[Pair]:
    return [(event.players[left], None if right is None else event.players[right]) for left, right in pairs]


def _text(pairs: Sequence[Pair]) -> str:
    """Return pairs as a draw that can be imported, "" for none."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([("left", "right"), *((left, right or "bye") for left, right in pairs)] if pairs else [])
    return file.getvalue()


def _played(round_: Round, now: int) -> Played:
    lines = tuple(results.of_round(round_, now))
    return Played(round_, lines, {name.casefold(): name for line in lines for name in line.names})
