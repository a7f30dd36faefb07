"""Rate limits for seat claims: per known phone, and per address for new phones.

Each claim writes a journal entry and a new token, and a claim without a token creates a phone. The limits leave room
for a whole hall arriving behind one router. If a stranger behind it has used up the address's quota, each table of a
tournament still has its own for new phones. Casual tables have none, because anybody can create any number of them.
"""

from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter

OF_PHONE = SharedRateLimiter("claims of phone", burst=20, per_s=0.1)
NEW_OF_ADDRESS = SharedRateLimiter("new phones of address", burst=600, per_s=1.0)
NEW_AT_TABLE = SharedRateLimiter("new phones at table", burst=20, per_s=0.1)


def take(device_id: int | None, address: str, table_id: int | None) -> bool:
    """Count a claim by a phone (None: a new one). False if the quota is used up.

    `table_id` is a table of a tournament, None for a casual one.
    """
    if device_id is not None:
        return OF_PHONE.take(device_id)
    return NEW_OF_ADDRESS.take(client_key(address)) or (table_id is not None and NEW_AT_TABLE.take(table_id))


def forget() -> None:
    """Reset all quotas."""
    OF_PHONE.clear()
    NEW_OF_ADDRESS.clear()
    NEW_AT_TABLE.clear()
