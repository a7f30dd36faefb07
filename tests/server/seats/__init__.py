"""Seats, and the presence of phones."""
