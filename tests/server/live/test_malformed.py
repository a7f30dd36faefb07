"""Malformed frames and forms change nothing and leave no trace."""

import logging
import math
import os
from itertools import islice

import orjson
import pytest
from django.test import Client

from clocks.host.ratelimit import RateLimiter
from clocks.live import command_limit, consumers, socket
from clocks.live.consumers import DirectorSocket, HallSocket, TableSocket
from clocks.live.socket import Socket
from clocks.live.table_room import TableRoom
from clocks.models import JournalEntry
from clocks.serving.frames import Frame
from tests.server.malformed import forms, frames

FRAMES, FORMS = int(os.environ.get("MALFORMED", "15000")), 100  # frames per kind of socket, and forms


class Mute:
    """Socket transport that records the frames sent."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def send(self, frame: Frame) -> None:
        self.said.append(frame.text)

    def pause(self, seconds: float) -> None:
        """Do nothing: each frame is handled on receipt."""

    def close(self, code: int) -> None:
        raise AssertionError(f"the socket was closed with {code}")


def open_socket(made: Socket) -> tuple[Socket, Mute]:
    """Open a socket; return it with the transport that records its frames."""
    made._transport = mute = Mute()  # type: ignore[assignment]
    if isinstance(made, TableSocket):
        made.device_id, made.room = 1, TableRoom()
        made.room.match_id, made.room.devices = 1, (1, 1)
    return made, mute


def answers_to(made: Socket, number: int, seed: int) -> list[dict[str, object]]:
    """Feed malformed frames to a socket; return the replies, one per frame."""
    one, mute = open_socket(made)
    for text in islice(frames(seed), number):
        before = len(mute.said)
        one._receive(text)
        assert len(mute.said) == before + 1, text
    return [orjson.loads(text) for text in mute.said]


@pytest.mark.parametrize("kind", [TableSocket, DirectorSocket, HallSocket])
def test_each_malformed_frame_is_refused_in_words_and_reaches_nobody(
    kind: type[Socket], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(socket, "BURST", math.inf)
    monkeypatch.setattr(command_limit, "HAND_OVERS", RateLimiter(math.inf, 1))
    monkeypatch.setattr(consumers.desk, "submit", lambda *given, **more: pytest.fail(f"the desk was asked: {given}"))
    monkeypatch.setattr(Socket, "soon", lambda self, id_, work: pytest.fail(f"looked up for {id_}"))
    answers = answers_to(kind(), FRAMES, seed=1)
    assert {answer["t"] for answer in answers} == {"refused"}
    assert {answer["code"] for answer in answers} <= {"bad-message", "bad-value", "no-seat", "not-director"}
    assert all(answer["words"] for answer in answers)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.django_db
def test_each_malformed_form_is_shown_again_with_what_is_wrong(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(raise_request_exception=True)
    for form in islice(forms(2), FORMS):
        answer = client.post("/start/", form)
        assert (answer.status_code, b"errorlist" in answer.content or b"error" in answer.content) == (400, True), form
    assert JournalEntry.objects.count() == 0
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
