"""Connections under Daphne and their limits."""
