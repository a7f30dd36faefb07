"""Import and export: TRF, brackets JSON, CSV, JSON lines and match transcripts."""
