"""Daphne, with limits on the cost of each connection.

Only this package imports Twisted, and uses only its public interfaces.

lifespan.py    start and stop of the application, under any server
server.py      Daphne with its limits
ends.py        cleanup of ended connections, without scans
extension.py   ASGI extension that gives the application its connection
pages.py       HTTP connections: deadlines, limits on bodies and idle connections
plain_http.py  redirect for plain http on an https port
refusal.py     rejected WebSocket handshakes
opening.py     queue of opening sockets
sockets.py     WebSocket connections: limits on frames, fast path for plain ones
frames.py      WebSocket frames as bytes
send_buffer.py outgoing bytes of a connection, with backpressure
asgi_queue.py  messages to any other ASGI server
asgi.py        types of ASGI
transport.py   frames from and to a socket, bypassing ASGI
streams.py     streaming responses
page_queue.py  queue of page requests, by account
probes.py      health checks and metrics, in a thread of their own
memory.py      glibc's allocator
files.py       limit on open files
"""

import daphne.server  # noqa: F401  # installs asyncio's reactor, which must be there before anything imports Twisted's
