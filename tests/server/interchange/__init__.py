"""Importing and exporting other programs' files."""
