"""Copies of the database: taken while play goes on, checked, kept in number, brought back."""
