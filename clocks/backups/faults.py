"""Errors of backups."""


class BackupError(Exception):
    """A backup could not be taken or restored; the message says why and what to do."""
