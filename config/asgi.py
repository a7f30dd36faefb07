"""The application that any ASGI server serves: pages, and sockets of our own pages."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()  # before anything that needs the models

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from clocks.feed.readers import readers  # noqa: E402
from clocks.feed.recorder import recorder  # noqa: E402
from clocks.feed.stream import Feeds  # noqa: E402
from clocks.live.lifespan import shutdown, startup  # noqa: E402
from clocks.live.origin import SameOrigin  # noqa: E402
from clocks.live.routing import websockets  # noqa: E402
from clocks.serving.lifespan import Lifespan, give_daphne_one  # noqa: E402
from clocks.serving.page_queue import PageQueue  # noqa: E402
from clocks.webhooks.courier import courier  # noqa: E402
from config.pages import Pages  # noqa: E402
from config.proxies import Forwarded  # noqa: E402

application = Forwarded(
    ProtocolTypeRouter(
        {
            "http": Feeds(PageQueue(Pages())),
            "websocket": SameOrigin(websockets),
            "lifespan": Lifespan((startup, recorder.start, courier.start), shutdown),
        }
    ),
    settings.TRUSTED_PROXIES,
)

recorder.listeners.append(readers.tell)
give_daphne_one(application)
