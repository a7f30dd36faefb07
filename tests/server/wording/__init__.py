"""Messages and texts for people."""
