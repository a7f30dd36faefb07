"""Sockets, frames, rooms and broadcasts."""
