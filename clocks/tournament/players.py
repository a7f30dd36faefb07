"""Players of a tournament: look up names, suggest similar ones, rename and merge.

Players are identified by name, ignoring case. So renaming changes the name everywhere in one transaction: in the list,
in draws, and in matches by an entry in each journal.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction

from clocks import desk
from clocks.desk import Request
from clocks.desk.pairings import store_names
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
from clocks.wording.alphabet import plain

NEAREST = 3  # maximum number of suggestions for an unknown name
ALIKE = 0.75  # minimum similarity of a suggested name (1: equal)

CUT_AT = 33  # characters of a name that other programs keep in TRF files
LONGEST_WRITTEN = 400  # characters of a name that are normalised: a long run of accents takes minutes
MOST_COMPARED = 60_000  # limit on pairs of names to compare (200 new ones with 300 players): a second of CPU time

_BETWEEN = re.compile(r"(\s*(?:[/&+;]|\band\b)\s*)")  # separator between the members of a doubles team

Setting = dict[str, Any]

_DRAWN = f"UPDATE {Pairing._meta.db_table} SET setup = %s WHERE id = %s"
_RESTING = f"UPDATE {Bye._meta.db_table} SET name = %s WHERE id = %s"
_ENLIST = (
    f"INSERT INTO {Player._meta.db_table} (tournament_id, name, number, club, rating, country, withdrawn, external_id)"
    " VALUES (%s, %s, '', '', '', '', FALSE, '') ON CONFLICT DO NOTHING"
)


def name_key(name: str) -> str:
    """Comparison key of a name: NFKC, casefolded, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name[:LONGEST_WRITTEN]).casefold().split())


def team(name: str, format_: str) -> list[str]:
    """Players at a seat: one, or the two members of a doubles team."""
    return _parts(name, format_)[::2]


def respell(name: str, format_: str, spelling: Mapping[str, str]) -> str:
    """Respell the players at a seat; `spelling` is keyed by normalised name."""
    return "".join(spelling.get(name_key(each), each) for each in _parts(name, format_))


def _parts(name: str, format_: str) -> list[str]:
    """Split a name: [name], or [member, separator, member] for a team."""
    parts = _BETWEEN.split(name.strip()) if format_ == Format.DOUBLES else []
    return parts if len(parts) == 3 and parts[0] and parts[2] else [name]


def names_of(setups: Iterable[Setting]) -> list[str]:
    """Players in these setups, each once, without placeholders."""
    found: dict[str, str] = {}
    for setup in setups:
        for seat in setup["names"]:
            for name in () if places.read(seat) else team(seat, setup["format"]):
                found.setdefault(name_key(name), name)
    return list(found.values())


@dataclass(frozen=True)
class Players:
    """Lookup of a tournament's players."""

    tournament: Tournament

    @cached_property
    def by_name(self) -> dict[str, Player]:
        """Players by normalised name."""
        return {name_key(player.name): player for player in self.tournament.players.order_by("pk")}

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Names as listed, by normalised name."""
        return {name: player.name for name, player in self.by_name.items()}

    @cached_property
    def _ordered(self) -> dict[str, str]:
        """Results of `in_order`, by name as listed."""
        return {name: in_order(name) for name in self.spelling.values()}

    @cached_property
    def written(self) -> dict[str, str]:
        """Names as listed, by current, former or shortened name in other programs.

        A current name takes precedence over the others.
        """
        renamed = HallEntry.objects.filter(
            tournament=self.tournament, event__in=(PlayerRenamed.name, PlayerJoined.name)
        ).order_by("-pk")
        old: dict[str, str] = {}
        for data in renamed.values_list("data", flat=True):  # newest first, so that each leads to a current name
            became = name_key(data["player"])
            now = old.get(became) or self.spelling.get(became)
            if now is not None:
                old.setdefault(name_key(data["was"]), now)
        return self._shortened | old | self.spelling

    @property
    def _shortened(self) -> dict[str, str]:
        """Long names as listed, by the part kept in TRF files, if that is unique."""
        long = [name for name in self.spelling.values() if len(name) > CUT_AT]
        uses = Counter(name_key(name[:CUT_AT]) for name in long)
        return {short: name for name in long if uses[short := name_key(name[:CUT_AT])] == 1}

    def of(self, name: str) -> Player | None:
        """Player with this current, former or shortened name, or None."""
        return self.by_name.get(name_key(self.written.get(name_key(name), name)))

    @cached_property
    def _by_words(self) -> dict[str, list[Player]]:
        """Players by the sorted words of their names."""
        found: dict[str, list[Player]] = {}
        for player in self.by_name.values():
            found.setdefault(in_order(player.name), []).append(player)
        return found

    def in_any_order(self, name: str) -> Player | None:
        """Player with this name, or the only one with its words reordered (“Berger, Ann”)."""
        same = self._by_words.get(in_order(name), [])
        return self.of(name) or (same[0] if len(same) == 1 else None)

    @cached_property
    def _withdrawn(self) -> set[str]:
        return {name for name, player in self.by_name.items() if player.withdrawn}

    def has_withdrawn(self, name: str, format_: str) -> bool:
        """True if the player at a seat, or a member of the team, has withdrawn."""
        return any(name_key(each) in self._withdrawn for each in team(name, format_))

    def unknown(self, names: Iterable[str]) -> list[str]:
        """Names that are not in the list of players."""
        return [name for name in names if name_key(name) not in self.by_name]

    def spelling_with(self, meant: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Copy of `written` that also maps names as written to the players meant."""
        return self.written | {
            name_key(name): self.spelling[name_key(of)] for name, of in meant if name_key(of) in self.spelling
        }

    def nearest(self, name: str) -> list[str]:
        """Names of up to NEAREST players with similar names, most similar first."""
        return [each for _alike, each in self.alike(name)]

    def alike(self, name: str) -> list[tuple[float, str]]:
        """Pairs (similarity, name) of the players that `nearest` returns."""
        return most_alike(name, self._ordered)


