"""Effects of a corrected or withdrawn result on pairings and byes of later rounds."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from clocks.desk.pairings import Outcome, outcome
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.models import Bye, Match, Pairing, Place, Section
from clocks.tournament import places
from clocks.tournament.draw_plan import has_begun
from clocks.tournament.players import Players, correct, name_key, respell_drawn

Names = tuple[str, str]


class Held(NamedTuple):
    """Place that waits for the winner or loser (`takes`) of a reopened match.

    `seat` is None for a bye.
    """

    source: Pairing
    takes: str
    words: str
    seat: Seat | None


class Consequence(NamedTuple):
    """Later pairing with a player of the match, and its names after the correction.

    `after` is None if the pairing does not change, for example because both players are in that round, as in a Swiss.
    `held` is the place that waits again if the result is withdrawn.
    """

    pairing: Pairing
    after: Names | None
    held: Held | None = None

    @property
    def state(self) -> str:
        """State of the later pairing: "waits", "plays" or "over"."""
        match = self.pairing.match
        if self.pairing.winner or (match is not None and match.status == Status.OVER):
            return "over"
        return "plays" if has_begun(self.pairing) else "waits"

    @property
    def changes(self) -> bool:
        """True if the correction changes the pairing and its match is not over."""
        return self.after is not None and self.state != "over"

    @property
    def stops(self) -> bool:
        """True if the pairing changes during its match, so that its clocks must stop."""
        return self.changes and self.state == "plays"

    @property
    def seen(self) -> str:
        """Fingerprint of the consequence as shown to the director."""
        return f"{self.pairing.pk}-{self.state}{'-back' if self.held else ''}"


class ByeConsequence(NamedTuple):
    """Later bye of a player of the match, and its new holder (None: unchanged)."""

    bye: Bye
    after: str | None
    held: Held | None = None

    @property
    def changes(self) -> bool:
        """True if the bye passes to another player, or waits for the match again."""
        return self.after is not None

    @property
    def seen(self) -> str:
        """Fingerprint of the consequence as shown to the director."""
        return f"bye-{self.bye.pk}{'-back' if self.held else ''}"


Found = Sequence[Consequence | ByeConsequence]


def seen(found: Found) -> str:
    """Fingerprint of all consequences shown, to detect later changes."""
    return " ".join(each.seen for each in found)


def of_result(pairing: Pairing) -> Found:
    """Later pairings and byes of both players, if the winner of a match is corrected.

    In a knockout or a round without an event, the two players change places. A round in which both are drawn stays as
    it is, and so does a place whose new player has withdrawn. If a match to change is over, nothing changes. Events
    that are not linked to this one are ignored. A match of a Swiss or a round robin affects only the places that wait
    for it.
    """
    decided = outcome(pairing)
    if decided is None:
        return []
    return _exchanged(pairing, decided)


def of_reopening(pairing: Pairing) -> Found:
    """Later pairings and byes of both players, if a match is reopened.

    In a knockout or a round without an event, their places wait for the match again. Where play has begun, both players
    stay, with stopped clocks, until it is decided. A round in which both are drawn stays as it is. If a match to change
    is over, nothing changes.
    """
    decided = outcome(pairing)
    if decided is None:
        return []
    later = _Later.of(pairing, decided)
    found: list[Consequence | ByeConsequence] = []
    for line in later.lines:
        names = list(line.setup["names"])
        for seat, name in zip(Seat, line.setup["names"], strict=True):
            held = _held(pairing, decided, name, seat)
            if held is not None:
                names[seat.index] = held.words
                found.append(Consequence(line, None if later.stays(line) else (names[0], names[1]), held))
    for bye in later.byes:
        held = _held(pairing, decided, bye.name, None)
        if held is not None:
            found.append(ByeConsequence(bye, None if later.stays(bye) else held.words, held))
    return _all_or_none(found)


def _held(pairing: Pairing, decided: Outcome, name: str, seat: Seat | None) -> Held | None:
    takes = {name_key(decided.winner): "winner", name_key(decided.loser): "loser"}.get(name_key(name))
    if takes is None:
        return None
    return Held(pairing, takes, places.words(takes, pairing.table.name, pairing.round), seat)


class _Later(NamedTuple):
    """Later pairings and byes of both players of a match.

    `there` has the name keys in them by round id. Rows in `of_it` wait for the match, or have waited for it. Others
    depend on it only if it `decides` who advances: in a knockout, or in a round without an event.
    """

    lines: list[Pairing]
    byes: list[Bye]
    there: Mapping[int, set[str]]
    keys: set[str]
    of_it: set[Pairing | Bye]
    decides: bool

    @classmethod
    def of(cls, pairing: Pairing, decided: Outcome) -> "_Later":
        round_, keys = pairing.round, {name_key(decided.winner), name_key(decided.loser)}
        of_it: set[Pairing | Bye] = {*Pairing.objects.filter(places__source=pairing), *pairing.leads_to_bye.all()}
        linked = None if round_.section is None else _linked(round_.section)

        def follows(row: Pairing | Bye) -> bool:
            """True if the row waits for the match, or its event may be linked to this one."""
            return row in of_it or linked is None or row.round.section_id in (None, *linked)

        after_it = {"round__tournament": round_.tournament, "round__number__gt": round_.number}
        lines = [
            each
            for each in Pairing.objects.filter(**after_it).select_related("round__tournament", "table", "match")
            if keys & {name_key(name) for name in each.setup["names"]} and follows(each)
        ]
        byes = [
            each
            for each in Bye.objects.filter(**after_it).select_related("round__tournament")
            if name_key(each.name) in keys and follows(each)
        ]
        there: dict[int, set[str]] = {}
        for line in lines:
            there.setdefault(line.round_id, set()).update(map(name_key, line.setup["names"]))
        for bye in byes:
            there.setdefault(bye.round_id, set()).add(name_key(bye.name))
        decides = round_.section is None or round_.section.method == Section.Method.KNOCKOUT
        return cls(lines, byes, there, keys, of_it, decides)

    def stays(self, row: Pairing | Bye) -> bool:
        """True if both players are in its round, or the match does not decide who is."""
        return self.keys <= self.there[row.round_id] or not (self.decides or row in self.of_it)


def _linked(section: Section) -> set[int]:
    """Ids of a section and of all sections linked to it, directly or indirectly."""
    links = section.tournament.sections.values_list("pk", "losers_of", "feeds")
    pairs = [{one, other} for one, *others in links for other in others if other is not None]
    found, before = {section.pk}, 0
    while len(found) > before:
        before = len(found)
        found = found.union(*(pair for pair in pairs if pair & found))
    return found


def _exchanged(pairing: Pairing, decided: Outcome) -> Found:
    """Later pairings and byes of both players, with the two exchanged."""
    exchanged = {name_key(decided.winner): decided.loser, name_key(decided.loser): decided.winner}
    later, listed = _Later.of(pairing, decided), Players(pairing.round.tournament)

    def stays(row: Pairing | Bye, names: Sequence[str]) -> bool:
        """True if a new player has withdrawn, or `_Later.stays`."""
        coming = [exchanged[name_key(name)] for name in names if name_key(name) in exchanged]
        gone = any(listed.has_withdrawn(name, pairing.setup["format"]) for name in coming)
        return gone or later.stays(row)

    found: list[Consequence | ByeConsequence] = []
    for line in later.lines:
        names = line.setup["names"]
        left, right = (exchanged.get(name_key(name), name) for name in names)
        found.append(Consequence(line, None if stays(line, names) else (left, right)))
    for bye in later.byes:
        other = None if stays(bye, [bye.name]) else exchanged[name_key(bye.name)]
        found.append(ByeConsequence(bye, other))
    return _all_or_none(found)


def _all_or_none(found: list[Consequence | ByeConsequence]) -> Found:
    """Sort the consequences; if a match to change is over, change none.

    Otherwise a player would have two places, or none.
    """
    if any(isinstance(each, Consequence) and each.after and each.state == "over" for each in found):
        found = [each if getattr(each, "state", "") == "over" else each._replace(after=None) for each in found]
    return sorted(found, key=_in_order)


def _in_order(each: Consequence | ByeConsequence) -> tuple[int, bool, int]:
    """Sort key: by round, byes last."""
    row = each.bye if isinstance(each, ByeConsequence) else each.pairing
    return row.round.number, isinstance(each, ByeConsequence), row.pk


def follow_names(played: Match | Pairing, before: Sequence[str], after: Sequence[str], user: User, reason: str) -> None:
    """Correct names in places and byes filled by a match, unless play has begun there.

    A place stays if its player would then play against themselves.
    """
    became = dict(zip(before, after, strict=True))
    of_it = {"source__match" if isinstance(played, Match) else "source": played, "filled": True}
    for place in Place.objects.filter(**of_it).select_related("pairing__match"):
        left, right = (became.get(name, name) for name in place.pairing.setup["names"])
        there = place.pairing
        if has_begun(there) or [left, right] == there.setup["names"] or name_key(left) == name_key(right):
            continue
        if there.match is not None:
            correct(there.match, (left, right), user, reason)
        else:
            respell_drawn(there, (left, right))
    for bye in Bye.objects.filter(**of_it, name__in=became):
        Bye.objects.filter(pk=bye.pk).update(name=became[bye.name])
