"""The rules of the clock: pure, standard library only, never reads the time.

In reading order:

clock.py       Seat, TimeControl, Clock: the arithmetic of a turn
closed_sets.py enums: statuses, reasons, policies, parties
books/         rule books as data: the form (rule_set.py), the published ones (published.py)
setup.py       Setup: the validated settings of a match
lag.py         Lag: how much network delay a game may credit
match.py       Match: score, game, cube, proposal, status; holds a Clock
shown.py       view of a match for pages and replay lines
proposals.py   terms of proposals            refusals.py  reasons to refuse a command
commands.py    commands                      events.py    events
table_events.py  events outside the rules: seats, tables, names
decide/        perform: command to events, one table from command to function
evolve/        evolve, fold: event to state, one table from event to function
replay.py      a match from JSON lines, for `manage.py replay`
parsing.py, codec.py, frozen.py, words.py   helpers
"""
