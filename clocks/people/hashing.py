"""Password hashes in threads of low priority (`host/yielding.py`): each is half a second of arithmetic."""

from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from clocks.host.yielding import lower_thread_priority

AT_A_TIME = 2

_threads = ThreadPoolExecutor(AT_A_TIME, "hash", initializer=lower_thread_priority)


class QuietPBKDF2(PBKDF2PasswordHasher):
    """Django's own hash, made in the background."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password as it is stored."""
        return _threads.submit(super().encode, password, salt, iterations).result()
