"""What there is to read about a match and a tournament: the record, the look back, charts, results, exports."""
