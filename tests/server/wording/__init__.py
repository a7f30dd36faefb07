"""Wording for people."""
