"""One command of `manage.py` a module."""
