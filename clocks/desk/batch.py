"""What the writer thread does with a batch: one transaction for all that waits, then the replies and the updates."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from functools import partial

import orjson
from django.db import DataError, IntegrityError, connection, transaction

from clocks.desk import outage, pairings
from clocks.desk.handler import handle, reopens
from clocks.desk.matches import updates_of_new
from clocks.desk.requests import Reply, Request
from clocks.desk.writer import Writer
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import TakeSeat
from clocks.engine.events import SeatGranted, SeatReleased, SeatTaken
from clocks.engine.refusals import REFUSALS, Refused
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.journal.stored import StoredMatch
from clocks.live import broadcast
from clocks.live.updates import Update, update_of
from clocks.models import Match
from clocks.seats import presence

AT_HAND = 2_000  # boards kept in memory after a batch, more than any hall has; what is missing is read again
REMEMBERED = 50_000  # answers kept in memory; accepted commands are found in the journal for ever
SIGN_MS = 1_000

_TABLE = Match._meta.db_table
_LOCK = f"SELECT id, version, left_device_id, right_device_id FROM {_TABLE} WHERE id IN ({{}}) ORDER BY id"
_PROJECT = f"UPDATE {_TABLE} SET version = %s, status = %s, flag_at = %s, state = %s WHERE id = %s"
_SEAT = f"UPDATE {_TABLE} SET left_device_id = %s, right_device_id = %s, tenure = %s WHERE id = %s"  # apart: indexed
_SEATING = (SeatTaken.name, SeatReleased.name, SeatGranted.name)

Key = tuple[int, str]  # match, command id

logger = logging.getLogger(__name__)


class Desk:
    """The boards and answers that the writer thread has at hand, and what it does with a batch."""

    def __init__(self) -> None:
        self.writer: Writer[Request] = Writer(self.settle)
        self.told_of_flag: Callable[[int], None] | None = None  # called with the earliest flag_at of a commit
        self._boards: OrderedDict[int, StoredMatch] = OrderedDict()  # the one used last at the end
        self._answers: OrderedDict[Key, Reply] = OrderedDict()
        self._sign_at = 0
        self._elsewhere: set[int] = set()  # the matches of a batch of which more changed than their state
        self._done_beforehand: set[Callable[[], None]] = set()  # what the requests of a batch had done first

    def forget(self) -> None:
        """Drop what is at hand: the database was changed behind the desk's back."""
        self._boards.clear()
        self._answers.clear()

    def settle(self, batch: list[Request]) -> None:
        """Store a batch, then answer and tell. Whatever fails, every request is answered."""
        try:
            answers, updates = self._store(batch)
        except Exception as error:
            self._boards.clear()
            connection.close()
            if len(batch) > 1 and isinstance(error, IntegrityError | DataError):
                # One of them is something that the database does not take: it must not harm its neighbours.
                for request in batch:
                    self.settle([request])
                return
            logger.exception("nothing of a batch of %d was stored", len(batch))
            answers, updates = [Reply(False, 0, "not-stored", REFUSALS["not-stored"])] * len(batch), []
        replies = []
        for request, answer in zip(batch, answers, strict=True):
            if request.answered is not None and request.on_loop:
                replies.append((request.answered, answer))
            elif request.answered is not None:
                request.answered(answer)
        if replies or updates:
            broadcast.publish(replies, updates)

    def _store(self, batch: list[Request]) -> tuple[list[Reply], list[Update]]:
        """Decide and commit; return an answer for each request, and what everybody is to be told."""
        now = now_ms()
        lost_at = outage.heartbeat.lost_at(now)
        rows: list[entries.Row] = []
        replaced: dict[int, set[int]] = {}  # of each match that changed, the devices that lost a seat
        self._elsewhere.clear()
        self._done_beforehand.clear()
        with transaction.atomic(durable=True):
            requests = batch if lost_at is None else [*outage.stops_after(lost_at, now), *batch]
            self._give_sign(now, at_once=lost_at is not None)
            self._load({request.match_id for request in requests})
            known = self._known(requests)
            answers = [self._answer(request, known, rows, replaced) for request in requests]
            if rows:
                entries.append(rows)
                self._project(replaced)
                self._seat({row.match_id for row in rows if row.event in _SEATING})
            freed = self._read_again(replaced) if self._elsewhere else ()
            started = self._start_next(replaced, freed)
        if lost_at is not None:
            outage.heartbeat.recovered(now_ms())
        self._remember(requests, answers)
        updates = self._updates(replaced) + updates_of_new(started)
        self._put_away({request.match_id for request in requests})
        return answers[len(requests) - len(batch) :], updates

    def _answer(
        self,
        request: Request,
        known: dict[Key, Reply],
        rows: list[entries.Row],
        replaced: dict[int, set[int]],
    ) -> Reply:
        """Decide one request and add its entries; an exception in the rules is logged and harms nobody else."""
        board = self._boards.get(request.match_id)
        if board is None:
            return Reply(False, 0, "bad-value", "There is no such match.")
        if request.command_id is not None:
            first = known.get((board.id, request.command_id))
            if first is not None:
                return first._replace(again=True)
        try:
            if request.beforehand is not None and request.beforehand not in self._done_beforehand:
                with transaction.atomic():
                    request.beforehand()
                self._done_beforehand.add(request.beforehand)
            decided = handle(request, board)
            alongside = request.alongside
            if reopens(request.command):
                alongside = partial(pairings.play_again, board.id)
            if alongside is not None and decided.answer.ok:
                with transaction.atomic():
                    alongside()
                self._elsewhere.add(board.id)
        except Refused as refusal:
            return Reply(False, board.version, refusal.code, refusal.words)
        except Exception:
            logger.exception("match %d: %r by %s failed", board.id, request.command, request.by)
            return Reply(False, board.version, "bad-message", "The server could not carry that out.")
        if decided.rows:
            rows += decided.rows
            replaced.setdefault(board.id, set()).update(decided.replaced)
            board.match, board.late = decided.match, decided.late
            board.devices, board.tenure = decided.devices, decided.tenure
            board.version += len(decided.rows)
            if isinstance(request.command, TakeSeat):
                for seat in request.command.seats:
                    presence.saw(board.id, seat.index, request.at)
        if request.command_id is not None:
            known[board.id, request.command_id] = decided.answer
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
            board = self._boards.get(match_id)
            if board is None or board.version != version:
                outdated.append(match_id)
            else:
                board.devices = (left, right)
                self._boards.move_to_end(match_id)
        for match_id, read in stored.boards(outdated).items():
            self._boards[match_id] = read
            self._boards.move_to_end(match_id)
        if len(locked) < len(match_ids):
            for gone in match_ids - {row[0] for row in locked}:
                self._boards.pop(gone, None)

    def _put_away(self, match_ids: Iterable[int]) -> None:
        """Drop those of these boards that are over, and of all others those unused for longest."""
        for match_id in match_ids:
            board = self._boards.get(match_id)
            if board is not None and board.match.status == "over":
                del self._boards[match_id]
        while len(self._boards) > AT_HAND:
            self._boards.popitem(last=False)

    def _known(self, requests: Iterable[Request]) -> dict[Key, Reply]:
        """Return the answers that commands of this batch were already given."""
        known: dict[Key, Reply] = {}
        unknown: list[Key] = []
        for request in requests:
            if request.command_id is not None:
                key = (request.match_id, request.command_id)
                answer = self._answers.get(key)
                if answer is None:
                    unknown.append(key)
                else:
                    known[key] = answer
        for key, (v, credit_ms) in entries.first_answers(unknown).items():
            known[key] = Reply(True, v, credit_ms=credit_ms)
        return known

    def _remember(self, requests: Iterable[Request], answers: Iterable[Reply]) -> None:
        for request, answer in zip(requests, answers, strict=True):
            if request.command_id is not None and not answer.again:
                self._answers[request.match_id, request.command_id] = answer
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    def _project(self, match_ids: Iterable[int]) -> None:
        """Write the state of matches beside their journal."""
        values = []
        for match_id in match_ids:
            board = self._boards[match_id]
            match = board.match
            values.append((board.version, match.status, match.flag_at, orjson.dumps(match).decode(), match_id))
        with connection.cursor() as cursor:
            cursor.executemany(_PROJECT, values)

    def _seat(self, match_ids: Iterable[int]) -> None:
        """Write who holds the seats of matches."""
        boards = [self._boards[match_id] for match_id in match_ids]
        values = [(*board.devices, orjson.dumps(board.tenure.to_dict()).decode(), board.id) for board in boards]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(_SEAT, values)

    def _read_again(self, match_ids: Iterable[int]) -> set[int]:
        """Reread what is at hand of tables where more than a match's state changed; return these tables."""
        tables = {self._boards[match_id].table_id for match_id in self._elsewhere}
        for match_id in [board.id for board in self._boards.values() if board.table_id in tables]:
            del self._boards[match_id]
        self._boards.update(stored.boards([match_id for match_id in match_ids if match_id not in self._boards]))
        return tables

    def _start_next(self, match_ids: Iterable[int], freed: Collection[int]) -> list[int]:
        """Begin the pairings that wait for the tables of matches that are over or have left.

        Returns their matches.
        """
        boards = [self._boards[match_id] for match_id in match_ids]
        tables = {board.table_id for board in boards if board.match.status == Status.OVER} | set(freed)
        if not tables:
            return []
        started, rows = pairings.create_next_matches(tables, entries.Asked(Official.SERVER))
        if rows:
            entries.append(rows)
        return started

    def _give_sign(self, now: int, at_once: bool) -> None:
        """Record a sign of life once a second while any clock runs."""
        if at_once or (outage.heartbeat.beats and now - self._sign_at >= SIGN_MS):
            self._sign_at = now
            if at_once or outage.any_runs():
                outage.record(now)

    def _updates(self, replaced: dict[int, set[int]]) -> list[Update]:
        """Return what everybody is to be told of the matches that changed."""
        now = now_ms()
        boards = [self._boards[match_id] for match_id in replaced]
        flags = [flag_at for board in boards if (flag_at := board.match.flag_at) is not None]
        if flags and self.told_of_flag is not None:
            self.told_of_flag(min(flags))
        moved = self._elsewhere
        return [update_of(board, now, tuple(replaced[board.id]), board.id in moved) for board in boards]
