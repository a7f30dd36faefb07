"""What happens in a tournament, told to whoever follows it from outside: numbered, kept, never in the way of a hit.

folds.py      matches as their journals lead to them, each entry folded once
kinds.py      what an entry of a journal or of a tournament's log means to those who follow
recorder.py   the thread that finds what happened, after the commit
numbering.py  events get the next numbers of their tournament, and are stored
encoding.py   an event as it is sent, to a token and to everybody
readers.py    those who are connected, and what each still has to be sent
stream.py     server-sent events over HTTP, beside Django
"""
