"""A repeated command gets its original reply."""

import pytest

from clocks.desk import answers
from clocks.desk.batch import Desk
from clocks.desk.requests import Reply, Request
from clocks.engine.commands import Call, Confirm, Hit
from clocks.host.server_time import now_ms
from clocks.journal.rows import Row
from tests.server.desk.test_desk import settle, stored
from tests.server.house import running_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("restarted", [False, True])
def test_the_same_id_again_gets_the_first_answer(restarted: bool) -> None:
    match = running_match()
    at = now_ms()
    desk_, replies = Desk(), list[Reply]()
    ask = lambda command, by: Request(match.pk, command, by, at, "one", credit_ms=7, answered=replies.append)  # noqa: E731
    desk_.settle([ask(Call(), "right")])
    desk_.settle([Request(match.pk, Confirm(), "director", at, "other")])
    before = stored(match)
    if restarted:
        desk_ = Desk()
    desk_.settle([ask(Call(), "right"), ask(Call(), "right")])
    assert replies == [Reply(True, 5)] + [Reply(True, 5, again=True)] * 2
    assert stored(match) == before


def test_the_same_id_twice_in_one_batch_counts_once() -> None:
    match = running_match()
    hit = [Request(match.pk, Hit(turn_number=1), "right", now_ms(), "one", credit_ms=9) for _ in range(2)]
    assert settle(*hit) == [Reply(True, 4, credit_ms=9), Reply(True, 4, credit_ms=9, again=True)]


def test_a_refused_id_stays_refused_even_if_it_would_be_accepted_now() -> None:
    match = running_match()
    desk_, replies = Desk(), list[Reply]()
    for by in ("left", "right", "left"):
        desk_.settle([Request(match.pk, Hit(), by, now_ms(), f"by {by}", answered=replies.append)])
    refused = Reply(False, 3, "not-your-turn", "Bob’s clock is running.")
    assert replies == [refused, Reply(True, 4), refused._replace(again=True)]


def test_the_same_id_on_another_match_is_another_command() -> None:
    one, other = running_match(), running_match()
    at = now_ms()
    assert settle(Request(one.pk, Hit(), "right", at, "id"), Request(other.pk, Hit(), "right", at, "id")) == [
        Reply(True, 4),
        Reply(True, 4),
    ]


def test_the_newest_replies_that_are_in_no_journal_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "REMEMBERED", 2)
    own, refused = answers.Answers(), Reply(False, 3, "stale", "Too late.")
    asked = [Request(1, Call(), "left", 5, id_) for id_ in ("a", "b", "c", "stored", None)]
    row = Row(1, 4, 5, "left", None, None, "director_called", "{}", None, "stored", None, 0, None)
    own.remember(asked, [refused] * 5, [row])
    own.remember(asked[:1], [refused._replace(again=True)], [])
    assert own.known(asked) == {(1, "b"): refused, (1, "c"): refused}
    own.clear()
    assert own.known(asked) == {}
