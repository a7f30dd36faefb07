"""The application that Daphne serves: pages, and sockets of our own pages."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()  # before anything that needs the models

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from twisted.internet import reactor  # noqa: E402

from clocks.feed.readers import readers  # noqa: E402
from clocks.feed.recorder import recorder  # noqa: E402
from clocks.feed.stream import Feeds  # noqa: E402
from clocks.live.lifespan import shutdown, startup  # noqa: E402
from clocks.live.origin import SameOrigin  # noqa: E402
from clocks.live.routing import websockets  # noqa: E402
from clocks.serving.page_queue import PageQueue  # noqa: E402
from clocks.webhooks.courier import courier  # noqa: E402
from config.pages import Pages  # noqa: E402
from config.proxies import Forwarded  # noqa: E402

application = Forwarded(
    ProtocolTypeRouter({"http": Feeds(PageQueue(Pages())), "websocket": SameOrigin(websockets)}),
    settings.TRUSTED_PROXIES,
)

# Daphne has no lifespan events. These run when its reactor does: never in management commands and tests.
# Twisted calls before asyncio's loop runs, hence the second call later.
recorder.listeners.append(readers.tell)
reactor.callWhenRunning(reactor.callLater, 0, startup)
reactor.callWhenRunning(reactor.callLater, 0, recorder.start)
reactor.callWhenRunning(reactor.callLater, 0, courier.start)
reactor.addSystemEventTrigger("before", "shutdown", shutdown)  # type: ignore[arg-type]
