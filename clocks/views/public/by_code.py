"""Table lookup by code, with a rate limit on wrong codes."""

from django.http import HttpRequest

from clocks.models import Table
from clocks.seats import devices
from clocks.tournament import code_limit, codes
from clocks.views.errors import TooManyCodes


def find_table(request: HttpRequest, typed: str) -> Table | None:
    """Look up the table with a code, or None. Raises TooManyCodes."""
    address, table = request.META.get("REMOTE_ADDR", ""), codes.find_table(typed)
    if not code_limit.is_spent(address):
        if table is None and codes.normalise_code(typed) and not codes.is_retired(typed):
            code_limit.count_wrong_code(address)
        return table
    if request.user.is_authenticated:
        return table
    device = devices.find_device(request.COOKIES)
    phone = device.pk if device else None
    if table is None:
        code_limit.count_wrong_code_of(phone)
    if table is None or not code_limit.admits(address, phone, table.pk, table.tournament_id):
        raise TooManyCodes(typed)
    return table
