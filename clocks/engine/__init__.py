"""The rules of the clock, standard library only; nothing here reads the time. In the order of reading:

clock.py       Seat, TimeControl, Clock: the arithmetic of a turn
book.py, rulesets.py   what a rule book prescribes, and the published ones as data
setup.py       Setup: what a match starts from, checked
match.py       Match: score, game, cube, proposal, status; holds a Clock
proposals.py   what can be proposed          refusals.py  why a command is refused
commands.py    what may be asked             events.py    what has happened
rules.py       perform, decide               settling.py  propose, agree, decline      flags.py  what a flag means
replay.py      evolve, fold; each kind of event is applied in turns.py, endings.py or rulings.py
transcript.py  a match from JSON lines, as `manage.py replay` runs it
beside.py      what is decided beside the rules: seats, tables, codes
applying.py, codec.py, frozen.py   the tools of the above
"""
