"""`verify` on matches stored before tenures existed."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.migrations.recorder import MigrationRecorder

from clocks.journal import chain
from clocks.models import JournalEntry, Match
from tests.server.house import make_match, running_match, sit_down
from tests.server.journal.test_chain import found, unchained, verified

pytestmark = pytest.mark.django_db(transaction=True)


def migrated_later() -> None:
    """Date the migration to tenures after all entries."""
    later = datetime.now(UTC) + timedelta(hours=1)
    MigrationRecorder.Migration.objects.filter(name="0009_seats_by_what_right").update(applied=later)


def test_a_shared_phone_stored_without_tenures_matches_the_migration() -> None:
    match = make_match()
    sit_down(match, "left", "right")
    taken = JournalEntry.objects.filter(match=match, event="seat_taken")
    taken.update(data=taken.get().data | {"together": False})  # as stored by the earlier version
    unchained(match, since=1)
    chain.complete()
    assert found(match) == f"tenure is stored as {Match.objects.get(pk=match.pk).tenure}, its journal says {{}}"
    migrated_later()
    assert verified().endswith("all as their journals say\n")


def test_one_of_two_phones_lies_between_the_players_by_no_migration() -> None:
    match = running_match()
    for seat in ("left", "right"):
        sit_down(match, seat)
    match.refresh_from_db()
    migrated_later()
    tenure = {"owners": [None, None], "lent_at": [None, None], "between": match.left_device_id}
    Match.objects.filter(pk=match.pk).update(tenure=tenure)
    assert found(match) == f"tenure is stored as {tenure}, its journal says {{}}"
