"""Rate limits in the database, shared by all processes."""

import pytest
from django.db import connection
from django.db.models import F

from clocks.host import shared_ratelimit
from clocks.host.shared_ratelimit import SharedRateLimiter
from clocks.models import Spending

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_statements_name_the_table_of_the_model() -> None:
    assert Spending._meta.db_table == shared_ratelimit.TABLE


def test_an_empty_bucket_refuses_and_may_go_into_debt() -> None:
    limit = SharedRateLimiter("tries of somebody", burst=2, per_s=0.001)
    assert [limit.take(7) for _ in range(3)] == [True, True, False]
    assert (limit.has_left(7), limit.has_left(8)) == (False, True)
    limit.give_back(7)
    assert [limit.take(7), limit.take(7)] == [True, False]
    limit.owe(7)
    assert (limit.has_left(7), limit.take(7, 2)) == (False, False)


def test_buckets_are_deleted_two_hours_after_their_last_use() -> None:
    limit = SharedRateLimiter("tries of", 1_000, 1.0)
    for who in ("old", "new"):
        limit.take(who)
    Spending.objects.filter(who="tries of old").update(at=F("at") - shared_ratelimit.KEPT_S)
    for _ in range(shared_ratelimit.TIDIED_EACH):
        limit.take("new")
    kept = [] if connection.vendor == "sqlite" else ["tries of new"]  # on SQLite the buckets are in memory
    assert list(Spending.objects.values_list("who", flat=True)) == kept
