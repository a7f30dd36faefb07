"""The rules of the clock, standard library only; nothing here reads the time. In the order of reading:

clock.py       Seat, TimeControl, Clock: the arithmetic of a turn
books/         what a rule book prescribes, and the published ones as data
setup.py       Setup: what a match starts from, checked
match.py       Match: score, game, cube, proposal, status; holds a Clock
proposals.py   what can be proposed          refusals.py  why a command is refused
commands.py    what may be asked             events.py    what has happened
decide/        perform: what a command leads to; proposals, flags, and what is decided beside the rules (tables.py)
evolve/        evolve, fold: what each kind of event makes of a match
replay.py      a match from JSON lines, as `manage.py replay` runs it
applying.py, codec.py, frozen.py   the tools of the above
"""
