"""Benchmark: durable hits a second against Daphne's limit, and snapshot delays.

    python -m tests.bench            a readable table
    python -m tests.bench --json     one JSON object
    python -m tests.bench.desk       the desk alone: CPU time of a hit in the writing thread
    python -m tests.bench.floods     play during denial-of-service attacks by one client, with limits

phone.py         WebSocket client that costs far less than the server it loads
play.py          boards of two phones that hit, for the relay and for the product
relay.py         upper limit: an ASGI app that only forwards frames between the two sockets of a table
server.py        starts a process, pinned to a core if wanted, and measures its resource usage
product.py       starts the product and the relay, with a choice of storage
make.py          creates the boards through the desk, inside the product
measure.py       closed loop and steady pace
rounds.py        measurements of the first rows: relay and product in turn, and a hall at its pace
waits.py         delays of flags after their deadline, and of all phones after a restart
long_journal.py  a journal of a million hits compared with an empty one; lengthen.py creates it
followers.py     readers of the feed, and failing webhooks
viewers.py       a console and a hall screen
at_rest.py       sockets while no clock runs
elsewhere.py     cost of hits for a process not involved in them
cell.py          four processes behind nginx on PostgreSQL and Redis
arranging.py     arranging a large tournament beside play
held.py          how long writes hold SQLite's lock
large_pages.py   pages of 1,000 players, by pages.py
what_if.py       played_matches.py under another rule book
rig.py           resources of a row
rows.py          rows and their limits
soak.py          a tournament's day in compressed time, run separately
console.py       load of a browser: director's page and hall screen during play, run separately
press.py         from a touch to the own screen on a slow phone, run separately
floods.py        delays of players, a director and newcomers during a flood, run separately
attacks.py       the floods, each in its own process
lines.py         raw connections of the floods
hall.py          clients of the floods that must not be slowed down
fuzz_sockets.py  frames repeated, reordered and mutated, run separately, with fuzz_*.py
malformed.py     malformed frames and forms, run separately
copies.py        cost of backups, run separately
scale_out.py     simulation of many cells, run separately, with costs of cost_of_a_press.py
machine.py       description of the machine
report.py        the table
__main__.py      options
"""
