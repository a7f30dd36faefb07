"""Errors of backups."""


class NotKept(Exception):
    """A backup could not be taken or restored; the message says why and what to do."""
