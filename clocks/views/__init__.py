"""Pages and their forms.

public/      public pages
director/    pages for members of a tournament, behind a sign-in
forms/       shared forms and fields; a form used by one view is in that view's module
access.py    permission checks
errors.py    error pages, always with a way back
page.py      rendering of tournament pages, and lookups
qr.py        QR codes
bracket_drawing.py   coordinates of a bracket
bracket_svg.py       a bracket as SVG
bracket_paper.py     brackets to print
event_standings.py   standings of an event for a page
text_width.py   estimated widths of names
machines.py  /livez, /readyz, /metrics, /robots.txt
script_catalogue.py  messages of the scripts in the reader's language
"""
