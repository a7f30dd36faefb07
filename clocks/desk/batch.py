"""Group commit: one transaction for a batch of requests, then replies and updates."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

from django.db import connection, transaction
from django.db.models import Q

from clocks.desk import audit, changes, outage, pairings, projection, quarantine, soon
from clocks.desk.answers import Answers
from clocks.desk.boards import Boards
from clocks.desk.changes import Change
from clocks.desk.figures import figures
from clocks.desk.handler import handle, reopens
from clocks.desk.quarantine import Quarantine
from clocks.desk.requests import Key, NewMatch, Reply, Request
from clocks.desk.storage_faults import is_of_storage
from clocks.desk.watched import watched
from clocks.desk.writer import Writer
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import HandOver, TakeSeat
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import REFUSALS, Refused, Why
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.models import Pairing
from clocks.seats import presence

NOT_STORED = Reply(False, 0, Why.NOT_STORED, REFUSALS[Why.NOT_STORED])

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Batch:
    """One transaction: its requests, and their results so far."""

    requests: list[Request]
    new_matches: list[NewMatch] = field(default_factory=list)
    known: dict[Key, Reply] = field(default_factory=dict)  # first replies to commands that were already decided
    replies: list[Reply] = field(default_factory=list)
    rows: list[entries.Row] = field(default_factory=list)
    replaced: dict[int, set[int]] = field(default_factory=dict)  # phones that lost a seat, by match
    late: set[int] = field(default_factory=set)  # matches whose displayed late press changed
    ended: set[int] = field(default_factory=set)  # matches that ended or whose winner changed
    elsewhere: set[int] = field(default_factory=set)  # matches with related changes outside them (`alongside`)
    later: list[Request] = field(default_factory=list)  # replacements of players in later matches, for another batch
    current: set[int] = field(default_factory=set)  # matches of `elsewhere` that are current at their tables
    done_beforehand: set[Callable[[], object]] = field(default_factory=set)
    faults: list[Exception | None] = field(default_factory=list)  # exception for each new match that failed, else None
    began_s: float = field(default_factory=perf_counter)

    @classmethod
    def of(cls, items: Sequence[Request | NewMatch]) -> "Batch":
        """Make a batch of queued items."""
        new_matches = [item for item in items if isinstance(item, NewMatch)]
        return cls([item for item in items if isinstance(item, Request)], new_matches)


class Desk:
    """Processes batches in the writer thread; caches matches and replies."""

    def __init__(self) -> None:
        self.writer: Writer[Request | NewMatch] = Writer(watched(self.settle))
        self._matches = Boards()
        self._answers = Answers()
        self._quarantine = Quarantine()

    def forget(self) -> None:
        """Drop the caches, because something else changed the database."""
        self._matches.clear()
        self._answers.clear()
        self._quarantine = Quarantine()

    def settle(self, items: Sequence[Request | NewMatch]) -> None:
        """Store these items together, then reply and publish.

        Every item gets a reply, even after a failure. After an outage, clocks are stopped first. Requests from clients
        with recent failures are stored one by one after all others, or rejected if too many have failed.
        """
        fault = self._recover()
        if fault is not None:
            self._answer(Batch.of(items), NOT_STORED, fault)
            return
        refused, apart, together = list[Request](), list[Request](), list[Request | NewMatch]()
        for item in items:
            if isinstance(item, NewMatch) or not self._quarantine.suspects(item):
                together.append(item)
            elif self._quarantine.refuses(item):
                refused.append(item)
            else:
                apart.append(item)
        if refused:
            self._answer(Batch(refused), quarantine.REFUSED)
        done = set[Callable[[], object]]()
        self._settle(together, done)  # an empty batch too, because each commit is a heartbeat
        for request in apart:
            self._settle([request], done)

    def _recover(self) -> Exception | None:
        """Stop all clocks that ran during an outage; return the fault, if any."""
        now = now_ms()
        lost_at = outage.heartbeat.lost_at(now)
        if lost_at is None:
            return None
        try:
            stops = outage.stops_after(lost_at, now)
            fault = self._settle(stops, set()) if stops else None
            if fault is not None:
                return fault
            with soon.begin():
                outage.record(now)
        except Exception as error:
            logger.exception("clocks could not be stopped after an outage")
            connection.close()
            return error
        outage.heartbeat.recovered(now_ms())
        outage.tell(stops, now)
        return None

    def _settle(self, items: Sequence[Request | NewMatch], done: set[Callable[[], object]]) -> Exception | None:
        """Store items in one transaction, then reply and publish.

        Returns the storage fault, if any. If an item fails, bisects the batch to isolate it. `done` are the
        `beforehand` calls already committed.
        """
        batch = Batch.of(items)
        batch.done_beforehand |= done
        try:
            new = self._store(batch)
        except Exception as error:
            for request in batch.requests:
                self._matches.pop(request.match_id, None)
            if is_of_storage(error):
                return self._not_stored(batch, error)
            if len(items) < 2:
                return self._fail(batch, error)
            half = len(items) // 2
            first, second = self._settle(items[:half], done), self._settle(items[half:], done)
            return first or second
        done |= batch.done_beforehand
        self._tell(batch, batch.replies, self._changed(batch, new), batch.faults)
        if batch.later:
            self.writer.enqueue(*batch.later)
        return None

    def _not_stored(self, batch: Batch, fault: Exception) -> Exception:
        """Reply to a batch that could not be stored; return the fault."""
        logger.exception("nothing of a batch of %d was stored", len(batch.requests) + len(batch.new_matches))
        connection.close()
        if batch.requests:
            outage.heartbeat.failed(now_ms())
        self._answer(batch, NOT_STORED, fault)
        return fault

    def _fail(self, batch: Batch, error: Exception) -> Exception | None:
        """Reply to an item that failed on its own.

        Returns the storage fault, if any. Commits an empty batch as a heartbeat, because otherwise a single client
        could cause an outage by repeating the request.
        """
        for request in batch.requests:
            about = {"match": request.match_id, "device": request.device_id, "request": request.command_id}
            logger.exception("match %d: %r failed", request.match_id, request.command, extra=about)
            if self._quarantine.add(request):
                logger.warning("match %d: what %s asks keeps failing and is refused", request.match_id, request.by)
        if not batch.requests:
            logger.exception("a batch without requests failed")
        self._answer(batch, NOT_STORED, error)
        return self._settle([], set()) if batch.requests or batch.new_matches else None

    def _answer(self, batch: Batch, reply: Reply, fault: Exception | None = None) -> None:
        """Send the same reply to all requests of a batch that was not stored."""
        self._tell(batch, [reply] * len(batch.requests), [], [fault] * len(batch.new_matches))

    def _tell(
        self, batch: Batch, replies: Sequence[Reply], changed: list[Change], faults: Sequence[Exception | None]
    ) -> None:
        """Reply to a batch, publish its changes, and record metrics and rulings."""
        committed_s = perf_counter()
        for request, reply in zip(batch.requests, replies, strict=True):
            if request.answered is not None:
                request.answered(reply)
        if batch.requests or changed:
            changes.publish(changed)
        for new_match, fault in zip(batch.new_matches, faults, strict=True):
            new_match.answered(fault)
        figures.settled(batch.requests, replies, committed_s - batch.began_s)
        audit.write(batch.requests, replies)

    def _store(self, batch: Batch) -> list[int]:
        """Decide the requests and commit; return the ids of new matches."""
        now = now_ms()
        with soon.begin():
            outage.heartbeat.give_sign(now)
            self._matches.load({request.match_id for request in batch.requests})
            batch.known = self._answers.known(batch.requests)
            for request in batch.requests:
                batch.replies.append(self._reply(request, batch))
            if batch.rows:
                heads = entries.append(batch.rows, {id_: self._matches[id_].head for id_ in batch.replaced})
                for match_id, head in heads.items():
                    self._matches[match_id].head = head
                seated = {row.match_id for row in batch.rows if row.event in entries.SEATING}
                projection.write_states([self._matches[match_id] for match_id in batch.replaced])
                projection.write_seats([self._matches[match_id] for match_id in seated])
                projection.write_late([self._matches[match_id] for match_id in batch.late])
            freed = self._matches.read_again(batch.elsewhere, batch.replaced) if batch.elsewhere else ()
            batch.current = pairings.current_among(batch.elsewhere)
            started = self._start_next(batch.ended, freed)
            batch.later = _other_players(batch.ended)
            made = [_made(new_match) for new_match in batch.new_matches]
        outage.heartbeat.beat(now, commands=bool(batch.requests))
        batch.faults = [match if isinstance(match, Exception) else None for match in made]
        return started + [match for match in made if isinstance(match, int)]

    def _changed(self, batch: Batch, new: Collection[int]) -> list[Change]:
        """Changes of a batch; a failure here is only logged, because the batch is stored."""
        try:
            self._answers.remember(batch.requests, batch.replies, batch.rows)
            events = frozenset(row.event for row in batch.rows)
            changed = [
                Change(self._matches[match_id], tuple(replaced), match_id in batch.current, events)
                for match_id, replaced in batch.replaced.items()
            ]
            self._matches.put_away({request.match_id for request in batch.requests})
            return changed + changes.of_new(new) if new else changed
        except Exception:  # `live/catchup.py` finds unpublished changes
            logger.exception("what a batch of %d changed could not be read", len(batch.requests))
            return []

    def _reply(self, request: Request, batch: Batch) -> Reply:
        """Decide one request and add its entries to the batch.

        Raises storage faults. After any other unexpected exception, which is logged, the request is rejected.
        """
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
                # Refuse first: `alongside` may let other requests of this batch go on.
                checked = partial(pairings.reject_replaced, board.id)
                alongside = [checked, *alongside, partial(pairings.play_again, board.id)]
            if alongside and decided.answer.ok:
                with transaction.atomic():
                    for each in alongside:
                        each()
                batch.elsewhere.add(board.id)
        except Refused as refusal:
            return Reply(False, board.version, refusal.code, refusal.words)
        except Exception as error:
            if is_of_storage(error):
                raise
            about = {"match": board.id, "device": request.device_id, "request": request.command_id}
            logger.exception("match %d: %r by %s failed", board.id, request.command, request.by, extra=about)
            return Reply(False, board.version, Why.BAD_MESSAGE, "The server could not carry that out.")
        if decided.rows:
            if _ends(board.match, decided.match):
                batch.ended.add(board.id)
            batch.rows += decided.rows
            batch.replaced.setdefault(board.id, set()).update(decided.replaced)
            if decided.late is not board.late:
                batch.late.add(board.id)
            board.match, board.late = decided.match, decided.late
            board.devices, board.tenure = decided.devices, decided.tenure
            board.version += len(decided.rows)
            board.last_device = request.device_id or 0
            if isinstance(request.command, TakeSeat):
                for seat in request.command.seats:
                    presence.saw(board.id, seat.index, request.at)
            if isinstance(request.command, HandOver):
                batch.known |= {
                    (board.id, row.command_id): Reply(True, row.seq)
                    for row in decided.rows
                    if row.command_id is not None
                }
        if request.command_id is not None:
            batch.known[board.id, request.command_id] = decided.answer
        return decided.answer

    def _start_next(self, match_ids: Iterable[int], freed: Collection[int]) -> list[int]:
        """Start pairings waiting for tables that became free; return their match ids."""
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
        return list(started)


def _other_players(match_ids: Collection[int]) -> list[Request]:
    """Requests to replace players in later matches, after these matches ended."""
    return pairings.with_other_players(Q(source__match__in=match_ids)) if match_ids else []


def _ends(before: MatchState, after: MatchState) -> bool:
    """True if a change ends the match or changes its winner."""
    return after.status == Status.OVER and (before.status, before.winner) != (after.status, after.winner)


def _made(new_match: NewMatch) -> int | Exception:
    """Store a new match; return its id, or the exception if that failed."""
    try:
        with transaction.atomic():
            match, row = new_match.make()
            entries.append([row])
    except Exception as error:
        return error
    return match.pk
