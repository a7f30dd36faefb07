"""Propose each event's next round, by its method and the events that feed it."""

import csv
import io
from collections.abc import Sequence, Set
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Place, Round, Section, Tournament
from clocks.tournament import draw, qualified, sections, stamps, together
from clocks.tournament.draw import DrawLine
from clocks.tournament.next_round import Event, Proposal, losers, players_with_bye, propose
from clocks.tournament.players import Players, name_key

WAYS = {
    Section.Method.KNOCKOUT: "winners",
    Section.Method.SWISS: "swiss",
    Section.Method.CIRCLE: "circle",
}


class Following(NamedTuple):
    """Proposed next round of an event; a new `round` is not saved yet.

    `text` is the draw as CSV, or "" if it cannot be drawn yet.
    """

    section: Section
    round: Round
    last: Round | None
    text: str
    notes: tuple[str, ...]

    @property
    def pairs(self) -> list[list[str]]:
        """Both cells of each line: two names, or a name and "bye"."""
        return list(csv.reader(io.StringIO(self.text)))[1:]

    @property
    def matches(self) -> int:
        """Number of matches, not counting byes."""
        return sum(right != "bye" for _left, right in self.pairs)

    @property
    def clear(self) -> bool:
        """True if the round can be drawn and there are no notes."""
        return bool(self.text) and not self.notes


def of_tournament(tournament: Tournament, now: int) -> list[Following]:
    """Propose the next round of each event, in order of the events' creation."""
    return [of_section(section, now) for section in tournament.sections.select_related("losers_of").order_by("pk")]


def of_section(section: Section, now: int) -> Following:
    """Propose the next round of an event."""
    drawn = sections.drawn(section)
    last = drawn[-1] if drawn else None
    example = last
    if section.losers_of is not None:
        proposal, example = _for_losers(section, drawn, now)
    elif last is not None:
        proposal = _after(section, drawn, now)
    else:
        feeding = section.fed_by.exclude(rounds=None).distinct()
        proposal = qualified.fill(section, [str(each) for each in feeding if of_section(each, now).text])
    empty = section.rounds.filter(pairings=None, byes=None, number__gt=last.number if last else 0)
    into = empty.select_related("tournament").order_by("number").first() or sections.new_round(section, example)
    return Following(section, into, last, *proposal)


def stamp(found: Sequence[Following]) -> str:
    """Hash of the proposed draws, to detect changes since a director saw them."""
    return stamps.stamp([(each.section.pk, each.text) for each in found])


def store(found: Sequence[Following], user: User) -> list[Round]:
    """Draw all these rounds, or none.

    Raises Refused with the reason if one of them cannot be drawn.
    """
    together.store([together.Planned(each.round, each.section, _lines(each)) for each in found], user)
    return [each.round for each in found]


def _lines(each: Following) -> Sequence[DrawLine]:
    """Parse a proposed draw. Raises Refused if it is unreadable or too long."""
    sheet = draw.parse(each.text, each.round, Players(each.round.tournament).written)
    if sheet.faults:
        names = str(each.round)
        raise Refused(Why.BAD_VALUE, Words("%(names)s: %(words)s", names=names, words=" ".join(sheet.faults)))
    return sheet.lines


def _after(section: Section, drawn: Sequence[Round], now: int) -> Proposal:
    """Propose the next round of an event that takes no losers from another event."""
    if section.rounds_planned is not None and len(drawn) >= section.rounds_planned:
        return Proposal("", (_("All %(number)s rounds are drawn.") % {"number": section.rounds_planned},))
    last = drawn[-1]
    event = Event(last, now, players_with_bye(last, now))
    return propose(event, WAYS[Section.Method(section.method)])


def _for_losers(section: Section, drawn: Sequence[Round], now: int) -> tuple[Proposal, Round | None]:
    """Propose a losers bracket's next round; return the round to copy settings from.

    Losers drop down round by round, as in double elimination. The players of this event meet each other while they
    outnumber the losers who drop down next, and then meet those.
    """
    assert section.losers_of is not None
    upper = sections.drawn(section.losers_of)[: section.losers_rounds]
    if not upper:
        return Proposal("", (_("Nobody has lost yet in %(event)s.") % {"event": section.losers_of},)), None
    came = _names(drawn)
    waiting = next((each for each in upper if not _has_come(each, section, came, now)), None)
    if not drawn:
        first, alone = _first_to_lose(upper, now)
        if first is None and _more_come(section, upper, len(alone)):
            return _not_drawn_yet(section), None
        if first is None:  # the only loser has nobody to play
            return propose(Event(upper[-1], now), "losers"), upper[-1]
        return propose(Event(first, now, alone), "losers"), first
    last = drawn[-1]
    resting = players_with_bye(last, now)
    there = last.pairings.count() + len(resting)
    if waiting is not None and there <= waiting.pairings.count():
        return propose(Event(waiting, now, resting, last), "lower"), last
    if waiting is None and _more_come(section, upper, there):
        return _not_drawn_yet(section), last
    return propose(Event(last, now, resting), "winners"), last


def _first_to_lose(upper: Sequence[Round], now: int) -> tuple[Round | None, list[str]]:
    """First round after which two losers can be paired, or None; and earlier losers."""
    alone: list[str] = []
    for each in upper:
        lost = losers(Event(each, now))
        if len(alone) + len(lost) > 1:
            return each, alone
        alone += lost
    return None, alone


def _not_drawn_yet(section: Section) -> Proposal:
    words = _("Its next players are the losers of a round of %(event)s that is not drawn yet.")
    return Proposal("", (words % {"event": section.losers_of},))


def _more_come(section: Section, upper: Sequence[Round], there: int) -> bool:
    """True if the `there` remaining players will meet losers of a round not drawn yet."""
    expected = (upper[-1].pairings.count() + upper[-1].byes.count()) // 2
    limited = section.losers_rounds is not None and len(upper) >= section.losers_rounds
    return not limited and expected > 0 and there <= expected


def _names(rounds: Sequence[Round]) -> set[str]:
    """Name keys of all players in these rounds, including those with byes."""
    found = {name_key(name) for each in rounds for line in each.pairings.all() for name in line.setup["names"]}
    return found | {name_key(bye.name) for each in rounds for bye in each.byes.all()}


def _has_come(upper: Round, section: Section, came: Set[str], now: int) -> bool:
    """True if a loser of a round, or a place for one, is drawn in the section.

    Also if all matches of the round are decided and all losers have withdrawn.
    """
    if Place.objects.filter(pairing__round__section=section, source__round=upper, takes="loser").exists():
        return True
    event = Event(upper, now)
    lost = [name for each in event.last.results if each.over for name in each.names if name != each.winner]
    if came & set(map(name_key, lost)):
        return True
    return not event.last.open and all(map(event.has_withdrawn, lost))
