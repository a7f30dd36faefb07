"""Rate limits for seat claims: per known phone, and per address for new phones.

Each claim writes a journal entry and a new token, and a claim without a token creates a phone. The limits leave room
for a hall that arrives behind one router.
"""

from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter

OF_PHONE = SharedRateLimiter("claims of phone", burst=20, per_s=0.1)
NEW_OF_ADDRESS = SharedRateLimiter("new phones of address", burst=600, per_s=1.0)


def take(device_id: int | None, address: str) -> bool:
    """Count a claim by a phone (None: a new one). False if the quota is used up."""
    return NEW_OF_ADDRESS.take(client_key(address)) if device_id is None else OF_PHONE.take(device_id)


def forget() -> None:
    """Reset all quotas."""
    OF_PHONE.clear()
    NEW_OF_ADDRESS.clear()
