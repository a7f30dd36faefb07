"""Describe a player's next step: a table, a bye, a wait, or elimination."""

from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.models import Bye, Match, Pairing, Section, Tournament
from clocks.record import expected_ends
from clocks.tournament import events, places, sections
from clocks.tournament.players import name_key
from clocks.wording.language import unmarked


def after(match: Match, seat: Seat, now: int) -> str:
    """Describe what follows a player's last decided match, or else this one."""
    played = Pairing.objects.filter(match=match).select_related("round__section", "match").first()
    if played is None:
        return ""
    tournament, name = played.round.tournament, match.setup["names"][seat.index]
    return _follow(tournament, _last_decided(tournament, name) or played, name, now)


def where_next(tournament: Tournament, name: str, now: int) -> str:
    """Describe where a player plays now or next, as far as it is drawn."""
    drawn = _next_of(tournament, None, name)
    if drawn is not None and drawn.match is not None and drawn.match.status != Status.SETUP:
        words = _("You are playing at table %(table)s against %(opponent)s.")
        return words % {"table": drawn.table.name, "opponent": _opponent(drawn, name)}
    return _follow(tournament, _last_decided(tournament, name), name, now)


def _last_decided(tournament: Tournament, name: str) -> Pairing | None:
    decided = Pairing.objects.filter(_named(name), Pairing.decided(), round__tournament=tournament)
    return decided.select_related("round__section", "match").order_by("-round__number", "-pk").first()


def _follow(tournament: Tournament, played: Pairing | None, name: str, now: int) -> str:
    """Describe the next step after a player's last decided match (None: no match yet)."""
    drawn = _next_of(tournament, played, name)
    since = played.round.number if played else 0
    byes = Bye.objects.filter(round__tournament=tournament, round__number__gt=since, name=name, filled=True)
    free = byes.select_related("round").order_by("round__number").first()
    if drawn is not None and (free is None or drawn.round.number < free.round.number):
        return " ".join(filter(None, (_new_event(played, drawn), _at_table(drawn, name, now))))
    if free is not None:
        bye = _("You have a bye in %(round)s.") % {"round": free.round}
        return " ".join(filter(None, (bye, _at_table(drawn, name, now) if drawn else "")))
    if played is None:
        return _("No match is drawn for you yet.")
    winner = _winner(played)
    return _not_drawn(played, name, won=name_key(winner) == name_key(name)) if winner else ""


def _named(name: str) -> Q:
    return Q(setup__names__0=name) | Q(setup__names__1=name)


def _opponent(pairing: Pairing, name: str) -> str:
    names: list[str] = pairing.setup["names"]
    return names[1] if name_key(names[0]) == name_key(name) else names[0]


def _next_of(tournament: Tournament, played: Pairing | None, name: str) -> Pairing | None:
    """First undecided match of a player, other than the one just played."""
    undecided = Pairing.objects.filter(_named(name), round__tournament=tournament).exclude(Pairing.decided())
    undecided = undecided.exclude(pk=played.pk) if played else undecided
    return undecided.select_related("round__section", "table", "match").order_by("round__number", "pk").first()


def _new_event(played: Pairing | None, drawn: Pairing) -> str:
    section = drawn.round.section
    if played is None or section is None or not section.name or played.round.section_id == section.pk:
        return ""
    return _("Your next event: %(event)s.") % {"event": section.name}


def _at_table(drawn: Pairing, name: str, now: int) -> str:
    """Table, opponent and expected time of the next match."""
    table, other = drawn.table.name, _opponent(drawn, name)
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
        return _of_table(section, name)
    if not won:
        if (other := _for_losers(played, name)) is not None:
            return _("You are in %(event)s. Your match there is not drawn yet.") % {"event": other}
        if section.name:
            return _("You are out of %(event)s. No other match is drawn for you.") % {"event": section.name}
        return _("You are out. No other match is drawn for you.")
    if played.position is None:
        return _("You are in the next round. It is not drawn yet.")
    beside = _others(played).filter(position=played.position ^ 1).select_related("table", "match").first()
    resting = played.round.byes.filter(position=played.position ^ 1).first()
    if beside is None and resting is None:
        alone = played.position == 0 and not _others(played).exists() and not played.round.byes.exists()
        if not alone or (section.losers_of_id is not None and not _is_final(section)):
            return _("You are in the next round. It is not drawn yet.")
        if section.feeds is not None:
            return _("You are in %(event)s. Your match there is not drawn yet.") % {"event": section.feeds}
        return _("You have won the final.")
    opponent = _winner(beside) if beside else str(resting)
    if beside is not None and not opponent:
        words = _("You are in the next round. You wait for the winner of table %(table)s.")
        return words % {"table": beside.table.name}
    return _("You are in the next round, against %(opponent)s. Its table is not known yet.") % {"opponent": opponent}


def _of_table(section: Section | None, name: str) -> str:
    """Describe the next step in a Swiss or a round robin if no match is drawn."""
    if section is not None and section.feeds is not None:
        there = Pairing.objects.filter(round__section=section.feeds)
        if there.exists() and not there.filter(_named(name)).exists() and not _has_bye(section.feeds, name):
            return _("You are out of %(event)s. No other match is drawn for you.") % {"event": section}
    elif section is not None:
        drawn = sections.drawn(section)
        number = section.number_of_rounds(2 * drawn[0].pairings.count() + drawn[0].byes.count())
        if number is not None and len(drawn) >= number:
            return _("All %(number)s rounds are drawn.") % {"number": len(drawn)}
    return _("Your next match is not drawn yet.")


def _has_bye(section: Section, name: str) -> bool:
    return Bye.objects.filter(round__section=section, name=name).exists()


def _is_final(section: Section) -> bool:
    found = events.of_tournament(section.tournament)
    return any(each.final for each in found if each.section is not None and each.section.pk == section.pk)


def _for_losers(played: Pairing, name: str) -> Section | None:
    """Section that takes the losers of this round, unless the player is drawn there."""
    section, tournament = played.round.section, played.round.tournament
    nth = tournament.rounds.filter(section=section, number__lte=played.round.number).count()
    takes = Q(losers_rounds=None) | Q(losers_rounds__gte=nth)
    found = tournament.sections.filter(takes, losers_of=section).order_by("pk").first()
    there = Pairing.objects.filter(_named(name), round__section=found)
    return None if found is None or there.exists() else found


def _winner(pairing: Pairing) -> str:
    """Name of the winner of a pairing; "" while it is undecided."""
    won = pairing.winner
    if pairing.match is not None and pairing.match.status == Status.OVER:
        won = pairing.match.state["winner"] or ""
    return pairing.setup["names"][Seat(won).index] if won else ""


def _others(played: Pairing) -> QuerySet[Pairing]:
    return Pairing.objects.filter(round=played.round_id).exclude(pk=played.pk)
