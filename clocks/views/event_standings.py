"""Standings of an event for a page: bracket and places, or table and tie-breaks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy

from clocks.pairing.standings import WIN, Line, TieBreak
from clocks.tournament.events import Event
from clocks.tournament.players import name_key
from clocks.views import bracket_drawing
from clocks.views.bracket_svg import svg

TIE_BREAKS = {
    TieBreak.DIRECT: gettext_lazy("Direct meeting"),
    TieBreak.BUCHHOLZ: gettext_lazy("Buchholz"),
    TieBreak.MEDIAN: gettext_lazy("Median"),
    TieBreak.POINTS: gettext_lazy("Points won"),
}

Shared = tuple[str, list[str], bool]  # place or places, players, whether they are still in


class Places(NamedTuple):
    """Places of a tournament, by event; `undecided` counts undecided matches."""

    events: list[tuple[Event, list[Shared]]]
    undecided: int
    final: bool


def of_all(played: Sequence[Event], undrawn: bool) -> dict[str, Any]:
    """Template context: `winners` of decided events, `places`, and all `events`.

    `undrawn` is True if an event has no draw yet.
    """
    winners = [(event, event.winners) for event in played]
    return {
        "winners": [each for each in winners if each[1]],
        "places": places_of_all(played, undrawn) if len(played) > 1 else None,
        "events": [shown(event) for event in played],
    }


def places_of_all(played: Sequence[Event], undrawn: bool) -> Places:
    """Places as in the standings of each event.

    Finals come before the events that feed them. A player who went on in another event is listed there only.
    """
    found = []
    for event in sorted(played, key=lambda each: _steps_to_finals(each, played)):
        gone = {key for other in played if event.leads_to(other) for key in other.players}
        shared = [
            (place, [name for name in names if name_key(name) not in gone], still)
            for place, names, still in shared_places(event)
        ]
        found.append((event, [each for each in shared if each[1]]))
    final = not undrawn and all(event.final for event in played)
    return Places(found, sum(event.undecided for event in played), final)


def _steps_to_finals(event: Event, played: Sequence[Event]) -> int:
    return max((1 + _steps_to_finals(each, played) for each in played if event.feeds(each)), default=0)


def shown(event: Event) -> dict[str, Any]:
    """Context of `parts/event-standings.html` for an event."""
    if event.is_knockout:
        drawing, places = svg(bracket_drawing.whole(event), event.name), _shared(event.places)
        return {"event": event, "drawing": drawing, "places": _with_next_section(event, places)}
    titles = {each: str(TIE_BREAKS[each]) for each in event.tie_breaks}  # translated once, not for each player
    return {
        "event": event,
        "titles": list(titles.values()),
        "lines": [(line, _values(line, titles)) for line in event.standings],
    }


def _with_next_section(event: Event, places: list[Shared]) -> list[tuple[str, list[str], bool, str]]:
    """Add to each place the section in which its players go on, or ""."""
    takes = [] if event.section is None else list(event.section.for_losers.order_by("pk"))
    lost_in = event.lost_in() if takes else {}

    def goes_on(name: str) -> str:
        nth = lost_in.get(name)
        found = (each.name for each in takes if nth and (each.losers_rounds is None or nth <= each.losers_rounds))
        return next(found, "")

    return [(place, names, still, goes_on(names[0])) for place, names, still in places]


def shared_places(event: Event) -> list[Shared]:
    """Places of an event, a knockout or a table, each with its players."""
    if event.is_knockout:
        return _shared(event.places)
    return _shared([(line.name, line.place, False) for line in event.standings])


def _values(line: Line, titles: Mapping[TieBreak, str]) -> list[tuple[str, str]]:
    """Titles and values of the tie-breaks; scores in half points become points."""
    return [
        (title, f"{value if each == TieBreak.POINTS else value / WIN:g}")
        for value, (each, title) in zip(line.values, titles.items(), strict=True)
    ]


def _shared(found: list[tuple[str, int, bool]]) -> list[Shared]:
    """Places with their players: “3–4” for two who share them."""
    groups: dict[tuple[int, bool], list[str]] = {}
    for name, place, still in found:
        groups.setdefault((place, still), []).append(name)
    return [
        (f"{place}–{place + len(names) - 1}" if len(names) > 1 else str(place), names, still)
        for (place, still), names in groups.items()
    ]
