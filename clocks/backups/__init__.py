"""Backups of the database: taken during play, checked, pruned, restored."""
