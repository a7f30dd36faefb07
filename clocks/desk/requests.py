"""Requests to the desk, and its replies."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from clocks.engine.closed_sets import Party
from clocks.engine.commands import Command
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.models import Match

Key = tuple[int, str]  # match, command id


class Reply(NamedTuple):
    """Reply: stored as version `v`, or rejected (`code`, `words`) at version `v`.

    `again`: the first reply, repeated because the command id is known. `partly`: a hand-over was rejected after part of
    it had been stored.
    """

    ok: bool
    v: int
    code: str = ""
    words: str = ""
    credit_ms: int = 0
    again: bool = False
    partly: bool = False

    def refusal(self) -> Refused:
        """Return the refusal as an exception."""
        return Refused(Why(self.code), self.words)


@dataclass(slots=True)
class Request:
    """A command for a match.

    `by` is left, right, director or server; `at` is the time of arrival. `device_id` is the phone (None: a director or
    the server itself). `claimed_at` is the time of the press as estimated by the phone, `credit_ms` its measured
    network delay, and `heard_at` the phone's last sign of life before a press that it claims was delayed (None:
    unknown). `answered` is called once, in the desk's thread, after commit or failure. `dated_from` is the earliest
    time to which a shared phone may backdate (0: any). `alongside` makes related changes outside the match, in the same
    transaction; it is called only if the rules accept the command, and may still reject it. `beforehand` is called
    before the decision, in the same transaction, once for all requests of a batch that share it. `may_end`: the client
    may decide the end of a match, by any command.
    """

    match_id: int
    command: Command
    by: Party
    at: int = field(default_factory=now_ms)
    command_id: str | None = None
    device_id: int | None = None
    user_id: int | None = None
    claimed_at: int | None = None
    credit_ms: int = 0
    answered: Callable[[Reply], None] | None = None
    alongside: Callable[[], None] | None = None
    beforehand: Callable[[], object] | None = None
    may_end: bool = True
    heard_at: int | None = None
    dated_from: int = 0


@dataclass(slots=True)
class NewMatch:
    """A new match, stored in a batch so that no press waits for a page's lock.

    `make` stores it and returns it with its first entry, which the desk appends. `answered` is called once, in the
    desk's thread, after commit or failure, with the exception or None.
    """

    make: Callable[[], tuple[Match, entries.Row]]
    answered: Callable[[Exception | None], None]
