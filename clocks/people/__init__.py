"""Accounts, roles, invitations, sessions, sign-in and tokens."""
