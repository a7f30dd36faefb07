"""A tournament beside its matches: tables and their codes, the draw, what the whole hall is told."""
