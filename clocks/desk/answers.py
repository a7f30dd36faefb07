"""First replies: what command ids were answered, from the journal and, where that has nothing of them, from memory."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from clocks.desk.requests import Key, Reply, Request
from clocks.engine.commands import HandOver
from clocks.engine.refusals import REFUSALS
from clocks.journal import entries

REMEMBERED = 50_000  # replies that are in no journal


class Answers:
    """The replies kept in memory, and those that the journal tells. In the desk's thread."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Reply] = OrderedDict()

    def clear(self) -> None:
        """Drop what is kept."""
        self._kept.clear()

    def known(self, requests: Iterable[Request]) -> dict[Key, Reply]:
        """Return the answers that commands of these requests were already given."""
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
        """Keep answers that no journal has: refusals, and to what changed nothing; any other once it is asked again.

        Were all kept, each press would leave something behind, and the garbage collector would look through all that
        play has made since its last pass, some 50 ms with 4,000 boards.
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
    """Return under which ids a request, and what it hands over, may have been answered before."""
    command, ids = request.command, [request.command_id]
    if isinstance(command, HandOver):
        ids += command.ids(request.command_id)
    return [(request.match_id, one) for one in ids if one is not None]
