"""Password hashing in low-priority threads: each hash takes half a second."""

from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from clocks.host.yielding import lower_thread_priority

AT_A_TIME = 2

_threads = ThreadPoolExecutor(AT_A_TIME, "hash", initializer=lower_thread_priority)


class QuietPBKDF2(PBKDF2PasswordHasher):
    """Django's PBKDF2 hasher, run in a low-priority thread."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Hash a password, for storage or comparison."""
        return _threads.submit(super().encode, password, salt, iterations).result()
