"""Benchmark: durable hits per second against Daphne's limit, and snapshot delays.

    python -m tests.bench            a readable table
    python -m tests.bench --json     one JSON object
    python -m tests.bench.desk       the desk alone: CPU time per hit in the writer thread
    python -m tests.bench.floods     play during denial-of-service attacks by one client, with limits

phone.py         WebSocket client that costs far less than the server it loads
play.py          boards of two phones that hit, on the relay and on the product
relay.py         upper bound: an ASGI app that only forwards frames between the two sockets of a table
server.py        starts a process, optionally pinned to a core, and measures its resource usage
product.py       starts the product and the relay, with a choice of storage
make.py          creates boards in the product, through the desk
measure.py       closed loop and steady pace
rounds.py        the first rows: relay and product in turn, and a hall at its usual pace
waits.py         delays of flags after their deadline, and of all phones after a restart
long_journal.py  a journal of a million hits compared with an empty one; lengthen.py creates it
followers.py     feed readers and failing webhooks
viewers.py       a console and a hall screen
at_rest.py       sockets while no clock runs
elsewhere.py     cost of hits for another process
cell.py          four processes behind nginx on PostgreSQL and Redis
arranging.py     arranging a large tournament during play
held.py          how long writes hold SQLite's lock
large_pages.py   pages of 1,000 players, using pages.py
what_if.py       played_matches.py under another rule book
rig.py           resources for measuring a row
rows.py          rows and their limits
soak.py          a tournament day in compressed time, run separately
console.py       browser load of the director's page and the hall screen during play, run separately
press.py         from a touch to the player's own screen on a slow phone, run separately
floods.py        delays of players, a director and newcomers during a flood, run separately
attacks.py       the floods, each in its own process
lines.py         raw connections for the floods
hall.py          clients that the floods must not slow down
fuzz_sockets.py  frames repeated, reordered and mutated, run separately, with fuzz_*.py
malformed.py     malformed frames and forms, run separately
copies.py        cost of backups, run separately
scale_out.py     simulation of many cells, run separately, with costs from cost_of_a_press.py
machine.py       description of the machine
report.py        the table
__main__.py      command-line options
"""
