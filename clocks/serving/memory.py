"""Return the memory of large frames to the system, if the allocator is glibc's.

Glibc raises its mmap threshold when the first large buffers are freed, and then keeps later ones: the memory of a few
hundred frames of a whole tournament, 400 kB each, would never be returned.
"""

import ctypes

M_MMAP_THRESHOLD = -3  # from malloc.h
LARGE = 128 * 1024  # bytes; glibc's initial threshold


def give_back_large_buffers() -> None:
    """Fix glibc's mmap threshold at 128 KiB, so that freed large buffers are unmapped."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # not glibc
        return
    mallopt(M_MMAP_THRESHOLD, LARGE)
