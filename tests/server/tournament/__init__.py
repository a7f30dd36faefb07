"""Draws, rounds, tables, players and results."""
