"""What a command does: `perform(match, command, by, at)` returns the events, or refuses."""
