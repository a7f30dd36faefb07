"""Idempotency: the first reply to each command id, from journal or memory."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from clocks.desk.requests import Key, Reply, Request
from clocks.engine.commands import HandOver
from clocks.engine.refusals import REFUSALS
from clocks.journal import entries

REMEMBERED = 50_000  # maximum number of replies


class Answers:
    """First replies from memory and journal. Used in the desk's thread."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Reply] = OrderedDict()

    def clear(self) -> None:
        """Drop all remembered replies."""
        self._kept.clear()

    def known(self, requests: Iterable[Request]) -> dict[Key, Reply]:
        """First replies given earlier to the commands of these requests."""
        known: dict[Key, Reply] = {}
        unknown: list[Key] = []
        for request in requests:
            for key in _keys(request):
                answer = self._kept.get(key)
                if answer is None:
                    unknown.append(key)
                else:
                    known[key] = answer
        for key, (v, credit_ms, code) in entries.first_answers(unknown).items():
            known[key] = self._kept[key] = Reply(not code, v, code, REFUSALS.get(code, ""), credit_ms)
        self._drop_the_oldest()
        return known

    def remember(self, requests: Sequence[Request], replies: Sequence[Reply], rows: Iterable[entries.Row]) -> None:
        """Remember replies that are not in the journal.

        These are replies to commands that were rejected or changed nothing. Remembering every press would add objects
        for the garbage collector, whose runs would then take some 50 ms with 4,000 tables.
        """
        stored = {(row.match_id, row.command_id) for row in rows}
        for request, reply in zip(requests, replies, strict=True):
            if request.command_id is None or reply.again:
                continue
            key = (request.match_id, request.command_id)
            if key not in stored:
                self._kept[key] = reply
        self._drop_the_oldest()

    def _drop_the_oldest(self) -> None:
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)


def _keys(request: Request) -> list[Key]:
    """Keys of a request and of the commands in its hand-over."""
    command, ids = request.command, [request.command_id]
    if isinstance(command, HandOver):
        ids += command.ids(request.command_id)
    return [(request.match_id, one) for one in ids if one is not None]
