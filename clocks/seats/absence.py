"""Signs of life of phones whose seats are on loan.

Such a phone holds no seat, so `presence` does not know it. The signs are in the database: every process knows them, and
a restart forgets none.
"""

from django.db.models import Max

from clocks.models import Device

SPACING_MS = 5_000  # a sign that comes sooner after another is not stored


def heard(device_id: int, at: int) -> None:
    """Store when a phone was heard whose seat is on loan."""
    phone = Device.objects.filter(pk=device_id, heard_at__lt=at - SPACING_MS)
    if phone.exists():  # first without writing: nobody makes presses wait for the database's lock by asking for a page
        phone.update(heard_at=at)


def last_heard(device_id: int) -> int:
    """Return when a phone was last heard while its seat was on loan, at the latest; 0 if it never was."""
    at = Device.objects.filter(pk=device_id).aggregate(at=Max("heard_at"))["at"]
    return at + SPACING_MS if at else 0
