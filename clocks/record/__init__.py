"""Records of matches and tournaments: timelines, charts, expected ends and search."""
