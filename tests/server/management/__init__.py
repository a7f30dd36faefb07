"""`manage.py` commands."""
