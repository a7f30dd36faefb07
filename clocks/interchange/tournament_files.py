"""Import and export third-party tournament files: TRF26 and brackets JSON."""

import csv
import io
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Format, Status
from clocks.interchange import brackets, trf
from clocks.models import Bye, Pairing, Round, Tournament
from clocks.tournament import draw_columns, formulas, places, results
from clocks.tournament.players import name_key, team


class ImportedDraw(NamedTuple):
    """Draw of a round from a file: pairs (left, right), or (name, "bye").

    `ignored` names the contents that are not imported; `details` maps names to players' details.
    """

    pairings: Sequence[tuple[str, str]]
    ignored: Sequence[str]
    details: Mapping[str, trf.Details] = MappingProxyType({})

    @property
    def text(self) -> str:
        """The draw as CSV, as a director would import it."""
        text = io.StringIO()
        rows = [[*pair, *self._details(pair)] for pair in self.pairings]
        used = [at for at in range(2 + len(draw_columns.DETAILS)) if at < 2 or any(row[at] for row in rows)]
        titles = ["left", "right", *draw_columns.DETAILS]
        csv.writer(text).writerows([[formulas.neutralise(row[at]) for at in used] for row in (titles, *rows)])
        return text.getvalue()

    def _details(self, pair: Sequence[str]) -> list[str]:
        known = [self.details.get(name, trf.Details())._asdict() for name in pair]
        return [each[what] for each in known for what in draw_columns.OF_PLAYER]


def trf_of(tournament: Tournament, now: int) -> str:
    """TRF26 export: byes, and matches whose players are known, with winners at `now`."""
    rounds = []
    for round_, lines in _rounds(tournament, now):
        played = [(*line.names, _seat(line)) for line in lines if not any(map(places.read, line.names))]
        byes = [(name, "", "") for name in _byes(round_)]
        rounds.append([*played, *byes])
    drawn = {name for played in rounds for pair in played for name in pair[:2]}
    return trf.write(trf.of_rounds(tournament.name, rounds, _listed(tournament, drawn)))


def trf_gaps(tournament: Tournament) -> list[str]:
    """Warnings about data that a TRF26 export omits or invents."""
    pairings = Pairing.objects.filter(round__tournament=tournament)
    unknown = pairings.filter(places__filled=False).distinct().count()
    undecided = pairings.filter(winner="").exclude(match__status=Status.OVER).count() - unknown
    undrawn = ", ".join(map(str, tournament.rounds.filter(pairings=None, byes=None).order_by("number")))
    seats = [name for names in pairings.values_list("setup__names", flat=True) for name in names]
    byes = Bye.objects.filter(round__tournament=tournament, filled=True).values_list("name", flat=True)
    drawn = {name for name in (*seats, *byes) if not places.read(name)}
    listed = _listed(tournament, drawn)
    unnumbered = len(drawn | listed.keys()) - len(trf.own_numbers(listed))
    sentences = (
        (
            undecided,
            ngettext(
                "The TRF file has no result for %(number)s match that is not decided.",
                "The TRF file has no results for %(number)s matches that are not decided.",
                undecided,
            ),
        ),
        (
            unknown,
            ngettext(
                "The TRF file leaves out %(number)s match that waits for its players.",
                "The TRF file leaves out %(number)s matches that wait for their players.",
                unknown,
            ),
        ),
        (len(undrawn), _("Not drawn, and so empty in the TRF file: %(rounds)s.")),
        (
            unnumbered,
            ngettext(
                "The TRF file gives a free number to %(number)s player without a unique number.",
                "The TRF file gives free numbers to %(number)s players without a unique number.",
                unnumbered,
            ),
        ),
    )
    return [words % {"number": number, "rounds": undrawn} for number, words in sentences if number]


def _listed(tournament: Tournament, drawn: Set[str]) -> dict[str, trf.Details]:
    """Details by name of players who are drawn or not withdrawn, except team members."""
    members = {name_key(each) for name in drawn for each in team(name, Format.DOUBLES)}
    players = [each for each in tournament.players.order_by("pk") if each.name in drawn or not each.withdrawn]
    return {
        each.name: trf.Details(each.number, each.club, each.rating, each.country)
        for each in players
        if each.name in drawn or name_key(each.name) not in members
    }


def brackets_of(tournament: Tournament, now: int) -> dict[str, Any]:
    """Brackets export: each round's matches in draw order, scores at `now`, and byes."""
    rounds = []
    for round_, lines in _rounds(tournament, now):
        drawn = sorted(lines, key=lambda line: line.pairing.pk if line.pairing is not None else 0)
        played = [_bracket_line(line) for line in drawn]
        byes = [brackets.Line(name, None) for name in _byes(round_)]
        rounds.append((round_.number, [*played, *byes]))
    return brackets.write(tournament.name, rounds)


def is_tournament_file(text: str) -> bool:
    """True if the text is a third-party file, not a plain list of lines."""
    return trf.is_trf(text) or brackets.is_brackets(text)


def draw_of(text: str, round_number: int) -> ImportedDraw:
    """Read a round's draw. Raises Refused(Why.BAD_VALUE) naming the invalid part."""
    if trf.is_trf(text):
        return of_trf(text, round_number)
    found = brackets.parse(text)
    return ImportedDraw(brackets.pairings(found, round_number), found.ignored)


def players_of(text: str) -> str:
    """Players of a TRF file as a table with titles; other text unchanged.

    Raises Refused(Why.BAD_VALUE) if the file is invalid.
    """
    if not trf.is_trf(text):
        return text
    rows = io.StringIO()
    found = [(each.name, _details(each)) for each in trf.read(text).players]
    lines = [map(formulas.neutralise, (name, *each)) for name, each in found]
    csv.writer(rows, delimiter="\t").writerows([("name", *trf.Details._fields), *lines])
    return rows.getvalue()


def _details(player: trf.Player) -> trf.Details:
    """Details of a player in a file; the start number stands in for a missing one."""
    number = str(player.number) if player.own_number is None else player.own_number
    return trf.Details(number, player.club, player.rating, player.country)


def of_trf(text: str, round_number: int) -> ImportedDraw:
    """Read a round's draw from TRF26. Raises Refused(Why.BAD_VALUE) naming the line."""
    file = trf.read(text)
    return ImportedDraw(
        trf.pairings(file, round_number), file.ignored, {each.name: _details(each) for each in file.players}
    )


def of_brackets(tables: Any, round_number: int) -> ImportedDraw:
    """Read a round's draw from brackets. Raises Refused(Why.BAD_VALUE) on a fault."""
    found = brackets.read(tables)
    return ImportedDraw(brackets.pairings(found, round_number), found.ignored)


def _rounds(tournament: Tournament, now: int) -> list[tuple[Round, list[results.Result]]]:
    return [(round_, results.of_round(round_, now)) for round_ in tournament.rounds.order_by("number")]


def _byes(round_: Round) -> list[str]:
    return list(round_.byes.filter(filled=True).order_by("pk").values_list("name", flat=True))


def _seat(line: results.Result) -> Any:
    if not line.winner:
        return ""
    return Seat.LEFT.value if line.winner == line.names[0] else Seat.RIGHT.value


def _bracket_line(line: results.Result) -> brackets.Line:
    left, right = ("" if places.read(name) else name for name in line.names)
    running = line.match_id is not None and not line.over and line.state != "not begun"
    return brackets.Line(left, right, _seat(line), line.score, running)
