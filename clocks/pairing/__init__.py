"""Pairing methods for first and later rounds: pure functions on ordered players."""
