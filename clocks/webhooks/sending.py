"""Send one signed message to one address: no redirects, and a limit on total time."""

import http.client
import socket
import ssl
import threading
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

import orjson
from standardwebhooks.webhooks import Webhook as Signer

from clocks.engine.refusals import Refused
from clocks.feed import encoding
from clocks.models import FeedEvent, Webhook
from clocks.webhooks import addresses
from clocks.webhooks.addresses import Target

CONNECT_S, IN_ALL_S = 5.0, 15.0
READ = 200  # bytes of the response body to read


class Answer(NamedTuple):
    """Result of an attempt: `taken` if it was accepted, and the response as text."""

    taken: bool
    words: str


@cache
def _trust() -> ssl.SSLContext:
    """Default TLS context; cached, because loading the certificates is slow."""
    return ssl.create_default_context()


class _Pinned(http.client.HTTPConnection):
    """HTTP connection pinned to the checked address; the name is not resolved again."""

    def __init__(self, target: Target) -> None:
        super().__init__(target.host, target.port, timeout=CONNECT_S)
        self.target = target

    def connect(self) -> None:
        """Connect to the pinned address; over https the certificate must match the name."""
        plain = socket.create_connection((self.target.ip, self.target.port), CONNECT_S)
        self.sock = plain
        if self.target.scheme == "https":
            self.sock = _trust().wrap_socket(plain, server_hostname=self.target.host)


def body_of(event: FeedEvent) -> bytes:
    """Encode an event as a message: type, timestamp, data."""
    at = datetime.fromtimestamp(event.at / 1000, UTC)
    data = {"type": event.kind, "timestamp": at.isoformat(timespec="milliseconds"), "data": encoding.as_json(event)}
    return orjson.dumps(data)


def send(webhook: Webhook, message_id: str, body: bytes) -> Answer:
    """Send a message with this id. A network failure is returned, not raised."""
    try:
        target = addresses.resolve(addresses.parse(webhook.url), webhook.private)
    except Refused as refused:
        return Answer(False, str(refused.words))
    except (OSError, UnicodeError):
        return Answer(False, "the name is unknown")
    now = datetime.now(UTC)
    headers = {
        "content-type": "application/json",
        "user-agent": "backgammon-clock",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(webhook.secret).sign(message_id, now, body.decode()),
        "connection": "close",
    }
    return _post(_Pinned(target), target.path, body, headers)


def _post(connection: _Pinned, path: str, body: bytes, headers: dict[str, str]) -> Answer:
    end = threading.Timer(IN_ALL_S, _cut, [connection])
    end.daemon = True
    end.start()
    try:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        response.read(READ)
    except (OSError, http.client.HTTPException, ValueError) as error:
        words = "no answer in time" if isinstance(error, TimeoutError) else f"no answer: {type(error).__name__}"
        return Answer(False, words)
    finally:
        end.cancel()
        connection.close()
    if 200 <= response.status < 300:
        return Answer(True, f"{response.status}")
    if 300 <= response.status < 400:
        return Answer(False, f"{response.status}: it leads elsewhere, and that is not followed")
    return Answer(False, f"{response.status}")


def _cut(connection: _Pinned) -> None:
    """Abort a connection that takes too long, in any phase."""
    sock = connection.sock
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            sock.close()
