"""Backups and restoring them."""
