"""The pages: what a request for one shows, and what a form of it changes.

public/      the pages for everybody
director/    the pages of those who run a tournament
forms/       what the pages' forms hold and check
access.py    who may come to a page
errors.py    what is shown when something is wrong, always with a way back
page.py      the frame of a tournament’s pages, and what an address names
qr.py        QR codes
machines.py  what programs ask for: /livez, /readyz, /metrics, /robots.txt
script_catalogue.py  the sentences that scripts show, in the reader's language
"""
