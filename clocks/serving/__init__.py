"""Daphne with the limits of this clock: what a connection may cost, and for how long. Nothing else knows Twisted.

lifespan.py   how the application begins and ends, whatever serves it
server.py     Daphne: its limits
ends.py       Daphne: how connections end, without a look through all of them
pages.py      connections that ask for pages: deadlines, the largest body, how many may wait
plain_http.py what whoever speaks plain http to an https port gets: a redirect
refusal.py    what whoever opens too many sockets is told instead
opening.py    when a socket opens: one at a time, with pauses for those who are playing
sockets.py    sockets: every frame is counted, and what has ended leaves the garbage collector nothing to find
frames.py     frames as bytes: written once for all who read them, and the plain ones read at once
transport.py  the way to and from a socket, past the server where we know it
streams.py    answers that do not end
page_queue.py how many pages are worked on at once, and whose is next
memory.py     what large frames leave behind
files.py      how many files this process may open
"""
