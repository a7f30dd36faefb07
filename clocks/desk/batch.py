"""What the writer thread does with a batch: one transaction for all that waits, then the replies and the updates."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

import orjson
from django.db import DataError, IntegrityError, connection, transaction

from clocks.desk import audit, changes, outage, pairings
from clocks.desk.changes import Change
from clocks.desk.figures import figures
from clocks.desk.handler import handle, reopens
from clocks.desk.requests import Key, NewMatch, Reply, Request
from clocks.desk.watched import watched
from clocks.desk.writer import Writer
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import HandOver, TakeSeat
from clocks.engine.refusals import REFUSALS, Refused, Why
from clocks.host.server_time import now_ms
from clocks.journal import chain, entries, stored
from clocks.journal.stored import StoredMatch
from clocks.models import Match, Pairing
from clocks.seats import presence

# Boards kept in memory after a batch, more than a process serves: to read one again takes a press a millisecond.
AT_HAND = 12_000
IDLE_MS = 120_000  # without an entry for so long, it is put away: what another process ended is never heard of here
REMEMBERED = 50_000  # answers kept in memory that are in no journal

_TABLE = Match._meta.db_table
_LOCK = f"SELECT id, version, left_device_id, right_device_id FROM {_TABLE} WHERE id IN ({{}}) ORDER BY id"
_PROJECT = f"UPDATE {_TABLE} SET version = %s, status = %s, flag_at = %s, state = %s WHERE id = %s"
_SEAT = f"UPDATE {_TABLE} SET left_device_id = %s, right_device_id = %s, tenure = %s WHERE id = %s"  # apart: indexed
_LATE = f"UPDATE {_TABLE} SET late = %s WHERE id = %s"  # apart: it seldom changes


logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Batch:
    """What is stored in one transaction: the requests, and what has become of them so far."""

    requests: list[Request]
    known: dict[Key, Reply] = field(default_factory=dict)  # how commands in it were answered before
    replies: list[Reply] = field(default_factory=list)
    rows: list[entries.Row] = field(default_factory=list)
    replaced: dict[int, set[int]] = field(default_factory=dict)  # of each match that changed, who lost a seat
    late: set[int] = field(default_factory=set)  # the matches of which another late press is shown, or none any more
    elsewhere: set[int] = field(default_factory=set)  # the matches of which more changed than their state
    done_beforehand: set[Callable[[], None]] = field(default_factory=set)


class Desk:
    """The boards and answers that the writer thread has at hand, and what it does with a batch."""

    def __init__(self) -> None:
        self.writer: Writer[Request | NewMatch] = Writer(watched(self.settle))
        self._matches: OrderedDict[int, StoredMatch] = OrderedDict()  # the one used last at the end
        self._answers: OrderedDict[Key, Reply] = OrderedDict()

    def forget(self) -> None:
        """Drop what is at hand: the database was changed behind the desk's back."""
        self._matches.clear()
        self._answers.clear()

    def settle(self, items: Sequence[Request | NewMatch]) -> None:
        """Store these together, then answer and publish. Whatever fails, every one is answered."""
        began = perf_counter()
        requests = [item for item in items if isinstance(item, Request)]
        new_matches = [item for item in items if isinstance(item, NewMatch)]
        try:
            replies, changed, faults = self._store(requests, new_matches)
        except Exception as error:
            self._matches.clear()
            connection.close()
            if len(items) > 1 and isinstance(error, IntegrityError | DataError):
                # One of them is something that the database does not accept: it must not harm its neighbours.
                for item in items:
                    self.settle([item])
                return
            logger.exception("nothing of a batch of %d was stored", len(items))
            if requests:
                outage.heartbeat.failed(now_ms())
            replies, changed = [Reply(False, 0, Why.NOT_STORED, REFUSALS[Why.NOT_STORED])] * len(requests), []
            faults = [error] * len(new_matches)
        commit_s = perf_counter() - began
        for request, reply in zip(requests, replies, strict=True):
            if request.answered is not None:
                request.answered(reply)
        if requests or changed:
            changes.publish(changed)
        for new_match, fault in zip(new_matches, faults, strict=True):
            new_match.answered(fault)
        figures.settled(requests, replies, commit_s)
        audit.write(requests, replies)

    def _store(
        self, requests: list[Request], new_matches: list[NewMatch]
    ) -> tuple[list[Reply], list[Change], list[Exception | None]]:
        """Decide and commit; return the replies, what has changed, and the fault of each new match, if any."""
        now = now_ms()
        lost_at = outage.heartbeat.lost_at(now)
        with transaction.atomic(durable=True):
            stops = outage.stops_after(lost_at, now)
            batch = Batch([*stops, *requests])
            outage.heartbeat.give_sign(now, at_once=lost_at is not None)
            self._load({request.match_id for request in batch.requests})
            batch.known = self._known(batch.requests)
            for request in batch.requests:
                batch.replies.append(self._reply(request, batch))
            if batch.rows:
                heads = entries.append(batch.rows, {id_: self._matches[id_].head for id_ in batch.replaced})
                for match_id, head in heads.items():
                    self._matches[match_id].head = head
                self._project(batch.replaced)
                self._seat({row.match_id for row in batch.rows if row.event in entries.SEATING})
                self._note_late(batch.late)
            freed = self._read_again(batch) if batch.elsewhere else ()
            started = self._start_next(batch.replaced, freed)
            made = [_made(new_match) for new_match in new_matches]
        if lost_at is None:
            outage.heartbeat.beat(now, commands=bool(requests))
        else:
            outage.heartbeat.recovered(now_ms())
            outage.tell(stops, now)
        self._remember(batch)
        events = frozenset(row.event for row in batch.rows)
        changed = [
            Change(self._matches[match_id], tuple(replaced), match_id in batch.elsewhere, events)
            for match_id, replaced in batch.replaced.items()
        ]
        if new := started + [match for match in made if isinstance(match, int)]:
            changed += changes.of_new(new)
        self._put_away({request.match_id for request in batch.requests})
        faults = [match if isinstance(match, Exception) else None for match in made]
        return batch.replies[len(batch.requests) - len(requests) :], changed, faults

    def _reply(self, request: Request, batch: Batch) -> Reply:
        """Decide one request and add its entries; an exception in the rules is logged and harms nobody else."""
        board = self._matches.get(request.match_id)
        if board is None:
            return Reply(False, 0, Why.BAD_VALUE, "There is no such match.")
        if request.command_id is not None:
            first = batch.known.get((board.id, request.command_id))
            if first is not None:
                return first._replace(again=True)
        try:
            if request.beforehand is not None and request.beforehand not in batch.done_beforehand:
                with transaction.atomic():
                    request.beforehand()
                batch.done_beforehand.add(request.beforehand)
            decided = handle(request, board, batch.known)
            alongside = [] if request.alongside is None else [request.alongside]
            if reopens(request.command, board.match, decided.match):
                alongside.append(partial(pairings.play_again, board.id))
            if alongside and decided.answer.ok:
                with transaction.atomic():
                    for each in alongside:
                        each()
                batch.elsewhere.add(board.id)
        except Refused as refusal:
            return Reply(False, board.version, refusal.code, refusal.words)
        except Exception:
            about = {"match": board.id, "device": request.device_id, "request": request.command_id}
            logger.exception("match %d: %r by %s failed", board.id, request.command, request.by, extra=about)
            return Reply(False, board.version, Why.BAD_MESSAGE, "The server could not carry that out.")
        if decided.rows:
            batch.rows += decided.rows
            batch.replaced.setdefault(board.id, set()).update(decided.replaced)
            if decided.late is not board.late:
                batch.late.add(board.id)
            board.match, board.late = decided.match, decided.late
            board.devices, board.tenure = decided.devices, decided.tenure
            board.version += len(decided.rows)
            if isinstance(request.command, TakeSeat):
                for seat in request.command.seats:
                    presence.saw(board.id, seat.index, request.at)
        if request.command_id is not None:
            batch.known[board.id, request.command_id] = decided.answer
        return decided.answer

    def _load(self, match_ids: set[int]) -> None:
        """Lock these matches in key order; read those that are not at hand or that another process has changed."""
        if not match_ids:
            return
        sql = _LOCK.format(", ".join(["%s"] * len(match_ids)))
        if connection.features.has_select_for_update:
            sql += " FOR UPDATE"
        with connection.cursor() as cursor:
            cursor.execute(sql, sorted(match_ids))
            locked = cursor.fetchall()
        outdated = []
        for match_id, version, left, right in locked:
            board = self._matches.get(match_id)
            if board is None or board.version != version:
                outdated.append(match_id)
            else:
                board.devices = (left, right)
                self._matches.move_to_end(match_id)
        for match_id, read in _read(outdated).items():
            self._matches[match_id] = read
            self._matches.move_to_end(match_id)
        if len(locked) < len(match_ids):
            for gone in match_ids - {row[0] for row in locked}:
                self._matches.pop(gone, None)

    def _put_away(self, match_ids: Iterable[int]) -> None:
        """Drop those of these boards that are over, and of all others those unused for long."""
        for match_id in match_ids:
            board = self._matches.get(match_id)
            if board is not None and board.match.status == Status.OVER:
                del self._matches[match_id]
        idle_since = now_ms() - IDLE_MS
        while self._matches:
            unused_for_longest = next(iter(self._matches.values()))
            if len(self._matches) <= AT_HAND and unused_for_longest.match.at >= idle_since:
                break
            del self._matches[unused_for_longest.id]

    def _known(self, requests: Iterable[Request]) -> dict[Key, Reply]:
        """Return the answers that commands of this batch were already given."""
        known: dict[Key, Reply] = {}
        unknown: list[Key] = []
        for request in requests:
            for key in _keys(request):
                answer = self._answers.get(key)
                if answer is None:
                    unknown.append(key)
                else:
                    known[key] = answer
        for key, (v, credit_ms, code) in entries.first_answers(unknown).items():
            known[key] = Reply(not code, v, code, REFUSALS.get(code, ""), credit_ms)
        return known

    def _remember(self, batch: Batch) -> None:
        """Keep the answers that no journal has: refusals, and to what changed nothing.

        Were all kept, each press would leave something behind, and the garbage collector would look through all that
        play has made since its last pass, some 50 ms with 4,000 boards.
        """
        stored = {(row.match_id, row.command_id) for row in batch.rows}
        for request, reply in zip(batch.requests, batch.replies, strict=True):
            if request.command_id is None or reply.again:
                continue
            key = (request.match_id, request.command_id)
            if not reply.ok or key not in stored:
                self._answers[key] = reply
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    def _project(self, match_ids: Iterable[int]) -> None:
        """Write the state of matches beside their journal."""
        values = []
        for match_id in match_ids:
            board = self._matches[match_id]
            match = board.match
            values.append((board.version, match.status, match.flag_at, orjson.dumps(match).decode(), match_id))
        with connection.cursor() as cursor:
            cursor.executemany(_PROJECT, values)

    def _seat(self, match_ids: Iterable[int]) -> None:
        """Write who holds the seats of matches."""
        boards = [self._matches[match_id] for match_id in match_ids]
        values = [(*board.devices, orjson.dumps(board.tenure.to_dict()).decode(), board.id) for board in boards]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(_SEAT, values)

    def _note_late(self, match_ids: Iterable[int]) -> None:
        """Write which late presses are to be shown of matches."""
        shown = [(match_id, self._matches[match_id].late) for match_id in match_ids]
        values = [(None if late is None else orjson.dumps(late._asdict()).decode(), id_) for id_, late in shown]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(_LATE, values)

    def _read_again(self, batch: Batch) -> set[int]:
        """Reread what is at hand of tables where more than a match's state changed; return these tables."""
        tables = {self._matches[match_id].table_id for match_id in batch.elsewhere}
        for match_id in [board.id for board in self._matches.values() if board.table_id in tables]:
            del self._matches[match_id]
        self._matches.update(_read([match_id for match_id in batch.replaced if match_id not in self._matches]))
        return tables

    def _start_next(self, match_ids: Iterable[int], freed: Collection[int]) -> list[int]:
        """Begin the pairings that wait for the tables of matches that are over or have left.

        Returns their matches.
        """
        boards = [self._matches[match_id] for match_id in match_ids]
        over = [board for board in boards if board.match.status == Status.OVER]
        tables = {board.table_id for board in over} | set(freed)
        if not tables:
            return []
        drawn = Pairing.objects.filter(match__in=[board.id for board in over]).values_list("pk", flat=True)
        tables |= pairings.fill_places(list(drawn))
        started, rows = pairings.create_next_matches(tables, entries.Asker(Official.SERVER))
        if rows:
            entries.append(rows)
        return started


def _read(match_ids: Collection[int]) -> dict[int, StoredMatch]:
    """Return these matches, which are locked, with their last hashes."""
    boards = stored.matches(match_ids)
    for match_id, head in chain.heads_to_follow(boards).items():
        boards[match_id].head = head
    return boards


def _made(new_match: NewMatch) -> int | Exception:
    """Store a new match; return it, or what kept it from being stored."""
    try:
        with transaction.atomic():
            match, row = new_match.make()
            entries.append([row])
    except Exception as error:
        return error
    return match.pk


def _keys(request: Request) -> list[Key]:
    """Return under which ids a request, and what it hands over, may have been answered before."""
    command, ids = request.command, [request.command_id]
    if isinstance(command, HandOver):
        ids += [kept.id for kept in command.kept]
    return [(request.match_id, one) for one in ids if one is not None]
