"""Django's sessions, stored under hashed keys, with an idle timeout of 12 hours."""

import hashlib
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

IDLE = timedelta(hours=12)
NOTED_EVERY = timedelta(minutes=10)  # minimum interval between two extensions, to save writes


def stored_key(key: str) -> str:
    """Hash a session key for storage, so that a leaked database opens no session.

    160 bits of SHA-256, because Django's column holds 40 characters.
    """
    return hashlib.sha256(key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """Session stored under its hashed key.

    Only the synchronous methods are overridden: pages and sockets use no others. The cookie outlives the session.
    Expiry is checked here, so that a socket, which cannot set cookies, also keeps its user signed in.
    """

    def _get_session_from_db(self) -> Session | None:
        """Look up the session and extend it.

        None if it does not exist or was idle too long.
        """
        now = timezone.now()
        found = Session.objects.filter(pk=stored_key(self.session_key or ""), expire_date__gt=now).first()
        if found is None:
            self._session_key = None
        elif found.expire_date < now + IDLE - NOTED_EVERY:
            Session.objects.filter(pk=found.pk).update(expire_date=now + IDLE)
        return found

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        instance = super().create_model_instance(data)
        instance.session_key, instance.expire_date = stored_key(instance.session_key), timezone.now() + IDLE
        return instance

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key:
            super().delete(stored_key(key))


def users_of(stored_keys: Collection[str]) -> dict[str, int]:
    """Primary keys of the users of valid sessions, by stored key.

    Omits expired sessions and those from before a change of password. Checking a session does not extend it.
    """
    rows = Session.objects.filter(pk__in=stored_keys, expire_date__gt=timezone.now())
    said = {row.pk: SessionStore().decode(row.session_data) for row in rows}
    users = User.objects.filter(is_active=True).in_bulk({int(data.get(SESSION_KEY, 0)) for data in said.values()})
    found = {}
    for key, data in said.items():
        user = users.get(int(data.get(SESSION_KEY, 0)))
        if user and constant_time_compare(data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
            found[key] = user.pk
    return found
