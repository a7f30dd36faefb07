"""Settings, addresses, and what the program needs from the system before any of it is loaded."""

import asyncio
import sys

if sys.platform == "win32":
    # Twisted watches sockets by `select`, which Windows' own event loop does not offer.
    asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
