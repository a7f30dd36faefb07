"""Attacks and limits across packages."""
