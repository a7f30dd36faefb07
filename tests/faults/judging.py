"""Checks after any fault: nothing acknowledged lost or doubled, charges bounded."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from clocks.desk.outage import OUTAGE_MS
from tests.faults import histories
from tests.faults.players import Play
from tests.server.daphne import House

ENTRIES = (
    "import json\n"
    "from clocks.models import JournalEntry\n"
    "rows = JournalEntry.objects.order_by('match', 'seq').values_list('match', 'at', 'event', 'command_id')\n"
    "print(json.dumps(list(rows)))"
)
FOLDED = "import json\nfrom tests.faults import folded\nprint(json.dumps(list(folded.entries())))"
RUNS = ("hit", "resumed")  # events after which a clock runs; those in BESIDE do not affect the clocks
BESIDE = ("director_called", "seat_taken", "seat_released")
LONGEST_RUN_MS = 15_000  # boards press several times a second, and resume within ten seconds after any fault
SETTLING_MS = 1_500  # until a restarted server receives the first press


class Entry(NamedTuple):
    """Journal entry."""

    match: int
    at: int
    event: str
    command_id: str | None


class Outage(NamedTuple):
    """Period without a stored press, in `time.time` seconds."""

    began: float
    ended: float


def charged_ms(journal: Sequence[Entry], outage: Outage) -> int:
    """Milliseconds that a match's clock ran during an outage."""
    began, ended = outage.began * 1000, outage.ended * 1000
    runs = [(one.at, other.at) for one, other in pairwise(_of_the_clock(journal)) if one.event in RUNS]
    return round(sum(max(0.0, min(to, ended) - max(since, began)) for since, to in runs))


def longest_run_ms(journal: Sequence[Entry]) -> int:
    """Longest time that a match's clock ran without an entry, in milliseconds."""
    return max((other.at - one.at for one, other in pairwise(_of_the_clock(journal)) if one.event in RUNS), default=0)


def _of_the_clock(journal: Sequence[Entry]) -> Iterator[Entry]:
    return (entry for entry in journal if entry.event not in BESIDE)


def journals(house: House) -> list[Entry]:
    """All journal entries, by match."""
    return [Entry(*row) for row in house.python(ENTRIES)]


def stopped(house: House) -> set[Entry]:
    """Stops made by the server; in `players.py` nobody else stops a clock."""
    return {entry for entry in journals(house) if entry.event == "stopped"}


def history_faults(house: House, play: Play, within_s: float = histories.WITHIN_S) -> list[str]:
    """Violations found in the histories of all boards."""
    told, stored = play.histories(), dict[int, list[histories.Entry]]()  # journal last: has all acked commands
    for match, seq, command_id, shown in house.python(FOLDED):
        stored.setdefault(match, []).append(histories.Entry(seq, command_id, shown and tuple(shown)))
    return [fault for each in told for fault in histories.faults(each, stored[each.match], within_s)]


def judge(house: House, play: Play, outages: Sequence[Outage] = ()) -> None:
    """Check journals and charges after play; `house` is any server on the database."""
    entries = journals(house)
    stored = Counter((entry.match, entry.command_id) for entry in entries)
    acknowledged = play.acknowledged()
    assert acknowledged, "nothing was played"
    wrong = [one for one in acknowledged if stored[one.match, one.id] != 1]
    assert not wrong, (
        f"{len(wrong)} of {len(acknowledged)} acknowledged commands are not in the journal once: {wrong[:3]}"
    )
    assert house.manage("verify").endswith("all as their journals say\n")
    assert history_faults(house, play) == []
    for match, journal in groupby(entries, key=lambda entry: entry.match):
        lines = list(journal)
        ran_ms = longest_run_ms(lines)
        assert ran_ms <= LONGEST_RUN_MS, f"the clock of match {match} ran for {ran_ms} ms without a press"
        for outage in outages:
            lasted = (outage.ended - outage.began) * 1000
            # Pauses shorter than the minimum outage may be charged; longer ones are refunded.
            most = OUTAGE_MS + SETTLING_MS if lasted <= OUTAGE_MS + SETTLING_MS else SETTLING_MS
            charged = charged_ms(lines, outage)
            assert charged <= most, f"match {match} was charged {charged} ms of an outage of {lasted:.0f} ms"
