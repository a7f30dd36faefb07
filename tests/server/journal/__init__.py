"""The event log, and data from earlier versions."""
