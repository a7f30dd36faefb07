"""Daphne, with limits on the cost of each connection.

Only this package imports Twisted, and uses only its public interfaces.

lifespan.py    startup and shutdown of the application, under any server
server.py      Daphne with its limits
ends.py        cleanup of closed connections, without scans
extension.py   ASGI extension that gives the application its connection
pages.py       HTTP connections: deadlines, limits on bodies and idle connections
plain_http.py  redirect for plain http on an https port
refusal.py     rejected WebSocket handshakes
opening.py     queue of sockets that wait to open
sockets.py     WebSocket connections: limits on frames, fast path for plain ones
frames.py      WebSocket frames as bytes
send_buffer.py outgoing bytes of a connection, with backpressure
asgi_queue.py  queue of messages to any other ASGI server
asgi.py        ASGI types
transport.py   frames from and to a socket, bypassing ASGI
streams.py     streaming responses
page_queue.py  fair queue of page requests, by account
probes.py      health checks and metrics, in their own thread
memory.py      glibc's allocator
files.py       limit on open files
"""

import daphne.server  # noqa: F401  # installs asyncio's reactor, before anything can import Twisted's default
