"""Propose the next round from the results so far (Swiss, knockout, round robin)."""

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.models import Round
from clocks.pairing import circle, knockout, swiss
from clocks.tournament import places, results
from clocks.tournament.players import Players
from clocks.tournament.results import Result

Pair = tuple[str, str | None]


class Proposal(NamedTuple):
    """A draw as CSV ("" if impossible), with notes on its sources or missing inputs."""

    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A played round, as the pairing methods need it.

    `results` are in the order of the tables as drawn; `names` and `byes` are keyed by casefolded name.
    """

    round: Round
    results: tuple[Result, ...]
    names: dict[str, str]
    byes: dict[str, str]

    @property
    def open(self) -> list[Result]:
        """Undecided matches."""
        return [result for result in self.results if not result.over]


class Event:
    """Rounds of one event up to the last one, and the players still in it.

    An event is a section. Without sections, events in the same tournament are distinguished by their players: an
    earlier round belongs to this event if at least half of its players are in the last round or in the round `beside`
    it. `others` are players without a match in the last round. Withdrawn players are not in `players`.
    """

    def __init__(self, round_: Round, now: int, others: Sequence[str] = (), beside: Round | None = None) -> None:
        self.last = _played(round_, now)
        self.beside = _played(beside, now) if beside else None
        self.others = [" ".join(name.split()) for name in others if name.strip()]
        self.listed, self.format = Players(round_.tournament), round_.format
        known = {**self.last.names, **{name.casefold(): name for name in self.others}}
        nearby = {**known, **(self.beside.names if self.beside else {})}
        earlier = round_.tournament.rounds.filter(number__lt=max(round_.number, beside.number if beside else 0))
        of_section = [each.section_id for each in (round_, beside) if each is not None and each.section_id]
        if of_section:
            earlier = earlier.filter(section__in=of_section)
        found = [_played(each, now) for each in earlier.exclude(pk=round_.pk).select_related("tournament")]
        of_event = [
            each
            for each in found
            if of_section or 2 * len(each.names.keys() & nearby.keys()) >= max(1, len(each.names))
        ]
        self.rounds = [*of_event, self.last]
        # Keep the order of the draws: it is the seeding if the first draw followed the seeds.
        seen = {key: name for each in self.rounds for key, name in each.names.items()}
        rested = {key: name for each in self.rounds for key, name in each.byes.items()}
        self.everybody = {**seen, **known, **rested}
        self.players = {
            key: name for key, name in self.everybody.items() if key in known and not self.has_withdrawn(name)
        }
        self.missing = [name for key, name in seen.items() if key not in known]

    def has_withdrawn(self, name: str) -> bool:
        """True if the player, or a member of the team, has withdrawn."""
        return self.listed.has_withdrawn(name, self.format)

    def had_bye(self) -> list[tuple[str, Round]]:
        """Byes so far, as pairs (casefolded name, round): drawn or inferred.

        In a round without drawn byes, one is inferred for the only absent player. A player who would get two byes this
        way joined late, so none is inferred.
        """
        drawn, guessed = [], []
        for each in self.rounds:
            absent = [key for key in self.players if key not in each.names]
            drawn += [(key, each.round) for key in absent if key in each.byes]
            if len(absent) == 1 and not each.byes:
                guessed.append((absent[0], each.round))
        had = [key for key, _round in (*drawn, *guessed)]
        return [*drawn, *((key, round_) for key, round_ in guessed if had.count(key) == 1)]


def players_with_bye(round_: Round, now: int) -> list[str]:
    """Players with a bye in a round.

    If no round of the event has a drawn bye, this is the earlier player who is absent from this round, if there is
    exactly one.
    """
    drawn = [bye.name for bye in round_.byes.order_by("pk")]
    event = Event(round_, now)
    guess = len(event.missing) == 1 and not any(each.byes for each in event.rounds)
    return drawn or (event.missing if guess else [])


def losers(event: Event) -> list[str]:
    """Losers of the last round, or placeholders, except players who have withdrawn."""
    lost = [_place(result, "losers", event.last.round) for result in event.last.results]
    return [name for name in lost if not event.has_withdrawn(name)]


def propose(event: Event, how: str) -> Proposal:
    """Pair the next round of an event.

    `how` is winners, losers, lower, swiss, circle or hand.
    """
    if not event.last.results and not event.last.byes:
        return Proposal("", (_("%(round)s has no matches yet.") % {"round": event.last.round},))
    if how == "circle":
        return _circle(event)
    if how == "hand":
        return Proposal(as_csv([(name, "") for name in event.players.values()]), ())
    waits: list[tuple[str, object]] = [
        (result.table, result.pairing) for each in (event.last, event.beside) if each for result in each.open
    ]
    if how == "swiss":
        byes = [(places.read(name), name) for name in event.last.byes.values()]
        waits += [(source.table, name) for source, name in byes if source is not None]
    words = _("Table %(table)s is not decided: %(match)s.")
    undecided = [words % {"table": table, "match": match} for table, match in waits]
    if how == "swiss":
        if undecided:
            return Proposal("", (*undecided, _("A Swiss round needs every result of the round before it.")))
        return _swiss(event)
    return _knockout(event, how, undecided)


def _knockout(event: Event, how: str, undecided: Sequence[str]) -> Proposal:
    come = [_place(result, how, event.last.round) for result in event.last.results]
    stays = "losers" if how == "losers" else "winners"
    beside = [_place(result, stays, event.beside.round) for result in event.beside.results] if event.beside else []
    if how == "losers":  # a player with a bye has not lost
        late = [name for name in event.others if name.casefold() not in event.last.byes]
        pairs = knockout.pair([*come, *beside], late)
    elif beside:
        pairs = knockout.cross([*beside, *event.others], come, _met_by_name(event))
    else:
        pairs = _in_bracket(event, come) or knockout.pair(come, event.others)
    notes = list(undecided)
    if undecided:
        notes.append(_("Their places are held and fill themselves in once those matches are decided."))
    pairs, gone = _without_withdrawn(event, pairs)
    notes += gone
    if not pairs:
        notes.append(_("There is nobody left to play, so this was the last round."))
    return Proposal(as_csv(pairs), tuple(notes))


def _in_bracket(event: Event, come: Sequence[str]) -> list[Pair]:
    """Pair bracket neighbours, then the others; [] if no bracket or after the final.

    If a player with a bye is no longer among the `others`, the neighbour gets a bye.
    """
    places_ = [result.pairing.position for result in event.last.results if result.pairing is not None]
    if not places_ or None in places_:
        return []
    others = {name.casefold(): name for name in event.others}
    entered = dict(zip(places_, come, strict=True))
    byes = event.last.round.byes.exclude(position=None)
    for bye in byes:
        if bye.name.casefold() in others:
            entered[bye.position] = others.pop(bye.name.casefold())
    pairs: list[Pair] = []
    for place in range(0, max(place for place in entered if place is not None) + 1, 2):
        both = [entered[each] for each in (place, place + 1) if each in entered]
        pairs += [(both[0], both[1] if len(both) == 2 else None)] if both else []
    if len(pairs) == 1 and pairs[0][1] is None and not others:
        return []  # the final has been played
    places_ += byes.values_list("position", flat=True)
    if max(place for place in places_ if place is not None) % 2 == 0:
        _give_way(pairs, event.last.byes)
    return [*pairs, *knockout.pair(list(others.values()))]


def _give_way(pairs: list[Pair], rested: Collection[str]) -> None:
    """Give a second consecutive bye at the end of an odd bracket to another player.

    Otherwise its last player could have byes up to the final.
    """
    *_others, (left, right), (last, nobody) = [("", None), *pairs]
    if right is not None and nobody is None and last.casefold() in rested:
        pairs[-2:] = [(left, last), (right, None)]


def _without_withdrawn(event: Event, pairs: Sequence[Pair]) -> tuple[list[Pair], list[str]]:
    """Give opponents of withdrawn players a bye; also return a note on each."""
    kept: list[Pair] = []
    notes = []
    for pair in pairs:
        names = [name for name in pair if name is not None]
        left = [name for name in names if not event.has_withdrawn(name)]
        kept += [pair] if len(left) == 2 else [(name, None) for name in left]
        words = _("%(name)s has withdrawn, so the opponent has a bye.")
        notes += [words % {"name": name} for name in names if left and name not in left]
    return kept, notes


def _place(result: Result, how: str, round_: Round) -> str:
    """Winner or loser of a match, or a placeholder while it is undecided."""
    takes = "winner" if how == "winners" else "loser"
    if not result.over:
        return places.words(takes, result.table, round_)
    return result.winner if takes == "winner" else next(name for name in result.names if name != result.winner)


def _swiss(event: Event) -> Proposal:
    score = dict.fromkeys(event.players, 0)
    for each in event.rounds:
        for result in each.results:
            if result.over and result.winner.casefold() in score:
                score[result.winner.casefold()] += 1
    byes = event.had_bye()
    for key, _round in byes:
        score[key] += 1
    met, had_bye = _met(event), {key for key, _round in byes}
    pairs = swiss.pair(list(event.players), score, met, had_bye)
    notes = [
        _("%(name)s had no match in %(round)s, which counts as a bye and a win.")
        % {"name": event.players[key], "round": round_}
        for key, round_ in byes
    ]
    again = [(left, right) for left, right in pairs if right is not None and frozenset((left, right)) in met]
    notes += [
        _("%(left)s and %(right)s have met before, because no round without a rematch is left.")
        % {"left": event.players[left], "right": event.players[right]}
        for left, right in again
    ]
    return Proposal(as_csv(_named(event, pairs)), tuple(notes))


def _circle(event: Event) -> Proposal:
    start = event.rounds[0]
    first: list[Pair] = [(result.names[0].casefold(), result.names[1].casefold()) for result in start.results]
    # Withdrawn players keep their place in the circle, so that nobody else's opponents change.
    first += [(key, None) for key in event.everybody if key not in start.names]
    gone = [key for key in start.names if key not in event.players and not event.has_withdrawn(event.everybody[key])]
    if gone or len(first) > len(start.results) + 1:
        words = _("The circle method needs the same players in every round, at most one of them with a bye.")
        return Proposal("", (words,))
    withdrawn = {key for key, name in event.everybody.items() if event.has_withdrawn(name)}
    rested = sum(not each.results for each in event.rounds)
    pairs = circle.next_round(first, _met(event), withdrawn, rested)
    if pairs is None:
        return Proposal("", (_("No round of the circle is left in which nobody meets the same opponent again."),))
    kept, notes = _without_withdrawn(event, _named(event, pairs))
    return Proposal(as_csv(kept), tuple(notes))


def _met(event: Event) -> Collection[frozenset[str]]:
    return {frozenset(name.casefold() for name in result.names) for each in event.rounds for result in each.results}


def _met_by_name(event: Event) -> Collection[frozenset[str]]:
    """Pairs that have already met, by names as drawn."""
    return {frozenset(result.names) for each in (*event.rounds, event.beside) if each for result in each.results}


def _named(event: Event, pairs: Sequence[Pair]) -> list[Pair]:
    return [(event.everybody[left], None if right is None else event.everybody[right]) for left, right in pairs]


def as_csv(pairs: Sequence[Pair]) -> str:
    """Pairs as a CSV draw for import; "" if there are none."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows(
        [("left", "right"), *((left, "bye" if right is None else right) for left, right in pairs)] if pairs else []
    )
    return file.getvalue()


def _played(round_: Round, now: int) -> Played:
    found = tuple(results.as_drawn(results.of_round(round_, now)))
    names = {name.casefold(): name for result in found for name in result.names}
    return Played(round_, found, names, {bye.name.casefold(): bye.name for bye in round_.byes.all()})
