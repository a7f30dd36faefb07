"""ASGI application: pages, feeds and WebSockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()  # before anything imports models

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from clocks.feed.readers import readers  # noqa: E402
from clocks.feed.recorder import recorder  # noqa: E402
from clocks.feed.stream import Feeds  # noqa: E402
from clocks.live.admission import turned_away  # noqa: E402
from clocks.live.lifespan import shutdown, startup  # noqa: E402
from clocks.live.origin import SameOrigin  # noqa: E402
from clocks.live.page_accounts import PageAccounts  # noqa: E402
from clocks.live.routing import websockets  # noqa: E402
from clocks.serving.asgi import Scope  # noqa: E402
from clocks.serving.lifespan import Lifespan, give_daphne_one  # noqa: E402
from clocks.serving.page_queue import PageQueue  # noqa: E402
from clocks.serving.probes import Probes  # noqa: E402
from clocks.webhooks.delivery import deliveries  # noqa: E402
from config.pages import Pages  # noqa: E402
from config.proxies import Forwarded  # noqa: E402

patterns = [*get_resolver().url_patterns, *get_resolver("clocks.urls").url_patterns]
kinds = {"static", *(str(each.pattern).partition("/")[0] for each in patterns)}

pages = Pages()

application = Forwarded(
    ProtocolTypeRouter(
        {
            "http": Probes(pages, Feeds(PageQueue(pages, kinds, PageAccounts().of))),
            "websocket": SameOrigin(websockets),
            "lifespan": Lifespan((startup, recorder.start, deliveries.start), shutdown),
        }
    ),
    settings.TRUSTED_PROXIES,
)


def door(scope: Scope) -> int | None:
    """Close code for a WebSocket rejected before it gets a consumer, or None."""
    return turned_away(application.unfolded(scope))


recorder.listeners.append(readers.tell)
give_daphne_one(application)
