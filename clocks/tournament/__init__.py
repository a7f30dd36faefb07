"""Tournaments, apart from play itself: tables, rounds, draws, results and players."""
