"""Pairing methods of the first and the next round: pure functions on ordered players."""
