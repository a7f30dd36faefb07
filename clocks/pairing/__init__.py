"""Pairing methods for the next round: pure functions on ordered player names."""
