"""The tournament clock; docs/architecture.md names its rooms."""
