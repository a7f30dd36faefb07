"""Backgammon tournament clock; docs/architecture.md describes its packages."""