def most_alike(name: str, ordered: Mapping[str, str]) -> list[tuple[float, str]]:
    """Pairs (similarity, name) of up to NEAREST similar names, most similar first.

    `ordered` maps names to the results of `in_order`.
    """
    matcher = SequenceMatcher(None, b=in_order(name))
    found = []
    for each, words in ordered.items():
        matcher.set_seq1(words)
        if (
            matcher.real_quick_ratio() >= ALIKE
            and matcher.quick_ratio() >= ALIKE
            and (alike := matcher.ratio()) >= ALIKE
        ):
            found.append((alike, each))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))[:NEAREST]


def in_order(name: str) -> str:
    """Normalise for similarity: “Berger, Ann” becomes “ann berger”; no accents."""
    return " ".join(sorted(re.findall(r"\w+", plain(name[:LONGEST_WRITTEN]))))


def add_new_players(tournament: Tournament, names: Iterable[str]) -> None:
    """Add players for unknown names. No-op for casual matches."""
    if tournament.slug == CASUAL:
        return
    known = set(map(name_key, tournament.players.values_list("name", flat=True)))
    new = [name for key, name in {name_key(name): name for name in names}.items() if key not in known]
    update_in_slices(_ENLIST, [(tournament.pk, name) for name in new])


def matches_of_player(tournament: Tournament, name: str) -> tuple[list[Match], list[Pairing]]:
    """Matches of a player, and the player's pairings that have no match."""
    own = name_key(name)

    def theirs(setup: Setting) -> bool:
        return own in (name_key(each) for each in names_of([setup]))

    matches = Match.objects.filter(table__tournament=tournament).order_by("pk")
    drawn = Pairing.objects.filter(round__tournament=tournament, match=None)
    own_matches, own_drawn = (
        [key for key, setup in rows.values_list("pk", "setup").iterator() if theirs(setup)] for rows in (matches, drawn)
    )
    return (
        list(matches.filter(pk__in=own_matches).select_related("table", "round")),
        list(drawn.filter(pk__in=own_drawn).select_related("table", "round")),
    )


