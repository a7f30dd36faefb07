"""Match and tournament records: timelines, charts, turn times, expected ends and search."""
