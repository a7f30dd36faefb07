"""Benchmark: durable hits a second beside Daphne's limit, and delays of snapshots.

    python -m tests.bench            a table for people
    python -m tests.bench --json     one JSON object
    python -m tests.bench.desk       the desk alone: what a hit costs in the thread that writes
    python -m tests.bench.floods     what a hall feels of one client that tries to shut the door, and its limits

phone.py     a websocket client that costs far less than the server it loads
play.py      boards of two phones that hit: of the relay, and of the product
relay.py     the limit: an ASGI app that only passes frames between the two sockets of a table
server.py    starts a process on one core and reads what it used of it
product.py   how the product and the relay are started; a backend is one entry
make.py      run inside the product: makes the boards through the desk
measure.py   a closed loop, and a steady pace
rounds.py    the two measurements made of these
waits.py     flags after their deadline, a restart until every phone is back
long_journal.py  a journal of a million hits beside an empty one; lengthen.py makes it
followers.py readers of the feed, and webhooks that nobody takes
viewers.py   a console and a hall's screen
at_rest.py   sockets where no clock runs           elsewhere.py  what hits cost a process that has no part in them
rig.py       what a row is measured with          rows.py    the rows and their limits
soak.py      a tournament's day in compressed time, run by itself
console.py   what a browser bears: the director's page and the hall screen under load, run by itself
floods.py    players, a director and newcomers while a flood runs, run by itself
attacks.py   the floods, each in a process of its own
lines.py     the connections they send over: whatever bytes they like
machine.py   what it ran on          report.py  the table          __main__.py  options
"""
