"""Give a no-show's places in the draw to a late entry; the draw keeps its shape."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tournament_events import PlaceTaken
from clocks.models import Bye, Match, Pairing, Player, Tournament
from clocks.tournament.draw_plan import has_begun
from clocks.tournament.draw_store import BUSY
from clocks.tournament.players import (
    Players,
    correction,
    matches_of_player,
    name_key,
    respell,
    respell_drawn,
    respelt,
    submit,
    team,
)


class Held(NamedTuple):
    """Places of a player in the draw: matches, pairings without a match, byes."""

    matches: Sequence[Match]
    drawn: Sequence[Pairing]
    byes: Sequence[Bye]

    @classmethod
    def by(cls, tournament: Tournament, name: str) -> "Held":
        """Places that a player holds, in any round."""
        matches, drawn = matches_of_player(tournament, name)
        byes = Bye.objects.filter(round__tournament=tournament, filled=True).select_related("round")
        own = [bye for bye in byes if name_key(name) in map(name_key, team(bye.name, bye.round.format))]
        return cls([each for each in matches if not each.struck_out], drawn, own)

    @property
    def begun(self) -> bool:
        """True if the player has begun a match, or has a result."""
        return any(each.has_begun for each in self.matches) or any(map(has_begun, self.drawn))

    @property
    def rounds(self) -> dict[int, str]:
        """Names of the rounds in which the player has a place, by round id."""
        rounds = [each.round for each in self.matches if each.round is not None]
        rounds += [each.round for each in self.drawn] + [each.round for each in self.byes]
        return {each.pk: str(each) for each in rounds}


def is_possible(player: Player) -> bool:
    """True if another player can take this player's places."""
    held = Held.by(player.tournament, player.name)
    return any(held) and not held.begun


def replace(player: Player, name: str, user: User, note: str) -> None:
    """Withdraw a no-show, and give their places to another player.

    Raises Refused if the no-show has played, has joined with a phone or has no place, or if the other player has the
    same name or a place in the same round.
    """
    tournament = player.tournament
    other = Players(tournament).of(name)
    name = other.name if other is not None else name
    held = Held.by(tournament, player.name)
    _check(player, name, held, Held.by(tournament, name))
    spelling = {name_key(player.name): name}
    changed = [(match, respelt(match.setup, spelling)) for match in held.matches]
    drawn = [(pairing, respelt(pairing.setup, spelling)) for pairing in held.drawn]

    def beforehand() -> None:
        """Update everything except matches, in the same transaction, unless one has begun."""
        now = Match.objects.filter(pk__in=[each.pk for each in held.matches])
        if any(each.has_begun for each in now.only("status", "state")):
            raise Refused(Why.STALE, BUSY)
        if not all(respell_drawn(pairing, names) for pairing, names in drawn):
            raise Refused(Why.STALE, BUSY)
        for bye in held.byes:
            Bye.objects.filter(pk=bye.pk).update(name=respell(bye.name, bye.round.format, spelling))
        Player.objects.filter(pk=player.pk).update(withdrawn=True)
        Player.objects.update_or_create(tournament=tournament, name=name, defaults={"withdrawn": False})
        tournament_log.write(tournament, user, PlaceTaken(player.name, name, note))

    submit([correction(match, names, user, note) for match, names in changed], beforehand)


def _check(player: Player, name: str, held: Held, other: Held) -> None:
    """Raise Refused if the other player cannot take these places."""
    given = {"name": player.name, "other": name}
    if name_key(name) == name_key(player.name):
        raise Refused(Why.BAD_VALUE, Words("Nobody takes the place of %(name)s: this is the same name.", **given))
    if held.begun:
        words = Words(
            "%(name)s has played already, so this is no no-show. Correct the players of the match instead.", **given
        )
        raise Refused(Why.BAD_VALUE, words)
    if not any(held):
        raise Refused(Why.BAD_VALUE, Words("%(name)s has no place in a draw.", **given))
    for round_id, round_ in held.rounds.items():
        if round_id in other.rounds:
            raise Refused(Why.BAD_VALUE, Words("%(other)s is already drawn in %(round)s.", round=round_, **given))
    for match in held.matches:
        if _has_joined(match, player.name):
            words = Words(
                "A phone has the seat of %(name)s at table %(table)s. Free the seat on the director’s page first.",
                table=match.table.name,
                **given,
            )
            raise Refused(Why.BAD_VALUE, words)


def _has_joined(match: Match, name: str) -> bool:
    """True if the player's own phone has joined.

    A phone with both seats counts as the opponent's.
    """
    phones = (match.left_device_id, match.right_device_id)
    if phones[0] == phones[1]:
        return False
    seated = [team(each, match.setup["format"]) for each in match.setup["names"]]
    return any(
        phone is not None and name_key(name) in map(name_key, players)
        for phone, players in zip(phones, seated, strict=True)
    )
