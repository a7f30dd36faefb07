"""The event log, and what it stored in earlier versions."""
