"""How often a phone may claim seats, and how many phones that are new here may do so from an address.

Each claim is an entry of a journal and gives the phone another token, and whoever claims without a token is remembered
as a new phone. Nobody changes seats that often, and a hall that arrives behind one router has no more phones than that.
"""

from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter

OF_PHONE = SharedRateLimiter("claims of phone", burst=20, per_s=0.1)
NEW_OF_ADDRESS = SharedRateLimiter("new phones of address", burst=600, per_s=1.0)


def take(device_id: int | None, address: str) -> bool:
    """Count a claim of a phone, or (None) of one that is new here; tell whether it may be made."""
    return NEW_OF_ADDRESS.take(client_key(address)) if device_id is None else OF_PHONE.take(device_id)


def forget() -> None:
    """Give everybody everything back."""
    OF_PHONE.clear()
    NEW_OF_ADDRESS.clear()
