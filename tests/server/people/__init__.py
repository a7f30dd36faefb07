"""Accounts, roles, sessions and personal data."""
