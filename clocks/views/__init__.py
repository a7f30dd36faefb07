"""Pages and their forms.

public/      public pages
director/    pages for members of a tournament, behind a sign-in
forms/       shared forms and fields; a form used by one view is in its module
access.py    permission to see a page
errors.py    error pages, always with a way back
page.py      frame of a tournament's pages, and lookups by address
qr.py        QR codes
bracket_drawing.py   coordinates of a bracket
bracket_svg.py       a bracket as SVG
bracket_paper.py     sheets of paper with brackets
event_standings.py   standings of an event for a page
text_width.py   estimated widths of names
machines.py  /livez, /readyz, /metrics, /robots.txt
script_catalogue.py  messages of the scripts in the reader's language
"""
