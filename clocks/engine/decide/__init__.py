"""What a command leads to: `perform(match, command, by, at)` returns the events, or refuses."""
