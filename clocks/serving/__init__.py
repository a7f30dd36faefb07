"""Daphne, with limits on what a connection may cost. Only public interfaces of Twisted; nothing else imports it.

lifespan.py    start and stop of the application, under any server
server.py      Daphne with its limits
ends.py        ended connections, without scanning all of them
extension.py   ASGI extension that gives the application its connection
pages.py       HTTP connections: deadlines, largest body, how many may wait
plain_http.py  redirect for plain http on an https port
refusal.py     rejected WebSocket handshakes
opening.py     queue of sockets that open
sockets.py     WebSocket connections: limits on frames, and the plain ones read at once
frames.py      WebSocket frames as bytes
send_buffer.py outgoing bytes of a connection, with backpressure
transport.py   frames from and to a socket, past ASGI
streams.py     responses without an end
page_queue.py  queue of page requests, by account
memory.py      glibc's allocator
files.py       limit on open files
"""
