"""Benchmark: durable hits a second against Daphne's limit, and snapshot delays.

    python -m tests.bench            a readable table
    python -m tests.bench --json     one JSON object
    python -m tests.bench.desk       the desk alone: CPU time of a hit in the writing thread
    python -m tests.bench.floods     play during denial-of-service attacks by one client, with limits

phone.py         WebSocket client that costs far less than the server it loads
play.py          boards of two phones that hit, for the relay and for the product
relay.py         upper limit: an ASGI app that only forwards frames between the two sockets of a table
server.py        starts a process on one core and measures its resource usage
product.py       starts the product and the relay; a new backend is one entry
make.py          creates the boards through the desk, inside the product
measure.py       closed loop and steady pace
rounds.py        two measurements that combine these
waits.py         delays of flags after their deadline, and of all phones after a restart
long_journal.py  a journal of a million hits compared with an empty one; lengthen.py creates it
followers.py     readers of the feed, and failing webhooks
viewers.py       a console and a hall screen
at_rest.py       sockets while no clock runs
elsewhere.py     cost of hits for a process not involved in them
rig.py           resources of a row
rows.py          rows and their limits
soak.py          a tournament's day in compressed time, run separately
console.py       load of a browser: director's page and hall screen during play, run separately
press.py         from a touch to the own screen on a slow phone, run separately
floods.py        delays of players, a director and newcomers during a flood, run separately
attacks.py       the floods, each in its own process
lines.py         raw connections of the floods
machine.py       description of the machine
report.py        the table
__main__.py      options
"""
