"""URL patterns of the WebSockets."""

from channels.routing import URLRouter
from django.urls import path, re_path

from clocks.live.consumers import DirectorSocket, HallSocket, TableSocket
from clocks.live.socket import NoSuchSocket

websockets = URLRouter(
    [
        path("ws/table/<str:code>/", TableSocket.as_asgi()),
        path("ws/director/<slug:slug>/", DirectorSocket.as_asgi()),
        path("ws/hall/<slug:slug>/", HallSocket.as_asgi()),
        re_path("", NoSuchSocket.as_asgi()),
    ]
)
