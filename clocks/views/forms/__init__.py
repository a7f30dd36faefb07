"""Shared forms and fields."""
