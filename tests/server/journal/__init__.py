"""The event log, and data of earlier versions."""
