"""From commands to events: `perform(match, command, by, at)`."""