def rename(player: Player, name: str, user: User, reason: str, merge: bool = False) -> None:
    """Rename a player everywhere; journals and log record it.

    With `merge`, `name` may be another player's, and the two become one; raises Refused if both are drawn in the same
    round. Without it, raises Refused if the name is taken.
    """
    tournament = player.tournament
    matches, drawn = matches_of_player(tournament, player.name)
    other = Players(tournament).by_name.get(name_key(name))
    other = None if other == player else other
    if other is not None:
        _check_merge(player, other, merge)
    spelling = {name_key(player.name): name}
    changed = [(match, respelt(match.setup, spelling)) for match in matches]
    pairings = [
        (json.dumps({**pairing.setup, "names": list(respelt(pairing.setup, spelling))}), pairing.pk)
        for pairing in drawn
    ]
    in_rounds = Bye.objects.filter(round__tournament=tournament).select_related("round")
    of_byes = [(bye, respell(bye.name, bye.round.format, spelling)) for bye in in_rounds]
    byes = [(called, bye.pk) for bye, called in of_byes if called != bye.name]

    def beforehand() -> None:
        """Update everything except matches, in the same transaction."""
        with connection.cursor() as cursor:
            cursor.executemany(_DRAWN, pairings)
            cursor.executemany(_RESTING, byes)
        if other is not None:
            Player.objects.filter(pk=player.pk).delete()
        else:
            Player.objects.filter(pk=player.pk).update(name=name)
        names = (player.name, name, reason)
        tournament_log.write(tournament, user, PlayerJoined(*names) if other else PlayerRenamed(*names))

    submit([correction(match, names, user, reason) for match, names in changed], beforehand)


def correct(match: Match, names: tuple[str, str], user: User, reason: str) -> None:
    """Correct the players of a match. Raises Refused(Why.BAD_VALUE) if invalid."""
    checked = Setup.parse({**match.setup, "names": names}).names
    add_new_players(match.table.tournament, names_of([{**match.setup, "names": checked}]))
    submit([correction(match, checked, user, reason)])


def correct_drawn(pairing: Pairing, names: tuple[str, str], user: User, reason: str) -> None:
    """Correct the players of a pairing without a match."""
    setup = Setup.parse({**pairing.setup, "names": names}).to_dict()
    tournament = pairing.round.tournament
    add_new_players(tournament, names_of([setup]))
    with transaction.atomic():
        Pairing.objects.filter(pk=pairing.pk).update(setup=setup)
        after = " – ".join(setup["names"])  # type: ignore[arg-type]
        tournament_log.write(tournament, user, NamesCorrected(str(pairing), after, reason))


def respell_drawn(pairing: Pairing, names: tuple[str, str]) -> bool:
    """Rename the players of a pairing; False if it has a match or a result by now.

    Raises Refused if the names are invalid.
    """
    setup = Setup.parse({**pairing.setup, "names": names}).to_dict()
    return bool(Pairing.objects.filter(Pairing.waiting(), pk=pairing.pk).update(setup=setup))


def _check_merge(player: Player, other: Player, merge: bool) -> None:
    """Reject a taken name, unless both are to be merged and share no round."""
    if not merge:
        words = Words("%(name)s is already in the list. If both are one player, say so.", name=other.name)
        raise Refused(Why.BAD_VALUE, words)
    rounds = []
    for name in (player.name, other.name):
        matches, drawn = matches_of_player(player.tournament, name)
        played = {each.round_id for each in matches if each.round_id and not each.struck_out}
        rounds.append(played | {each.round_id for each in drawn} | _rounds_with_bye(player.tournament, name))
    if rounds[0] & rounds[1]:
        words = Words(
            "%(name)s and %(other)s are drawn in the same round, so they cannot be one player.",
            name=player.name,
            other=other.name,
        )
        raise Refused(Why.BAD_VALUE, words)


def _rounds_with_bye(tournament: Tournament, name: str) -> set[int]:
    byes = Bye.objects.filter(round__tournament=tournament).select_related("round")
    return {bye.round_id for bye in byes if name_key(name) in map(name_key, team(bye.name, bye.round.format))}


def respelt(setup: Setting, spelling: dict[str, str]) -> tuple[str, str]:
    """Names of a setup after respelling. Raises Refused if they are invalid."""
    names = [respell(name, setup["format"], spelling) for name in setup["names"]]
    return Setup.parse({**setup, "names": names}).names


def correction(match: Match, names: tuple[str, str], user: User, reason: str) -> Request:
    """Request that corrects the players of a match and of its pairing."""
    alongside = partial(store_names, match.pk, names)
    command = CorrectNames(names, reason)
    return Request(match.pk, command, Official.DIRECTOR, user_id=user.pk, alongside=alongside)


def submit(requests: list[Request], beforehand: Callable[[], None] | None = None) -> None:
    """Submit requests in one transaction. Raises the first refusal."""
    for reply in desk.submit_all_and_wait(requests, beforehand):
        if not reply.ok:
            raise reply.refusal()
