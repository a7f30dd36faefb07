"""Every accepted value fits its column, which PostgreSQL enforces."""

from collections.abc import Iterable

import pytest
from django.db.models import Model

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Format, Official, Status
from clocks.engine.events import EVENTS
from clocks.engine.setup import LONGEST_NAME
from clocks.feed.kinds import KINDS
from clocks.journal import entries
from clocks.live.do_frame import LONGEST_TABLE
from clocks.live.protocol import LONGEST_ID
from clocks.models import Bye, FeedEvent, JournalEntry, Match, Membership, Place, Player, Round, Table


def room(model: type[Model], column: str) -> int:
    return model._meta.get_field(column).max_length or 0


@pytest.mark.parametrize(
    ("longest", "model", "column"),
    [
        (LONGEST_ID, JournalEntry, "command_id"),
        (LONGEST_TABLE, Table, "name"),
        (LONGEST_NAME, Player, "name"),
        (LONGEST_NAME, Bye, "name"),
        (LONGEST_NAME, Place, "words"),
    ],
)
def test_the_longest_text_accepted_fits_its_column(longest: int, model: type[Model], column: str) -> None:
    assert longest == room(model, column)


@pytest.mark.parametrize(
    ("words", "model", "column"),
    [
        ([*EVENTS, entries.SETUP], JournalEntry, "event"),
        ([*Official, *Seat], JournalEntry, "by"),
        (Membership.Role.values, JournalEntry, "user_role"),
        (Status, Match, "status"),
        (RULESETS, Round, "rules"),
        (Format, Round, "format"),
        (KINDS, FeedEvent, "kind"),
    ],
)
def test_each_enum_value_fits_its_column(words: Iterable[str], model: type[Model], column: str) -> None:
    assert max(map(len, words)) <= room(model, column)
