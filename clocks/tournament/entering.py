"""Entries by phone, which wait for the director to admit the players.

The URL on the poster contains a code, so that only people in the hall can enter. Entries are rate-limited per address,
and the number of waiting entries is limited per tournament.
"""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter
from clocks.journal import tournament_log
from clocks.journal.tournament_events import PlayerAdmitted, PlayerDeclined
from clocks.models import CASUAL, Entrant, Player, Tournament
from clocks.tournament import places, stamps
from clocks.tournament.codes import ALPHABET
from clocks.tournament.draw_columns import is_bye
from clocks.tournament.players import Players

CODE_LENGTH = 8  # 38 billion codes, too many to guess
MOST_WAITING = 300
OF_ADDRESS = SharedRateLimiter("entries of address", burst=100, per_s=0.1)  # a hall shares one address


def code(tournament: Tournament) -> str:
    """Code in the URL on the poster; an HMAC, so that nothing has to be stored."""
    digest = salted_hmac("clocks.entering", f"{tournament.pk} {tournament.slug}", algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:CODE_LENGTH])


def tournament_at(slug: str, typed: str) -> Tournament | None:
    """Unarchived tournament with this slug and code, or None; entry may be closed."""
    found = Tournament.objects.filter(slug=slug, archived_at=None).exclude(slug=CASUAL).first()
    return found if found is not None and constant_time_compare(typed.upper(), code(found)) else None


def may_be_a_name(name: str) -> bool:
    """True if text has a letter, and is neither a bye nor a placeholder in a draw."""
    return any(map(str.isalpha, name)) and not stands_for_nobody(name)


def stands_for_nobody(name: str) -> bool:
    """True if a draw would read this as a bye or a placeholder."""
    return is_bye(name) or places.read(name) is not None


def enter(tournament: Tournament, given: dict[str, str], address: str, before: int | None) -> Entrant:
    """Queue a player for the director to admit.

    Replaces the same phone's earlier entry, whose id is `before`. Raises Refused if too many entries are waiting, or
    too many came from this address.
    """
    if not OF_ADDRESS.take(client_key(address)):
        words = Words("Many players have entered from this network. Wait a few minutes, or ask the director.")
        raise Refused(Why.BAD_VALUE, words)
    waiting = tournament.entrants.filter(pk=before).first() if before is not None else None
    if waiting is not None:
        tournament.entrants.filter(pk=waiting.pk).update(**given)
        return waiting
    if tournament.entrants.count() >= MOST_WAITING:
        raise Refused(Why.BAD_VALUE, "Too many players wait for the director. Ask the director to add you.")
    return Entrant.objects.create(tournament=tournament, **given)


def stamp(entrant: Entrant) -> str:
    """Hash of an entry, to admit only what the director has seen."""
    return stamps.stamp(entrant.pk, entrant.name, entrant.club, entrant.country)


def admit(entrant: Entrant, user: User, known: Players) -> None:
    """Move an entry to the list of players, whose names are looked up in `known`.

    Raises Refused if the name is taken, or the entry is no longer waiting.
    """
    tournament = entrant.tournament
    same = known.in_any_order(entrant.name)
    if same is not None:
        raise Refused(Why.BAD_VALUE, Words("%(name)s is already in the list.", name=same.name))
    try:
        with transaction.atomic():
            Player.objects.create(tournament=tournament, name=entrant.name, club=entrant.club, country=entrant.country)
            gone, _rows = Entrant.objects.filter(pk=entrant.pk).delete()
            if not gone:
                raise Refused(Why.STALE, Words("%(name)s no longer waits.", name=entrant.name))
            tournament_log.write(tournament, user, PlayerAdmitted(entrant.name))
    except IntegrityError:  # somebody has just added this player
        raise Refused(Why.BAD_VALUE, Words("%(name)s is already in the list.", name=entrant.name)) from None


def decline(entrant: Entrant, user: User) -> None:
    """Remove an entry without adding the player."""
    with transaction.atomic():
        gone, _rows = Entrant.objects.filter(pk=entrant.pk).delete()
        if gone:
            tournament_log.write(entrant.tournament, user, PlayerDeclined(entrant.name))


def forget() -> None:
    """Reset the rate limit that this process keeps in memory."""
    OF_ADDRESS.clear()
