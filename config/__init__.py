"""Django project: settings, root URLs, ASGI entry point."""

import asyncio
import sys

if sys.platform == "win32":
    # Twisted needs `select`, which the default event loop of Windows does not support.
    asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
