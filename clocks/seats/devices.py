"""Phones, each identified by a token in an HttpOnly cookie.

Only the hash of the token is stored.
"""

from collections.abc import Collection, Mapping

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from clocks.models import Device
from clocks.people.tokens import COOKIE_AGE_S, hash_token, new_token


def find_device(cookies: Mapping[str, str]) -> Device | None:
    """Return the phone whose token is in these cookies, or None."""
    token = cookies.get(settings.DEVICE_COOKIE_NAME)
    return by_token([token]).get(token) if token else None


def by_token(tokens: Collection[str]) -> dict[str, Device]:
    """Return the phones with these tokens, by token.

    Once a phone has presented its new token, the previous one is revoked.
    """
    hashes = {hash_token(token): token for token in tokens}
    if not hashes:
        return {}
    found: dict[str, Device] = {}
    for device in Device.objects.filter(Q(token_hash__in=hashes) | Q(old_token_hash__in=hashes)):
        if device.token_hash not in hashes:
            found.setdefault(hashes[device.old_token_hash], device)
            continue
        found[hashes[device.token_hash]] = device
        if device.old_token_hash:
            Device.objects.filter(pk=device.pk, token_hash=device.token_hash).update(old_token_hash="")
    return found


def join_device(cookies: Mapping[str, str]) -> tuple[Device, str]:
    """Find the phone of these cookies, or create one; return it with its token."""
    device = find_device(cookies)
    if device:
        return device, cookies[settings.DEVICE_COOKIE_NAME]
    token = new_token()
    return Device.objects.create(token_hash=hash_token(token)), token


def renew_token(device: Device) -> str:
    """Issue a new token; the old one stays valid until the phone presents the new one."""
    token = new_token()
    old = Device.objects.values_list("token_hash", flat=True).get(pk=device.pk)
    Device.objects.filter(pk=device.pk).update(token_hash=hash_token(token), old_token_hash=old)
    return token


def remember_device(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Set the token cookie: HttpOnly, and Secure if the page was served over HTTPS."""
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        token,
        max_age=COOKIE_AGE_S,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
