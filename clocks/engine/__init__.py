"""The rules of the clock, standard library only; nothing here reads the time. In the order of reading:

clock.py       Seat, TimeControl, Clock: the arithmetic of a turn
closed_sets.py what a status, a reason, a policy can be, and who acts
books/         what a rule book prescribes (rule_set.py), and the published ones as data (published.py)
setup.py       Setup: what a match starts from, checked
lag.py         Lag: how much network delay a game may credit
match.py       Match: score, game, cube, proposal, status; holds a Clock
proposals.py   what can be proposed          refusals.py  why a command is refused
commands.py    what may be asked             events.py    what has happened
table_events.py  what has happened outside the rules
decide/        perform: what a command leads to, one table from command to function
evolve/        evolve, fold: what an event makes of a match, one table from event to function
replay.py      a match from JSON lines, as `manage.py replay` runs it
parsing.py, codec.py, frozen.py, words.py   the tools of the above
"""
