"""Two simultaneous requests have one legal outcome and leave a valid journal.

Two threads submit to the desk at once, in random order, on a real database. The suite runs each race 60 times, `make
check-attacks` a thousand.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import call_command

from clocks import desk
from clocks.desk import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Agree, Command, Decline, Hit, ReleaseSeat, Resume, Stop, TakeSeat, parse_command
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.models import Device, JournalEntry, Match
from clocks.seats import devices, presence
from tests.server.house import running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = int(os.environ.get("RACES", "60"))
DONE = (True, "")
ONE_POINT = parse_command({"do": "propose", "what": "score", "score": [1, 0]})
SIX_POINTS = parse_command({"do": "propose", "what": "score", "score": [6, 0]})
NO_POINT = parse_command({"do": "propose", "what": "score", "score": [0, 0]})


class Race:
    """Match in which it is Bob's turn, and two threads that submit at once."""

    def __init__(self) -> None:
        self.match: Match = running_match()
        self.ann, self.bob = sit_down(self.match, "left")[0], sit_down(self.match, "right")[0]
        self._start = threading.Barrier(2)
        self._pool = ThreadPoolExecutor(2)

    def asks(self, command: Command, by: str, device: Device | None = None) -> Request:
        return Request(self.match.pk, command, by, device_id=None if device is None else device.pk)

    def does(self, *requests: Request) -> None:
        """Submit requests, which must be accepted."""
        replies = desk.submit_all_and_wait(requests)
        assert all(reply.ok for reply in replies), replies

    def at_once(self, *two: list[Request]) -> list[list[tuple[bool, str]]]:
        """Submit each thread's requests in order; return (ok, code) of each reply."""

        def run(requests: list[Request]) -> list[Reply]:
            self._start.wait()
            return [desk.submit_and_wait(request) for request in requests]

        return [[(reply.ok, reply.code) for reply in ran] for ran in self._pool.map(run, two)]

    def board(self) -> StoredMatch:
        return desk._desk._matches[self.match.pk]

    def entries(self) -> int:
        return JournalEntry.objects.filter(match=self.match).count()

    def close(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def race() -> Iterator[Race]:
    made = Race()
    yield made
    made.close()
    printed = StringIO()
    call_command("verify", stdout=printed)
    assert printed.getvalue().endswith(": all as their journals say\n")
    kept, read = desk._desk._matches[made.match.pk], stored.matches([made.match.pk])[made.match.pk]
    assert (kept.version, kept.devices, kept.tenure, kept.match) == (
        read.version,
        read.devices,
        read.tenure,
        read.match,
    )


def outcomes(once: Callable[[], object]) -> Counter[object]:
    return Counter(once() for _ in range(TIMES))


def test_of_two_phones_that_claim_a_seat_one_gets_it(race: Race) -> None:
    phones = [devices.join_device({})[0] for _ in range(2)]

    def once() -> object:
        race.does(race.asks(ReleaseSeat(Seat.RIGHT), "director"))
        claims = [[race.asks(TakeSeat(phone.pk, (Seat.RIGHT,)), "server", phone)] for phone in phones]
        ((first,), (second,)) = race.at_once(*claims)
        holder = race.board().devices[1]
        assert holder == phones[0 if first[0] else 1].pk
        return tuple(sorted((first, second)))

    assert outcomes(once) == {((False, "no-seat"), DONE): TIMES}


def test_of_two_rulings_on_a_proposal_one_counts(race: Race) -> None:
    def once() -> object:
        race.does(race.asks(NO_POINT, "director"), race.asks(ONE_POINT, "left", race.ann))
        ((yes,), (no,)) = race.at_once(
            [race.asks(Agree("seen"), "director")], [race.asks(Decline("not seen"), "director")]
        )
        assert race.board().match.score == ((1, 0) if yes == DONE else (0, 0))
        return tuple(sorted((yes, no)))

    assert outcomes(once) == {((False, "no-proposal"), DONE): TIMES}


def test_agreement_during_a_new_proposal_settles_only_the_named_one(race: Race) -> None:
    before: list[Request] = []

    def once() -> object:
        race.does(*before, race.asks(NO_POINT, "director"), race.asks(ONE_POINT, "left", race.ann))
        number = race.board().match.proposals
        ((withdrawn, swapped), (settled,)) = race.at_once(
            [race.asks(Decline(proposal=number), "left", race.ann), race.asks(SIX_POINTS, "left", race.ann)],
            [race.asks(Agree(proposal=number), "right", race.bob)],
        )
        assert swapped == DONE and (withdrawn == DONE) != (settled == DONE)
        assert race.board().match.score == ((1, 0) if settled == DONE else (0, 0))
        before[:] = [race.asks(Decline("Not so."), "director")]
        return settled

    assert set(outcomes(once)) <= {DONE, (False, "no-proposal"), (False, "stale")}


def test_of_a_press_and_a_stop_at_once_the_first_decides_the_turn(race: Race) -> None:
    def once() -> object:
        match = race.board().match
        turn, number = match.turn, match.turn_number
        assert turn is not None
        devices_ = {Seat.LEFT: race.ann, Seat.RIGHT: race.bob}
        ((pressed,), (stopped,)) = race.at_once(
            [race.asks(Hit(number), turn, devices_[turn])], [race.asks(Stop("dice"), turn.other, devices_[turn.other])]
        )
        after = race.board().match
        went_over = after.turn is turn.other and after.turn_number == number + 1
        stayed = after.turn is turn and after.turn_number == number
        assert after.status == "stopped" and (went_over if pressed == DONE else stayed)
        race.does(race.asks(Resume(), "director"))
        return pressed, stopped

    assert set(outcomes(once)) <= {(DONE, DONE), ((False, "stopped"), DONE)}


def test_a_claim_and_a_settle_at_once_settle_at_most_once(race: Race) -> None:
    stranger = devices.join_device({})[0]
    before: list[Request] = []

    def once() -> object:
        race.does(*before, race.asks(NO_POINT, "director"), race.asks(ONE_POINT, "left", race.ann))
        assert race.board().devices[1] == race.bob.pk
        presence.saw(race.match.pk, 1, now_ms())
        presence._seen[race.match.pk][1] = now_ms() - presence.silent_ms(False)
        ((claimed, agreed), (settled,)) = race.at_once(
            [
                race.asks(TakeSeat(stranger.pk, (Seat.RIGHT,)), "server", stranger),
                race.asks(Agree(), "right", stranger),
            ],
            [race.asks(Agree(), "right", race.bob)],
        )
        board = race.board()
        assert (claimed, agreed, board.devices[1]) == (DONE, (False, "no-seat"), stranger.pk)
        assert board.match.score == ((1, 0) if settled == DONE else (0, 0))
        before[:] = [] if settled == DONE else [race.asks(Decline("too late"), "director")]
        before.append(race.asks(ReleaseSeat(Seat.RIGHT), "director"))
        return settled

    assert set(outcomes(once)) <= {DONE, (False, "no-seat")}
