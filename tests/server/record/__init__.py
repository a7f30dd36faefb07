"""Records, charts, expected end times and search."""
