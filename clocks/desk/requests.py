"""What is handed to the desk, and what becomes of it."""

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
    """What became of a request: stored as version `v`, or refused (`code`, `words`) at version `v`.

    `again` marks the first reply given once more, to the same command id; `partly` a hand-over of which something was
    stored before the rest was refused.
    """

    ok: bool
    v: int
    code: str = ""
    words: str = ""
    credit_ms: int = 0
    again: bool = False
    partly: bool = False

    def refusal(self) -> Refused:
        """Return why a request was refused, to be raised."""
        return Refused(Why(self.code), self.words)


@dataclass(slots=True)
class Request:
    """A command for a match, made once by who asks. `by` is left, right, director or server; `at` when it arrived.

    `device_id` is the phone that asks (None: a trusted caller within the server). `claimed_at` is the press by the
    phone's estimate, `credit_ms` what the measured network allows of it, `heard_at` the last sign of the phone before a
    press that it says was held up (None: unknown). `answered` is called once, in the desk's thread, after the commit.
    `dated_from` is the earliest instant to which the phone between the players may date what it asks (0: any).
    `alongside` changes what the command changes beside the match, in the same transaction; it is called only if the
    rules accept, and may still refuse. `beforehand` is called before the request is decided, in the same transaction,
    and once for all requests of a batch that share it. `may_end` says whether who asks may decide how a match ends, by
    whatever command that comes about.
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
    """A new match that is stored with a batch, so that no press waits for a lock that a page holds.

    `make` stores it and returns it with its first entry, which is still to be appended. `answered` is called once, in
    the desk's thread, after the commit: with what kept the match from being stored, or None.
    """

    make: Callable[[], tuple[Match, entries.Row]]
    answered: Callable[[Exception | None], None]
