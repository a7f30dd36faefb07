"""Base class of the WebSocket consumers: frames, round-trip time, rate limit.

For speed, it overrides `dispatch` and the message loop of Channels: no task or lookup per message, and plain callbacks
send frames (`serving/transport.py`). `consumers.py` handles the commands.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, ParamSpec, TypeVar

from channels.consumer import AsyncConsumer, get_handler_name
from channels.exceptions import StopConsumer
from django.http import parse_cookie

from clocks.desk.requests import Reply
from clocks.engine.refusals import REFUSALS, Refused, Why
from clocks.host.ratelimit import RateLimiter, TokenBucket, client_key
from clocks.host.server_time import now_ms
from clocks.lag.signs import Signs
from clocks.live import protocol
from clocks.live.admission import TOURNAMENT_OPENS, admission
from clocks.live.pools import opening
from clocks.serving.asgi import Message, Receive, Scope, Send
from clocks.serving.frames import Frame
from clocks.serving.transport import transport_of
from clocks.wording.language import ENGLISH, preferred, said_in

MESSAGES_PER_S = 30.0
BURST = 120.0  # messages per socket
PROBE_S = 5.0
ANSWER_MS = 4_000  # shortest wait before another ping to a client that has not answered
AT_REST_MS = 12_000  # an idle page sends a ping every ten seconds; a silent one is pinged after this
ROUND_TRIPS = 5  # round trips remembered; the shortest counts
MOST_UNANSWERED = 2  # unanswered pings in a row after which the client counts as gone

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)


class Socket(AsyncConsumer):  # type: ignore[misc]  # Channels has no types
    """WebSocket from handshake to close, in the event loop's thread."""

    def __init__(self) -> None:
        self.device_id: int | None = None
        self.user_id = 0
        self.session = ""
        self.address = ""
        self.code = ""
        self.language = ENGLISH
        self.rtt_ms = 0
        self.signs = Signs()
        self._closed = False
        self._messages = TokenBucket(BURST, MESSAGES_PER_S)
        self._probe = 0
        self._awaited: int | None = None  # number of the unanswered `probe` frame
        self._pinged_s: float | None = None
        self._pinged_at = 0
        self._heard_at = 0
        self._unanswered = 0
        self._round_trips: deque[int] = deque(maxlen=ROUND_TRIPS)
        self._timer: asyncio.TimerHandle | None = None
        self._asking: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle messages until the socket closes.

        Channels' own loop waits for the client and for a channel, with two tasks per message. Here the hub listens for
        all sockets, so each waits only for its client.
        """
        self.scope, self.base_send = scope, send
        self._loop = asyncio.get_running_loop()
        self._transport = transport_of(scope, send)
        heard_directly = False
        try:
            while True:
                await self.dispatch(await receive())
                heard_directly = heard_directly or self._transport.hear(self._receive)
        except StopConsumer:
            pass
        finally:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._transport.release()
            admission.leave(self)
            self.leave()

    async def dispatch(self, message: Message) -> None:
        """Call the handler; unlike Channels, do not close old database connections."""
        await getattr(self, get_handler_name(message))(message)

    async def websocket_connect(self, message: Message) -> None:
        """Accept, then check: to pages, a rejected handshake looks like a lost network."""
        await self.base_send({"type": "websocket.accept"})
        cookies = cookies_of(self.scope)
        self.language = preferred(cookies, header_of(self.scope, b"accept-language"))
        has_room = self._may_open()
        if not has_room and not self.may_be_known(cookies):
            self.close(protocol.TOO_MANY_MESSAGES)
            return
        code = await self.open(self.scope)
        if code is None and not has_room and not admission.is_known(self):
            code = protocol.TOO_MANY_MESSAGES
        if code is not None:
            self.close(code)
        elif not self._closed:
            self.probe()

    def _may_open(self) -> bool:
        """Count a socket. True if the client's address may open it."""
        client = self.scope.get("client")
        self.address = client_key(client[0]) if client else ""
        return admission.enter(self, self.address) and (not client or self.opens.take(self.address))

    async def looked_up(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread for opening sockets, or stop if the client has gone."""

        def unless_gone() -> tuple[T] | None:  # an exception would form a cycle with its traceback
            return (work(*args, **kwargs),) if self._transport.is_open() else None

        found = await opening(unless_gone)()
        if found is None:
            raise StopConsumer
        return found[0]

    async def websocket_receive(self, message: Message) -> None:
        """Handle a frame."""
        self._receive(message.get("text"))

    async def websocket_disconnect(self, message: Message) -> None:
        """Stop the consumer."""
        raise StopConsumer

    # --- overridden by each kind of socket ------------------------------------------------------------------------

    opens: RateLimiter  # limits how often an address opens such sockets

    def may_be_known(self, cookies: Mapping[str, str]) -> bool:
        """True if these cookies may belong to a phone with a seat or to a director."""
        return False

    async def open(self, scope: Scope) -> int | None:
        """Join and push the first frame. Returns a close code to reject the socket."""
        raise NotImplementedError

    def plays(self) -> bool:
        """True for a phone with a seat, which answers `probe` frames."""
        return False

    def rests(self) -> bool:
        """True if this socket has no running clock to press, and so needs fewer pings."""
        return True

    def leave(self) -> None:
        """Leave the room that `open` joined."""

    def heard(self, frame: dict[str, Any], now: int) -> None:
        """Note that a frame has arrived."""

    def spoke(self, now: int) -> None:
        """Note that a frame which arrived at `now` has been handled."""

    def probe_s(self) -> float:
        """Seconds between pings."""
        return PROBE_S

    def pinged(self, now: int) -> None:
        """Note that a ping was sent at `now`."""

    def ponged(self, pinged_at: int) -> None:
        """Note that the ping sent at `pinged_at` was answered."""

    def v(self) -> int:
        """Version last sent here; 0 on a page with many matches."""
        return 0

    def do(self, frame: dict[str, Any], now: int) -> None:
        """Perform a `do` frame that arrived at `now`, or raise Refused."""
        raise Refused(Why.NO_SEAT)

    def claim_alert(self, frame: dict[str, Any], now: int) -> None:
        """Perform a `take` frame, which only a director's page may send, or raise Refused."""
        raise Refused(Why.NOT_DIRECTOR)

    def seat(self, frame: dict[str, Any], now: int) -> None:
        """Perform a `seat` frame, which answers a seat request, or raise Refused."""
        raise Refused(Why.NO_SEAT)

    def soon(self, id_: str, work: Coroutine[Any, Any, None]) -> None:
        """Start work that waits for the database; if it fails, reject the frame."""
        task = asyncio.ensure_future(self._answering(id_, work))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _answering(self, id_: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Refused as refusal:
            self.refuse(id_, refusal.code, refusal.words, self.v())
        except Exception:
            logger.exception("what a frame asked for could not be looked up", extra={**self.about(), "request": id_})
            self.refuse(id_, Why.NOT_STORED, REFUSALS[Why.NOT_STORED], self.v())

    def about(self) -> dict[str, Any]:
        """Fields for log records of this socket."""
        return {}

    # --- in ------------------------------------------------------------------------------------------------------

    def _receive(self, text: str | None) -> None:
        """Handle a frame. The client is told of errors; only a flood closes the socket."""
        if self._closed:
            return
        now = now_ms()
        if not self._messages.take(now / 1000):
            self.close(protocol.TOO_MANY_MESSAGES)
            return
        frame: dict[str, Any] = {}
        try:
            frame = protocol.read_frame(text)
            self._heard_at = now
            self.heard(frame, now)
            match frame.get("t"):
                case "do":
                    self.do(frame, now)
                case "ping":
                    self.tell(protocol.pong(protocol.read_ping(frame), now, self.v()))
                case "probe":
                    self._probed(frame.get("p"))
                case "take":
                    self.claim_alert(frame, now)
                case "seat":
                    self.seat(frame, now)
                case _:
                    raise Refused(Why.BAD_MESSAGE, "t must be do, ping, probe, seat or take.")
            self.spoke(now)
        except Refused as refusal:
            self.refuse(protocol.frame_id(frame), refusal.code, refusal.words, self.v())
        except Exception:
            about = {**self.about(), "request": protocol.frame_id(frame)}
            logger.exception("a frame could not be handled: %.200r", text, extra=about)
            self.refuse(protocol.frame_id(frame), Why.BAD_MESSAGE, REFUSALS[Why.BAD_MESSAGE], self.v())

    def answered(self, id_: str, answer: Reply) -> None:
        """Send the desk's reply to the command with this id."""
        if answer.ok:
            self.tell(protocol.ack(id_, answer.v, answer.credit_ms))
        else:
            self.refuse(id_, answer.code, answer.words, answer.v)

    # --- the round trip ------------------------------------------------------------------------------------------

    def probe(self) -> None:
        """Ping the client now and every few seconds.

        This measures the round trip and detects a lost client. While no clock runs, the page's own pings are enough.
        Browsers answer control pings by themselves. On a server without control pings, phones with a seat get a `probe`
        frame, and the server itself detects lost clients.
        """
        self._timer = self._loop.call_later(self.probe_s(), self.probe)
        now, quiet = now_ms(), self._pinged_at > 0 and not self._unanswered
        if self.rests() and quiet and now - max(self._pinged_at, self._heard_at) < AT_REST_MS:
            return
        if self._unanswered and now - self._pinged_at < ANSWER_MS:
            return
        if self._unanswered >= MOST_UNANSWERED:
            self._transport.drop()
            return
        self._pinged_s, self._pinged_at = self._loop.time(), now
        if self._transport.ping(self._ponged):
            self._unanswered += 1
        elif self.plays():
            self._probe += 1
            self._awaited = self._probe
            self.tell(protocol.encode({"t": "probe", "p": self._probe}))
        else:
            return
        self.pinged(now)

    def _probed(self, p: object) -> None:
        if type(p) is not int:
            raise Refused(Why.BAD_VALUE, "p must be the number of the probe.")
        if p == self._awaited:
            self._awaited = None
            self._ponged()

    def _ponged(self) -> None:
        """Record a round trip. The shortest recent one counts: phones can only add delay."""
        if self._pinged_s is not None:
            self._round_trips.append(round((self._loop.time() - self._pinged_s) * 1000))
            self.rtt_ms = min(self._round_trips)
            self._pinged_s = None
            self._unanswered = 0
            self.ponged(self._pinged_at)

    def probe_now(self) -> None:
        """Probe now, before the next probe is due."""
        if self._timer is not None and not self._closed:
            self._timer.cancel()
            self.probe()

    # --- out -----------------------------------------------------------------------------------------------------

    def refuse(self, id_: str | None, code: str, words: str, v: int) -> None:
        """Reject a frame, in the client's language."""
        self.tell(protocol.refused(id_, code, said_in(self.language, words), v))

    def tell(self, text: str) -> None:
        """Send a frame to this socket alone."""
        self.push(Frame(text))

    def push(self, frame: Frame) -> None:
        """Send a frame, which several sockets may share."""
        if not self._closed:
            self._transport.send(frame)

    def close(self, code: int) -> None:
        """Close this socket; send and handle no more frames."""
        if not self._closed:
            self._closed = True
            self._transport.close(code)


def cookies_of(scope: Scope) -> dict[str, str]:
    """Cookies of a handshake."""
    return parse_cookie("; ".join(_headers(scope, b"cookie")))


def header_of(scope: Scope, wanted: bytes) -> str:
    """Header of a handshake, or ""."""
    return ", ".join(_headers(scope, wanted))


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin1") for name, value in scope["headers"] if name == wanted]


class NoSuchSocket(Socket):
    """Unknown path: accept, then close with a code that pages can read."""

    opens = TOURNAMENT_OPENS

    async def open(self, scope: Scope) -> int | None:
        return protocol.NO_SUCH_MATCH
