"""What a match and a tournament leave to read: the record, the look back, charts, results, exports."""
