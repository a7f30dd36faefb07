"""The forms of all pages, and what they check."""
