"""Paper draws: players enter their own matches at free tables.

A match joins the draw of the latest round, because on paper a round begins when the director creates it. A director can
strike it out.
"""

from collections.abc import Sequence
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from clocks import desk
from clocks.desk.matches import append_and_publish, create_match
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Reason, Status
from clocks.engine.commands import Command, ReleaseSeat, Stop
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.host.server_time import now_ms
from clocks.journal import tournament_log
from clocks.journal.entries import Asker
from clocks.journal.tournament_events import MatchEntered, MatchStruckOut
from clocks.models import Device, Match, Pairing, Round, Table, Tournament
from clocks.tournament.draw_fingerprint import Fingerprint
from clocks.tournament.draw_store import Changed, retry_if_changed
from clocks.tournament.players import Players, add_new_players, name_key, names_of

STRUCK_OUT = "The match was struck out."  # reason stored in the journal, in English
UNDECIDED = (Status.SETUP, Status.READY, Status.RUNNING, Status.STOPPED)


def round_open(tournament: Tournament) -> Round | None:
    """Round that players can enter matches for, or None."""
    if not tournament.paper_draw or tournament.archived_at is not None:
        return None
    return tournament.rounds.order_by("-number").first()


def is_free(table: Table) -> bool:
    """True if a table has no unfinished match and no pairing waits for it."""
    present = table.current
    waiting = Pairing.objects.filter(Pairing.waiting(), table=table)
    return (present is None or present.status == Status.OVER) and not waiting.exists()


def enter(table: Table, setup: Setup, device: Device) -> Match:
    """Start the match that players entered on this phone at a free table.

    Raises Refused if the table has been taken meanwhile, if players may no longer enter matches, or if a player is
    already in this round.
    """
    return retry_if_changed(partial(_enter, table, setup, device))


def _enter(table: Table, setup: Setup, device: Device) -> Match:
    tournament = Tournament.objects.get(pk=table.tournament_id)
    round_ = _round_open(tournament)
    fingerprint = Fingerprint.of(round_)
    _reject_drawn_players(round_, setup)
    strangers = _strangers(tournament, setup)
    with transaction.atomic():
        Round.objects.select_for_update().get(pk=round_.pk)  # locked, so that nobody is entered at two tables
        if _round_open(Tournament.objects.get(pk=tournament.pk)) != round_ or Fingerprint.of(round_) != fingerprint:
            raise Changed
        table = Table.objects.select_for_update(of=("self",)).select_related("current", "tournament").get(pk=table.pk)
        if not is_free(table):
            raise Refused(Why.STALE, Words("Table %(table)s has just been taken.", table=table.name))
        pairing = Pairing.objects.create(round=round_, table=table, setup=setup.to_dict())
        match, row = create_match(table, setup, Asker(Official.SERVER, device_id=device.pk), now_ms(), pairing)
        Match.objects.filter(pk=match.pk).update(by_players=strangers)
        tournament_log.write(tournament, None, MatchEntered(str(match), table.name, round_.number, device.pk))
        append_and_publish([match.pk], [row])
    add_new_players(tournament, names_of([setup.to_dict()]))
    return match


def _round_open(tournament: Tournament) -> Round:
    """Round that players can enter matches for. Raises Refused if there is none."""
    round_ = round_open(tournament)
    if round_ is None:
        raise Refused(Why.STALE, "Players cannot enter their own matches here any more. Ask the director.")
    return round_


def _reject_drawn_players(round_: Round, setup: Setup) -> None:
    """Reject players who are already in the round, at a table or with a bye."""
    wanted = {name_key(name): name for name in names_of([setup.to_dict()])}
    for pairing in round_.pairings.select_related("table"):
        for name in map(name_key, names_of([pairing.setup])):
            if name in wanted:
                words = Words(
                    "%(name)s is already drawn in this round, at table %(table)s.",
                    name=wanted[name],
                    table=pairing.table.name,
                )
                raise Refused(Why.BAD_VALUE, words)
    for bye in round_.byes.all():
        if name_key(bye.name) in wanted:
            raise Refused(Why.BAD_VALUE, Words("%(name)s has a bye in this round.", name=wanted[name_key(bye.name)]))


def _strangers(tournament: Tournament, setup: Setup) -> list[str]:
    """Seats whose players are missing from the list of players."""
    players = Players(tournament)
    alone = [{**setup.to_dict(), "names": [name]} for name in setup.names]
    return [str(seat) for seat, each in zip(Seat, alone, strict=True) if players.unknown(names_of([each]))]


def may_be_struck_out(match: Match) -> bool:
    """True if players entered the match and no game is decided yet."""
    if match.by_players is None or match.struck_out:
        return False
    state = MatchState.from_dict(match.state)
    return state.status in UNDECIDED and state.game == 1 and state.score == state.setup.score and state.control == 1


def strike_out(match: Match, user: User) -> None:
    """Remove a match entered by players from the draw; its record stays.

    Frees its table and phones. Raises Refused if a game is already decided.
    """
    requests = [Request(match.pk, each, Official.DIRECTOR, user_id=user.pk) for each in _commands(match)]
    answers = desk.submit_all_and_wait(requests, partial(_take_out, match.pk, user))
    if not Match.objects.get(pk=match.pk).struck_out:
        raise answers[0].refusal()


def _commands(match: Match) -> Sequence[Command]:
    """Commands that stop the clock and release the phones."""
    held = (match.left_device_id, match.right_device_id)
    seats = [seat for seat in Seat if held[seat.index] is not None]
    if len(set(held)) == 1:
        seats = seats[:1]  # a phone released from one seat is released from both
    running: list[Command] = [Stop(Reason.DIRECTOR)] if match.status == Status.RUNNING else []
    return [*running, *(ReleaseSeat(seat, STRUCK_OUT) for seat in seats)]


def _take_out(match_id: int, user: User) -> None:
    """Delete the pairing and free the table, in the same transaction as the commands."""
    match = Match.objects.select_for_update(of=("self",)).select_related("table__tournament").get(pk=match_id)
    if not may_be_struck_out(match):
        words = Words(
            "A game of %(match)s has been decided, or it has already been taken back. End it by a ruling instead.",
            match=match,
        )
        raise Refused(Why.STALE, words)
    Pairing.objects.filter(match=match).delete()
    Table.objects.filter(current=match).update(current=None)
    Match.objects.filter(pk=match_id).update(struck_out=True)
    tournament_log.write(match.table.tournament, user, MatchStruckOut(str(match), match.table.name))
    desk.start_pairings([match.table_id])
