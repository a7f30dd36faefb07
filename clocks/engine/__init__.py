"""Rules engine: pure, standard library only, never reads the system clock.

In reading order:

clock.py       Seat, TimeControl, Clock: the arithmetic of a turn
closed_sets.py enums: statuses, reasons, policies, parties
books/         rule books as data: the type (rule_set.py), the published books (published.py)
setup.py       Setup: the validated settings of a match
lag.py         Lag: network delay credited so far in a game
match.py       Match: score, game, cube, proposal, status; holds a Clock
shown.py       view of a match for pages and replay lines
proposals.py   terms of proposals            refusals.py  reasons to reject a command
commands.py    commands                      events.py    events
table_events.py  administrative events: seats, tables, names
decide/        perform: command to events, dispatched by type
evolve/        evolve, fold: event to state, dispatched by type
replay.py      a match from JSON lines, for `manage.py replay`
parsing.py, codec.py, frozen.py, words.py   helpers
"""
