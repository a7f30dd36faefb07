"""A tournament's event stream."""
