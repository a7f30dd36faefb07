"""Accounts, roles, sessions, sign-in links, phones and their tokens."""
