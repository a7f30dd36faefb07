"""Backups, and what they restore."""
