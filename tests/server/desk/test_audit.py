"""The audit log of rulings."""

import logging

import pytest
from django.contrib.auth.models import User

from clocks.desk.batch import Desk
from clocks.desk.requests import Request
from clocks.engine.commands import Hit, Stop, parse_command
from tests.server.house import running_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_ruling_is_logged_once_if_it_was_the_users_to_make(dora: User, caplog: pytest.LogCaptureFixture) -> None:
    match = running_match()
    ends = parse_command({"do": "propose", "what": "end", "winner": "left"})
    with caplog.at_level(logging.INFO, "clocks.audit"):
        Desk().settle(
            [
                Request(match.pk, Hit(), "right"),
                *[Request(match.pk, Stop("director"), "director", command_id="again", user_id=dora.pk)] * 2,
                Request(match.pk, Hit(), "right", user_id=dora.pk),  # rejected: the clocks are stopped
                Request(match.pk, ends, "director", user_id=dora.pk, may_end=False),
            ]
        )
    assert [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "clocks.audit"] == [
        ("INFO", f"user {dora.pk} ruled: stop, match {match.pk}"),
        ("WARNING", f"user {dora.pk} may not rule: propose, match {match.pk}"),
    ]
