"""The event stream of a tournament."""
