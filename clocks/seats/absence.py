"""Last contact with phones whose seats are on loan.

Such a phone holds no seat, so `presence` does not track it. The times are stored in the database, shared by all
processes and kept across restarts.
"""

from django.db.models import Max

from clocks.models import Device

SPACING_MS = 5_000  # minimum interval between stored times


def heard(device_id: int, at: int) -> None:
    """Record contact with a phone whose seat is on loan, at most every SPACING_MS."""
    phone = Device.objects.filter(pk=device_id, heard_at__lt=at - SPACING_MS)
    if phone.exists():  # read before writing, so that a page view does not make presses wait for the write lock
        phone.update(heard_at=at)


def last_heard(device_id: int) -> int:
    """Latest time at which an absent phone may have been heard from; 0 if never."""
    at = Device.objects.filter(pk=device_id).aggregate(at=Max("heard_at"))["at"]
    return at + SPACING_MS if at else 0
