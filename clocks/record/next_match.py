"""Next step of a player after a match: a table, a bye, an opponent to come, out."""

from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.models import Bye, Match, Pairing, Section, Tournament
from clocks.record import expected_ends
from clocks.tournament import places
from clocks.tournament.players import name_key
from clocks.wording.language import unmarked


def after(match: Match, seat: Seat, now: int) -> str:
    """Describe the next step of the player in this seat after a decided match."""
    played = Pairing.objects.filter(match=match).select_related("round__section", "match").first()
    name = match.setup["names"][seat.index]
    if played is None:
        return ""
    tournament = played.round.tournament
    drawn = _next_of(tournament, played, name)
    bye = Bye.objects.filter(
        round__tournament=tournament, round__number__gt=played.round.number, name=name, filled=True
    )
    free = bye.select_related("round").order_by("round__number").first()
    if drawn is not None and (free is None or drawn.round.number < free.round.number):
        return " ".join(filter(None, (_new_event(played, drawn), _at_table(drawn, name, now))))
    if free is not None:
        return _("You have a bye in %(round)s.") % {"round": free.round}
    winner = _winner(played)
    return _not_drawn(played, name, won=name_key(winner) == name_key(name)) if winner else ""


def _next_of(tournament: Tournament, played: Pairing, name: str) -> Pairing | None:
    """First undecided match of a player, other than the one just played."""
    of_player = Q(setup__names__0=name) | Q(setup__names__1=name)
    undecided = Pairing.objects.filter(of_player, round__tournament=tournament).exclude(pk=played.pk)
    undecided = undecided.exclude(Pairing.decided())
    return undecided.select_related("round__section", "table", "match").order_by("round__number", "pk").first()


def _new_event(played: Pairing, drawn: Pairing) -> str:
    before, section = played.round.section, drawn.round.section
    if section is None or not section.name or (before is not None and before.pk == section.pk):
        return ""
    return _("Your next event: %(event)s.") % {"event": section.name}


def _at_table(drawn: Pairing, name: str, now: int) -> str:
    """Table, opponent and expected time of the next match."""
    table, names = drawn.table.name, drawn.setup["names"]
    other = names[1] if name_key(names[0]) == name_key(name) else names[0]
    if (reference := places.read(other)) is not None:
        words = _("You play next: table %(table)s. Opponent: %(player)s.")
        player = unmarked(_(places.WITHOUT_ROUND[reference.takes])) % {"table": reference.table}
        return words % {"table": table, "player": player}
    at = _expected(drawn, now)
    if at is None:
        return _("You play next: table %(table)s against %(opponent)s.") % {"table": table, "opponent": other}
    words = _("You play next: table %(table)s against %(opponent)s, about %(time)s.")
    return words % {"table": table, "opponent": other, "time": date_format(timezone.localtime(at), "H:i")}


def _expected(drawn: Pairing, now: int) -> datetime | None:
    """Expected start of a match that cannot begin yet; None if unknown."""
    found = []
    if drawn.round.starts_at is not None:
        found.append(int(drawn.round.starts_at.timestamp() * 1000))
    if drawn.match_id is None and drawn.table.current_id is not None:
        end = expected_ends.cached(drawn.round.tournament, now).matches.get(drawn.table.current_id)
        found += [] if end is None else [end.at]
    later = [at for at in found if at > now]
    return datetime.fromtimestamp(max(later) / 1000, UTC) if later else None


def _not_drawn(played: Pairing, name: str, won: bool) -> str:
    """Describe the next step of a player without a drawn match."""
    section = played.round.section
    if section is None or section.method != Section.Method.KNOCKOUT:
        return _("Your next match is not drawn yet.")
    if not won:
        if section.name:
            return _("You are out of %(event)s. No other match is drawn for you.") % {"event": section.name}
        return _("You are out. No other match is drawn for you.")
    if played.position is None:
        return _("You are in the next round. It is not drawn yet.")
    beside = _others(played).filter(position=played.position ^ 1).select_related("table", "match").first()
    resting = played.round.byes.filter(position=played.position ^ 1).first()
    if beside is None and resting is None:
        alone = played.position == 0 and not _others(played).exists() and not played.round.byes.exists()
        return _("You have won the final.") if alone else _("You are in the next round. It is not drawn yet.")
    opponent = _winner(beside) if beside else str(resting)
    if beside is not None and not opponent:
        words = _("You are in the next round. You wait for the winner of table %(table)s.")
        return words % {"table": beside.table.name}
    return _("You are in the next round, against %(opponent)s. Its table is not known yet.") % {"opponent": opponent}


def _winner(pairing: Pairing) -> str:
    """Name of the winner of a line of a draw; "" while it is undecided."""
    won = pairing.winner
    if pairing.match is not None and pairing.match.status == Status.OVER:
        won = pairing.match.state["winner"] or ""
    return pairing.setup["names"][Seat(won).index] if won else ""


def _others(played: Pairing) -> QuerySet[Pairing]:
    return Pairing.objects.filter(round=played.round_id).exclude(pk=played.pk)
