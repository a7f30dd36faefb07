"""Tournaments, apart from the play itself: tables, codes, rounds, draws, results, players, messages."""
