"""Four ways in which all other work yields to presses.

A press runs in two threads, the event loop's and the desk's, for a fraction of a millisecond each, and acquires the
interpreter lock some thirty times. Everything else yields in one of four ways:

- **Switch interval.** A computing thread releases the lock after 1 ms (`shorten_switch_interval`), not after 5 ms, and
  after 0.05 ms while pages are computed (`serving/page_queue.py`).
- **Rest.** A thread that computes for long would cost a press that millisecond thirty times. After each piece of
  work it rests for as long as the piece took (`rest`), so it uses at most half of the time: the first frame of a whole
  tournament (`live/first_frame.py`), and the desk itself after several presses, which lets it batch the next ones
  (`desk/writer.py`). Long writes rest longer, because the desk waits for SQLite's lock, too (`host/slices.py`); it
  polls the lock faster than they do (`desk/soon.py`).
- **Iterations of the event loop.** Work in the loop itself is cut into pieces of a few milliseconds, with an iteration
  or a pause in between: sockets that open (`serving/opening.py`, `live/together.py`), frames and events for
  many sockets or readers at once (`live/hub.py`, `live/tournament_room.py`, `feed/readers.py`), and frames of one
  socket (`serving/sockets.py`).
- **Priority.** Passwords are hashed without the lock, so on a small computer hashing would compete with presses for the
  processor. Its threads have a low priority (`lower_thread_priority`), and so have backups. Threads that compute
  pages have a slightly lower priority than presses: when a press releases the lock for an SQLite statement, a page on
  the same core does not take it. If it were much lower, a page holding the lock might wait long for a processor.

Garbage collections stop all threads, so they are postponed instead (`host/garbage.py`).
"""

import os
import sys
import threading
import time
from contextlib import suppress

SWITCH_S = 0.001
BESIDE_PAGES_S = 0.00005  # only beside pages: a flood of commands, where all threads compute, would take twice as long
NICENESS, OF_PAGES = 15, 5  # nice values; 19 is the lowest priority


def shorten_switch_interval(pages: int = 0) -> None:
    """Shorten the interpreter's switch interval, even more while pages are computed."""
    sys.setswitchinterval(BESIDE_PAGES_S if pages else SWITCH_S)


def rest(began_s: float, most_s: float = 1.0, least_s: float = 0.0, times: float = 1.0) -> None:
    """Sleep `times` x the time since `began_s`, clamped to `least_s`-`most_s`."""
    time.sleep(max(least_s, min(times * (time.monotonic() - began_s), most_s)))


def lower_thread_priority(niceness: int = NICENESS) -> None:
    """Lower the priority of this thread, on Linux.

    Elsewhere only processes have a nice value.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            usual = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(usual, niceness))
