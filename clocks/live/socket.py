"""One socket: frames in and out, the round trip, the limit on messages. What it may do is in `consumers.py`.

A Channels consumer with a `dispatch` and a message loop of its own: nothing is scheduled or looked up per message, and
frames go out from plain callbacks (`serving/transport.py`). Most of the speed comes from these two.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, ParamSpec, TypeVar

from channels.consumer import AsyncConsumer, get_handler_name
from channels.exceptions import StopConsumer
from django.http import parse_cookie

from clocks.desk.requests import Reply
from clocks.engine.refusals import REFUSALS, Refused, Why
from clocks.host.ratelimit import RateLimiter, TokenBucket, client_key
from clocks.host.server_time import now_ms
from clocks.live import protocol
from clocks.live.admission import TOURNAMENT_OPENS, admission
from clocks.live.pools import opening
from clocks.serving.frames import Frame
from clocks.serving.transport import Send, transport_of
from clocks.wording.language import ENGLISH, preferred, said_in

MESSAGES_PER_S = 30.0
BURST = 120.0  # messages that may come at once
PROBE_S = 5.0
LEFT_TO_ANSWER_MS = 4_000  # before another ping is sent, where they are sent more often
AT_REST_MS = 12_000  # a page at rest speaks every ten seconds; one that says nothing for so long is pinged
ROUND_TRIPS = 5  # of which the shortest counts
MOST_UNANSWERED = 2  # pings one after the other: then nobody is there

Scope = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")
Receive = Callable[[], Awaitable[dict[str, Any]]]

logger = logging.getLogger(__name__)


class Socket(AsyncConsumer):  # type: ignore[misc]  # Channels has no types
    """A socket from its handshake to its end. Its messages are handled in the event loop's thread, one at a time."""

    def __init__(self) -> None:
        self.device_id: int | None = None
        self.user_id = 0
        self.session = ""
        self.address = ""
        self.code = ""
        self.language = ENGLISH
        self.rtt_ms = 0
        self._closed = False
        self._messages = TokenBucket(BURST, MESSAGES_PER_S)
        self._probe = 0
        self._awaited: int | None = None  # the number of the probe that is to be answered by a frame
        self._pinged_s: float | None = None
        self._pinged_at = 0
        self._heard_at = 0
        self._unanswered = 0
        self._round_trips: deque[int] = deque(maxlen=ROUND_TRIPS)
        self._timer: asyncio.TimerHandle | None = None
        self._asking: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle message after message, then leave.

        Channels' own loop waits for the client and for a channel of the socket's with two tasks a message. Here the
        hub hears for all sockets, so the client is all there is to wait for.
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

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the message's handler; no sweep of database connections, because no handler but the first uses one."""
        await getattr(self, get_handler_name(message))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        """Accept, then open: a browser cannot tell a refused handshake from a lost network."""
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
        """Tell whether the client's address may open another socket, and have it."""
        client = self.scope.get("client")
        self.address = client_key(client[0]) if client else ""
        return admission.enter(self, self.address) and (not client or self.opens.take(self.address))

    async def looked_up(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `work` finds in the database, in a thread for those who open; ends if nobody is there by then."""

        def unless_gone() -> tuple[T] | None:  # an exception would keep the socket in a cycle with its own traceback
            return (work(*args, **kwargs),) if self._transport.is_open() else None

        found = await opening(unless_gone)()
        if found is None:
            raise StopConsumer
        return found[0]

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        """Take a frame in."""
        self._receive(message.get("text"))

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """End with the connection."""
        raise StopConsumer

    # --- what each kind of socket does in its own way ---------------------------------------------------------------

    opens: RateLimiter  # how often an address may open such a socket

    def may_be_known(self, cookies: Mapping[str, str]) -> bool:
        """Tell whether these cookies may be those of a phone with a seat, or of a director: only a look-up can tell."""
        return False

    async def open(self, scope: Scope) -> int | None:
        """Join and push the first frame; return a close code where that is refused."""
        raise NotImplementedError

    def plays(self) -> bool:
        """Tell whether this is the socket of a phone with a seat, which answers probes by frames where it must."""
        return False

    def rests(self) -> bool:
        """Tell whether no clock runs that this socket may press: then the page's own pings do."""
        return True

    def leave(self) -> None:
        """Leave whatever `open` joined."""

    def heard(self, now: int) -> None:
        """Note that a frame has arrived."""

    def spoke(self, now: int) -> None:
        """Note that what was asked by a frame that arrived at `now` is on its way."""

    def probe_s(self) -> float:
        """Return how long after a ping the next may be due."""
        return PROBE_S

    def pinged(self, now: int) -> None:
        """Note that a ping was sent at `now`."""

    def ponged(self, pinged_at: int) -> None:
        """Note that what was sent at `pinged_at` to measure the round trip was answered."""

    def v(self) -> int:
        """Return the version last told here; 0 where there are many."""
        return 0

    def do(self, frame: dict[str, Any], now: int) -> None:
        """Perform a `do` frame that arrived at `now`, or raise Refused."""
        raise Refused(Why.NO_SEAT)

    def claim_alert(self, frame: dict[str, Any], now: int) -> None:
        """Carry out a `take` frame, which only a director's page may send, or raise Refused."""
        raise Refused(Why.NOT_DIRECTOR)

    def seat(self, frame: dict[str, Any], now: int) -> None:
        """Carry out a `seat` frame, which answers a phone that asks for a seat, or raise Refused."""
        raise Refused(Why.NO_SEAT)

    def soon(self, id_: str, work: Coroutine[Any, Any, None]) -> None:
        """Start what has to wait for the database, for the frame with this id: any failure there is answered."""
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
        """Return what the log says of a socket beside the message."""
        return {}

    # --- in ------------------------------------------------------------------------------------------------------

    def _receive(self, text: str | None) -> None:
        """Handle one frame. Whatever is wrong with it is answered and drops no socket."""
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
            self.heard(now)
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
        """Pass on what the desk answered to the command with this id."""
        if answer.ok:
            self.tell(protocol.ack(id_, answer.v, answer.credit_ms))
        else:
            self.refuse(id_, answer.code, answer.words, answer.v)

    # --- the round trip ------------------------------------------------------------------------------------------

    def probe(self) -> None:
        """Measure the round trip of this socket and see that somebody is there: now, and every few seconds.

        At rest the page's own pings tell that. Otherwise by a control ping, which the browser answers by itself. A
        phone with a seat is asked by a frame where the server has no such pings; the rest is left to the server then.
        """
        self._timer = self._loop.call_later(self.probe_s(), self.probe)
        now, quiet = now_ms(), self._pinged_at > 0 and not self._unanswered
        if self.rests() and quiet and now - max(self._pinged_at, self._heard_at) < AT_REST_MS:
            return
        if self._unanswered and now - self._pinged_at < LEFT_TO_ANSWER_MS:
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
        """Add a round trip; the shortest of the last few counts, as a phone can lengthen one but not shorten it."""
        if self._pinged_s is not None:
            self._round_trips.append(round((self._loop.time() - self._pinged_s) * 1000))
            self.rtt_ms = min(self._round_trips)
            self._pinged_s = None
            self._unanswered = 0
            self.ponged(self._pinged_at)

    def probe_now(self) -> None:
        """Probe now instead of when it is due."""
        if self._timer is not None and not self._closed:
            self._timer.cancel()
            self.probe()

    # --- out -----------------------------------------------------------------------------------------------------

    def refuse(self, id_: str | None, code: str, words: str, v: int) -> None:
        """Refuse a command, in the language of whoever reads it."""
        self.tell(protocol.refused(id_, code, said_in(self.language, words), v))

    def tell(self, text: str) -> None:
        """Send a frame to this socket alone."""
        self.push(Frame(text))

    def push(self, frame: Frame) -> None:
        """Send a frame, which many sockets may share."""
        if not self._closed:
            self._transport.send(frame)

    def close(self, code: int) -> None:
        """Close this socket; nothing more is sent or heard."""
        if not self._closed:
            self._closed = True
            self._transport.close(code)


def cookies_of(scope: Scope) -> dict[str, str]:
    """Return the cookies of a handshake."""
    return parse_cookie("; ".join(_headers(scope, b"cookie")))


def header_of(scope: Scope, wanted: bytes) -> str:
    """Return a header of a handshake, "" where it was not sent."""
    return ", ".join(_headers(scope, wanted))


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin1") for name, value in scope["headers"] if name == wanted]


class NoSuchSocket(Socket):
    """An address that does not exist: a close code says so, which a refused handshake could not."""

    opens = TOURNAMENT_OPENS

    async def open(self, scope: Scope) -> int | None:
        return protocol.NO_SUCH_MATCH
