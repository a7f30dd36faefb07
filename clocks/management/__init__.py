"""Commands of `manage.py`, and the games of the demo."""
