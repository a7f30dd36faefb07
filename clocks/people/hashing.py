"""Passwords are hashed by threads of their own, which leave the processor to everything else that wants it.

A hash is half a second of arithmetic without the interpreter. Two of them on a processor that has to serve the clocks
too would each be given its share of it: a press would wait for some milliseconds whenever it goes from one thread to
another. These threads are the last in the queue instead.
"""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from django.contrib.auth.hashers import PBKDF2PasswordHasher

AT_A_TIME = 2
NICENESS = 15  # of 19


def _step_back() -> None:
    """Let this thread alone come after all others, where the system knows how: on Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_threads = ThreadPoolExecutor(AT_A_TIME, "hash", initializer=_step_back)


class QuietPBKDF2(PBKDF2PasswordHasher):
    """Django's own hash, made in the background."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password as it is stored."""
        return _threads.submit(super().encode, password, salt, iterations).result()
