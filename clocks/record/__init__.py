"""Match and tournament records: timelines, charts, results, search and exports."""
