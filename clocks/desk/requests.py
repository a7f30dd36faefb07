"""What is handed to the desk, and what becomes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from clocks.engine.closed_sets import Party
from clocks.engine.commands import Command


class Reply(NamedTuple):
    """What became of a request: stored as version `v`, or refused (`code`, `words`) at version `v`.

    `again` marks the first answer given once more, to the same command id.
    """

    ok: bool
    v: int
    code: str = ""
    words: str = ""
    credit_ms: int = 0
    again: bool = False


@dataclass(slots=True)
class Request:
    """A command for a match. `by` is left, right, director or server; `at` the instant at which it arrived.

    `device_id` is the phone that asks (None: a trusted caller within the server). `claimed_at` is the press by the
    phone's estimate, `credit_ms` what the measured network allows of it. `answered` is called once, in the event
    loop's thread if `on_loop`, else in the desk's. `alongside` changes what the command changes beside the match,
    in the same transaction; it is called only if the rules accept, and may still refuse. `beforehand` is called before
    the request is decided, in the same transaction, and once for all requests of a batch that share it. `may_end` says
    whether who asks may decide how a match ends, by whatever command that comes about.
    """

    match_id: int
    command: Command
    by: Party
    at: int
    command_id: str | None = None
    device_id: int | None = None
    user_id: int | None = None
    claimed_at: int | None = None
    credit_ms: int = 0
    answered: Callable[[Reply], None] | None = None
    on_loop: bool = False
    alongside: Callable[[], None] | None = None
    beforehand: Callable[[], None] | None = None
    may_end: bool = True
