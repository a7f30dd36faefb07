"""The pages, a file for each thing that people come for.

home.py       the code entry; start a clock for a casual match
table.py      a table: who plays, taking a seat, the clock, watching, the QR
sign_in.py    the director's way in and out, and the list of tournaments
director.py   the director's page of a tournament
rounds.py     arranging a tournament: its rounds and their matches
draw.py       importing the draw of a round
tables.py     the tables of a tournament
cards.py      table cards to print
results.py    results and journals, to look at and as files
on_request.py clocks on request, and results without a clock
errors.py     what is shown when something is wrong, always with a way back
rules.py      what the clock does under each rule book
certificate.py what a phone installs to trust a server that made its certificate itself
shell.py      what a phone keeps on itself: manifest, worker, the page without network
practice.py   a clock to practise with, without server
machines.py   what programs ask for: /healthz, /robots.txt
"""
