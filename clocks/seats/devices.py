"""The phones: each has a token of its own, of which only the hash is stored.

It travels in a cookie that scripts cannot read.
"""

from collections.abc import Collection, Mapping

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from clocks.models import Device
from clocks.people.tokens import COOKIE_AGE_S, hash_token, new_token


def find_device(cookies: Mapping[str, str]) -> Device | None:
    """Return the device whose token is among these cookies."""
    token = cookies.get(settings.DEVICE_COOKIE_NAME)
    return by_token([token]).get(token) if token else None


def by_token(tokens: Collection[str]) -> dict[str, Device]:
    """Return the devices with these tokens, by token.

    Once a phone has shown its new token, the previous one no longer counts.
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
    """Return the device of these cookies and its token; a phone that is new here gets both."""
    device = find_device(cookies)
    if device:
        return device, cookies[settings.DEVICE_COOKIE_NAME]
    token = new_token()
    return Device.objects.create(token_hash=hash_token(token)), token


def renew_token(device: Device) -> str:
    """Return a new token for a device; the old one counts until the phone shows that the new one has reached it."""
    token = new_token()
    old = Device.objects.values_list("token_hash", flat=True).get(pk=device.pk)
    Device.objects.filter(pk=device.pk).update(token_hash=hash_token(token), old_token_hash=old)
    return token


def remember_device(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Give the phone its token: out of reach of scripts, and of plain http when the page came by https."""
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        token,
        max_age=COOKIE_AGE_S,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
