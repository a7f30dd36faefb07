"""Rate limits for wrong codes, per address and network, with exemptions.

A code has 6 characters from an alphabet of 21: 85,766,121 codes. A whole hall may share one address, so the limit is a
burst of 100 and then 12 a minute; five times that per network (`network`). So one address can try 17,280 codes a day.
In a tournament of 500 tables it takes ten days on average to find the code of any table, and seven years to find that
of a particular one; a whole network takes two days, or a year and four months.

Beyond the limit, correct codes get the same answer as wrong ones, so that guessers learn nothing. They still work for:

- signed-in users, and a phone with a seat at that table;
- a phone that has or had a seat in that tournament, as long as it tries few wrong codes itself;
- everybody in the hall: an address from which a member of the tournament has opened its console within a day.
  Anybody there can read the codes on the tables anyway.
"""

import logging
from ipaddress import ip_address, ip_network
from time import time

from django.db import DatabaseError
from django.db.models import Q

from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter
from clocks.models import CASUAL, Match, Spending

OF_ADDRESS = SharedRateLimiter("wrong codes of address", burst=100, per_s=0.2)
OF_NETWORK = SharedRateLimiter("wrong codes of network", burst=500, per_s=1.0)
OF_PHONE = SharedRateLimiter("wrong codes of phone", burst=20, per_s=0.02)
HALL_S = 24 * 3_600
NOTED_EACH_S = 3_600  # a hall is recorded at most once in this time

LOCAL = "local"

logger = logging.getLogger(__name__)


def network(address: str) -> str:
    """Network of an address: its /24, or /48 for IPv6; LOCAL for private addresses."""
    account = client_key(address)
    try:
        found = ip_address(account)
    except ValueError:
        return account
    return LOCAL if found.is_private else str(ip_network((found, 24 if found.version == 4 else 48), strict=False))


def _hall(address: str, tournament_id: int) -> str:
    """Key of a tournament's hall: its shared address, or LOCAL for private networks."""
    place = LOCAL if network(address) == LOCAL else client_key(address)
    return f"hall {place} {tournament_id}"


def count_wrong_code(address: str) -> None:
    """Charge a wrong code to an address and its network."""
    OF_ADDRESS.owe(client_key(address))
    OF_NETWORK.owe(network(address))


def count_wrong_code_of(phone: int | None) -> None:
    """Charge a wrong code to a phone whose address has used up its quota."""
    if phone is not None:
        OF_PHONE.take(phone)


def is_spent(address: str) -> bool:
    """True if an address or its network has used up its quota of wrong codes."""
    return not (OF_ADDRESS.has_left(client_key(address)) and OF_NETWORK.has_left(network(address)))


def note_hall(address: str, tournament_id: int) -> None:
    """Record that a member of a tournament has opened its console at an address.

    A database error is only logged, so that a full disk does not lock anybody out of the console.
    """
    hall, now = _hall(address, tournament_id), time()
    try:
        if not Spending.objects.filter(who=hall, at__gte=now + HALL_S - NOTED_EACH_S).exists():
            Spending.objects.update_or_create(who=hall, defaults={"remaining": 0, "at": now + HALL_S})
            Spending.objects.filter(who__startswith="hall ", at__lt=now).delete()
    except DatabaseError:
        logger.warning("the address of a hall was not recorded", exc_info=True)


def admits(address: str, phone: int | None, table_id: int, tournament_id: int) -> bool:
    """True if a correct code still works from an address that is over its limit."""
    if Spending.objects.filter(who=_hall(address, tournament_id), at__gte=time()).exists():
        return True
    if phone is None:
        return False
    seats = Match.objects.filter(Q(left_device=phone) | Q(right_device=phone))
    if seats.filter(table=table_id).exists():
        return True
    played = seats.filter(table__tournament=tournament_id).exclude(table__tournament__slug=CASUAL)
    return OF_PHONE.has_left(phone) and played.exists()


def forget() -> None:
    """Reset the limits that this process keeps in memory."""
    for limiter in (OF_ADDRESS, OF_NETWORK, OF_PHONE):
        limiter.clear()
