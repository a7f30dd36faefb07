"""Records, charts, expected ends and search."""
