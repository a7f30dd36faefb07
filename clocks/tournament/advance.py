"""Next round of each event, as its method and the events that feed it tell."""

import csv
import hashlib
import io
import json
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.models import Place, Round, Section, Tournament
from clocks.tournament import draw, draw_plan, drawing, qualified, sections
from clocks.tournament.next_round import Event, Proposal, players_with_bye, propose
from clocks.tournament.players import Players, name_key

WAYS = {
    Section.Method.KNOCKOUT: "winners",
    Section.Method.SWISS: "swiss",
    Section.Method.CIRCLE: "circle",
}


class Following(NamedTuple):
    """Next round of an event, which is not stored if it is new.

    `text` is its draw as CSV, "" if none can be drawn.
    """

    section: Section
    round: Round
    last: Round | None
    text: str
    notes: tuple[str, ...]

    @property
    def pairs(self) -> list[list[str]]:
        """Both players of each line."""
        return list(csv.reader(io.StringIO(self.text)))[1:]

    @property
    def clear(self) -> bool:
        """True if it can be drawn and nothing needs a decision."""
        return bool(self.text) and not self.notes


def of_tournament(tournament: Tournament, now: int) -> list[Following]:
    """Next rounds of all events, in the order in which the events were created."""
    return [of_section(section, now) for section in tournament.sections.select_related("losers_of").order_by("pk")]


def of_section(section: Section, now: int) -> Following:
    """Next round of an event."""
    drawn = list(section.rounds.exclude(pairings=None).select_related("tournament").order_by("number").distinct())
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
    """Hash of what a director saw."""
    shown = [(each.section.pk, each.text) for each in found]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


def store(found: Sequence[Following], user: User) -> list[Round]:
    """Draw these rounds.

    Raises Refused, with the words of the line, if one cannot be drawn.
    """
    stored = []
    for each in found:
        into = each.round
        if into.pk is None:
            into.number = max((other.number for other in into.tournament.rounds.all()), default=0) + 1
        sections.put(into, each.section)
        lines = draw.parse(each.text, into, Players(into.tournament).written).lines
        planned = draw_plan.plan(into, lines)
        draw_plan.reject_bad(planned)
        drawing.import_lines(into, lines, draw_plan.preview_hash(planned), user)
        stored.append(into)
    return stored


def _after(section: Section, drawn: Sequence[Round], now: int) -> Proposal:
    """Next round of an event that nobody joins."""
    if section.rounds_planned is not None and len(drawn) >= section.rounds_planned:
        return Proposal("", (_("All %(number)s rounds are drawn.") % {"number": section.rounds_planned},))
    last = drawn[-1]
    event = Event(last, now, players_with_bye(last, now))
    return propose(event, WAYS[Section.Method(section.method)])


def _for_losers(section: Section, drawn: Sequence[Round], now: int) -> tuple[Proposal, Round | None]:
    """Next round of an event for losers, and the round to copy.

    Losers come down round by round. They meet the players who are there as soon as these are not more than they are;
    until then those who are there play among themselves, as in a double elimination.
    """
    assert section.losers_of is not None
    above = section.losers_of.rounds.exclude(pairings=None).select_related("tournament", "section")
    upper = list(above.order_by("number").distinct()[: section.losers_rounds])
    if not upper:
        return Proposal("", (_("Nobody has lost yet in %(event)s.") % {"event": section.losers_of},)), None
    if not drawn:
        return propose(Event(upper[0], now), "losers"), upper[0]
    last = drawn[-1]
    resting = players_with_bye(last, now)
    there = last.pairings.count() + len(resting)
    came = _names(drawn)
    waiting = next((each for each in upper if not _has_come(each, section, came, now)), None)
    if waiting is not None and there <= waiting.pairings.count():
        return propose(Event(waiting, now, resting, last), "lower"), last
    if waiting is None and _more_come(section, upper, there):
        words = _("Its next players are the losers of a round of %(event)s that is not drawn yet.")
        return Proposal("", (words % {"event": section.losers_of},)), last
    return propose(Event(last, now, resting), "winners"), last


def _more_come(section: Section, upper: Sequence[Round], there: int) -> bool:
    """True if losers of a round that is not drawn yet will meet those who are there."""
    expected = (upper[-1].pairings.count() + upper[-1].byes.count()) // 2
    limited = section.losers_rounds is not None and len(upper) >= section.losers_rounds
    return not limited and expected > 0 and there <= expected


def _names(rounds: Sequence[Round]) -> set[str]:
    """Keys of all players of these rounds."""
    found = {name_key(name) for each in rounds for line in each.pairings.all() for name in line.setup["names"]}
    return found | {name_key(bye.name) for each in rounds for bye in each.byes.all()}


def _has_come(upper: Round, section: Section, came: Collection[str], now: int) -> bool:
    """True if the losers of a round, or places for them, are drawn in the section."""
    held = Place.objects.filter(pairing__round__section=section, source__round=upper, takes="loser")
    lost = {
        name_key(name)
        for result in Event(upper, now).last.results
        if result.over
        for name in result.names
        if name != result.winner
    }
    return held.exists() or bool(lost & set(came))
