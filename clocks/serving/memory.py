"""What large frames leave behind: nothing, where the system's allocator is glibc's.

It learns from the first large buffers to keep the next ones for itself: a few hundred pages of a whole tournament, each
with its 400 kB, would never be given back.
"""

import ctypes

M_MMAP_THRESHOLD = -3  # malloc.h
LARGE = 128 * 1024  # bytes; where glibc begins, before it learns


def give_back_large_buffers() -> None:
    """Have buffers above 128 KiB taken from the system one by one, and returned to it when they are freed."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another allocator
        return
    mallopt(M_MMAP_THRESHOLD, LARGE)
