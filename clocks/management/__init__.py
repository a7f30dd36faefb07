"""`manage.py` commands, and the generator of demo matches."""
