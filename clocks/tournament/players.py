"""The players of a tournament: whose name it is, who is nearest to a name that is nobody's, and corrections.

A name is a player's by being spelt like it, whatever the case. So a correction changes it wherever it is, in one
transaction: in the list, in draws, and in matches by an entry of their journals.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction

from clocks import desk
from clocks.desk import Request
from clocks.engine.closed_sets import Format, Official
from clocks.engine.commands import CorrectNames
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.host.slices import update_in_slices
from clocks.journal import tournament_log
from clocks.journal.tournament_events import NamesCorrected, PlayerJoined, PlayerRenamed
from clocks.models import CASUAL, Bye, HallEntry, Match, Pairing, Player, Tournament
from clocks.tournament import places

NEAREST = 3  # names that are offered for one that is nobody's
ALIKE = 0.75  # how much of two names must agree (1: all) for one to be offered for the other

LONGEST_WRITTEN = 400  # characters; no name has as many, and a long run of accents takes normalising minutes
MOST_COMPARED = 60_000  # pairs of names: 200 new ones with 300 players; a second of processor time

_BETWEEN = re.compile(r"(\s*(?:[/&+;]|\band\b)\s*)")  # between the two of a doubles team

Setting = dict[str, Any]

_DRAWN = f"UPDATE {Pairing._meta.db_table} SET setup = %s WHERE id = %s"
_RESTING = f"UPDATE {Bye._meta.db_table} SET name = %s WHERE id = %s"
_ENLIST = (
    f"INSERT INTO {Player._meta.db_table} (tournament_id, name, number, club, rating, withdrawn, external_id)"
    " VALUES (%s, %s, '', '', '', FALSE, '') ON CONFLICT DO NOTHING"
)


def plain(name: str) -> str:
    """Return a name without case, and with its spaces and signs as people usually write them."""
    return " ".join(unicodedata.normalize("NFKC", name[:LONGEST_WRITTEN]).casefold().split())


def team(name: str, format_: str) -> list[str]:
    """Return the players whose name is at a seat: one, or the two of a doubles team."""
    return _parts(name, format_)[::2]


def spelt(name: str, format_: str, spelling: Mapping[str, str]) -> str:
    """Return the name at a seat with each player called as `spelling` says, by the plain name; the others stay."""
    return "".join(spelling.get(plain(each), each) for each in _parts(name, format_))


def _parts(name: str, format_: str) -> list[str]:
    """Return a name, or the two of a team and what is between them."""
    parts = _BETWEEN.split(name.strip()) if format_ == Format.DOUBLES else []
    return parts if len(parts) == 3 and parts[0] and parts[2] else [name]


def names_of(setups: Iterable[Setting]) -> list[str]:
    """Return the players of these settings, each once, without those who are not known yet."""
    found: dict[str, str] = {}
    for setup in setups:
        for seat in setup["names"]:
            for name in () if places.read(seat) else team(seat, setup["format"]):
                found.setdefault(plain(name), name)
    return list(found.values())


@dataclass(frozen=True)
class Players:
    """The players of a tournament as they are now."""

    tournament: Tournament

    @cached_property
    def by_name(self) -> dict[str, Player]:
        """Return the players by their plain names."""
        return {plain(player.name): player for player in self.tournament.players.order_by("pk")}

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Return how each is spelt, by the plain name."""
        return {name: player.name for name, player in self.by_name.items()}

    @cached_property
    def _ordered(self) -> dict[str, str]:
        """Return what each is compared by, by how each is spelt."""
        return {name: _in_order(name) for name in self.spelling.values()}

    @cached_property
    def written(self) -> dict[str, str]:
        """Return how each is spelt, by every plain name that was ever the player's: other programs keep the old ones.

        What somebody is called now is nobody else's old name.
        """
        renamed = HallEntry.objects.filter(
            tournament=self.tournament, event__in=(PlayerRenamed.name, PlayerJoined.name)
        ).order_by("-pk")
        old: dict[str, str] = {}
        for data in renamed.values_list("data", flat=True):  # the last one first: it leads to a name of now
            became = plain(data["player"])
            now = old.get(became) or self.spelling.get(became)
            if now is not None:
                old.setdefault(plain(data["was"]), now)
        return old | self.spelling

    def of(self, name: str) -> Player | None:
        """Return whose name this is or was."""
        return self.by_name.get(plain(self.written.get(plain(name), name)))

    @cached_property
    def _withdrawn(self) -> set[str]:
        return {name for name, player in self.by_name.items() if player.withdrawn}

    def has_withdrawn(self, name: str, format_: str) -> bool:
        """Tell whether the player at a seat plays no further round, or one of a team."""
        return any(plain(each) in self._withdrawn for each in team(name, format_))

    def strangers(self, names: Iterable[str]) -> list[str]:
        """Return those of these names that are nobody's."""
        return [name for name in names if plain(name) not in self.by_name]

    def meaning(self, meant: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Return how to spell the names that these (as written, as meant) say are players written differently."""
        return self.written | {
            plain(name): self.spelling[plain(of)] for name, of in meant if plain(of) in self.spelling
        }

    def nearest(self, name: str) -> list[str]:
        """Return the players whose names are most like a name, the nearest first, and only those that are similar."""
        matcher = SequenceMatcher(None, b=_in_order(name))
        found = []
        for each, ordered in self._ordered.items():
            matcher.set_seq1(ordered)
            if (
                matcher.real_quick_ratio() >= ALIKE
                and matcher.quick_ratio() >= ALIKE
                and (alike := matcher.ratio()) >= ALIKE
            ):
                found.append((-alike, each))
        return [each for _alike, each in sorted(found)[:NEAREST]]


def _in_order(name: str) -> str:
    """Return a name without accents and commas, its words in one order: “Berger, Ann” becomes like “Ann Berger”."""
    letters = unicodedata.normalize("NFKD", plain(name))
    words = re.findall(r"\w+", "".join(each for each in letters if not unicodedata.combining(each)))
    return " ".join(sorted(words))


def enlist(tournament: Tournament, names: Iterable[str]) -> list[str]:
    """Store as players those of these names that are nobody's, and return them; casual matches have no players."""
    if tournament.slug == CASUAL:
        return []
    new = Players(tournament).strangers({plain(name): name for name in names}.values())
    update_in_slices(_ENLIST, [(tournament.pk, name) for name in new])
    return new


def at_play(tournament: Tournament, name: str) -> tuple[list[Match], list[Pairing]]:
    """Return the matches of a player, and the lines of draws that are not matches yet."""
    own = plain(name)

    def theirs(setup: Setting) -> bool:
        return own in (plain(each) for each in names_of([setup]))

    matches = Match.objects.filter(table__tournament=tournament).select_related("table", "round").order_by("pk")
    drawn = Pairing.objects.filter(round__tournament=tournament, match=None).select_related("table", "round")
    return [each for each in matches if theirs(each.setup)], [each for each in drawn if theirs(each.setup)]


def rename(player: Player, name: str, user: User, reason: str, merge: bool = False) -> None:
    """Call a player something else, wherever the name appears; clocks and score stay, and the record says so.

    With `merge` it may be the name of another player: both become one. Raises Refused where the name is another's,
    and where both are drawn in one round.
    """
    tournament = player.tournament
    matches, drawn = at_play(tournament, player.name)
    other = Players(tournament).by_name.get(plain(name))
    other = None if other == player else other
    if other is not None:
        _must_be_one(player, other, merge)
    spelling = {plain(player.name): name}
    changed = [(match, _respelt(match.setup, spelling)) for match in matches]
    pairings = [
        (json.dumps({**pairing.setup, "names": list(_respelt(pairing.setup, spelling))}), pairing.pk)
        for pairing in drawn
    ]
    resting = Bye.objects.filter(round__tournament=tournament).select_related("round")
    respelt = [(bye, spelt(bye.name, bye.round.format, spelling)) for bye in resting]
    byes = [(called, bye.pk) for bye, called in respelt if called != bye.name]

    def beforehand() -> None:
        """Store what is not a match, in the same transaction as the matches."""
        with connection.cursor() as cursor:
            cursor.executemany(_DRAWN, pairings)
            cursor.executemany(_RESTING, byes)
        if other is not None:
            Player.objects.filter(pk=player.pk).delete()
        else:
            Player.objects.filter(pk=player.pk).update(name=name)
        names = (player.name, name, reason)
        tournament_log.write(tournament, user, PlayerJoined(*names) if other else PlayerRenamed(*names))

    _carry_out([_correction(match, names, user, reason) for match, names in changed], beforehand)


def correct(match: Match, names: tuple[str, str], user: User, reason: str) -> None:
    """Say who plays a match; clocks and score stay. Raises Refused(Why.BAD_VALUE) for impossible names."""
    checked = Setup.parse({**match.setup, "names": names}).names
    enlist(match.table.tournament, names_of([{**match.setup, "names": checked}]))
    _carry_out([_correction(match, checked, user, reason)])


def correct_drawn(pairing: Pairing, names: tuple[str, str], user: User, reason: str) -> None:
    """Say who played a match that has a result without a clock. Raises Refused(Why.BAD_VALUE) likewise."""
    setup = Setup.parse({**pairing.setup, "names": names}).to_dict()
    tournament = pairing.round.tournament
    enlist(tournament, names_of([setup]))
    with transaction.atomic():
        Pairing.objects.filter(pk=pairing.pk).update(setup=setup)
        after = " – ".join(setup["names"])  # type: ignore[arg-type]
        tournament_log.write(tournament, user, NamesCorrected(str(pairing), after, reason))


def respell_drawn(pairing: Pairing, names: tuple[str, str]) -> None:
    """Put other players into a line of a draw that has no match. Raises Refused for names that cannot be."""
    setup = Setup.parse({**pairing.setup, "names": names}).to_dict()
    Pairing.objects.filter(pk=pairing.pk, match=None, winner="").update(setup=setup)


def _must_be_one(player: Player, other: Player, merge: bool) -> None:
    """Refuse a name that is another player's, unless the two are to be one and never play in the same round."""
    if not merge:
        words = Words("%(name)s is already in the list. If both are one player, say so.", name=other.name)
        raise Refused(Why.BAD_VALUE, words)
    rounds = []
    for name in (player.name, other.name):
        matches, drawn = at_play(player.tournament, name)
        played = {each.round_id for each in matches if each.round_id and not each.struck_out}
        rounds.append(played | {each.round_id for each in drawn})
    if rounds[0] & rounds[1]:
        words = Words(
            "%(name)s and %(other)s are drawn in the same round, so they cannot be one player.",
            name=player.name,
            other=other.name,
        )
        raise Refused(Why.BAD_VALUE, words)


def _respelt(setup: Setting, spelling: dict[str, str]) -> tuple[str, str]:
    """Return the names of a setting with a player called something else. Refused where they cannot be called so."""
    names = [spelt(name, setup["format"], spelling) for name in setup["names"]]
    return Setup.parse({**setup, "names": names}).names


def _correction(match: Match, names: tuple[str, str], user: User, reason: str) -> Request:
    alongside = partial(_rename_rows, match.pk, list(names))
    command = CorrectNames(names, reason)
    return Request(match.pk, command, Official.DIRECTOR, user_id=user.pk, alongside=alongside)


def _rename_rows(match_id: int, names: Sequence[str]) -> None:
    """Let the setting of a match and the line of its draw say what its journal says."""
    for model, which in ((Match, {"pk": match_id}), (Pairing, {"match": match_id})):
        for row in model._default_manager.filter(**which):
            model._default_manager.filter(pk=row.pk).update(setup={**row.setup, "names": names})
    Match.objects.filter(pk=match_id).exclude(by_players=None).update(by_players=[])  # a director has looked at them


def _carry_out(requests: list[Request], beforehand: Callable[[], None] | None = None) -> None:
    for reply in desk.submit_all_and_wait(requests, beforehand):
        if not reply.ok:
            raise reply.refusal()
