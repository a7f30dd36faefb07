"""Pages and their forms.

public/      pages for everybody
director/    pages of those who run a tournament
forms/       forms and fields that several views use; a form of one view is beside it
access.py    permission to see a page
errors.py    error pages, always with a way back
page.py      frame of a tournament's pages, and lookups by address
qr.py        QR codes
machines.py  /livez, /readyz, /metrics, /robots.txt
script_catalogue.py  messages of the scripts in the reader's language
"""
