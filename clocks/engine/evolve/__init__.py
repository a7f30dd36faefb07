"""What an event makes of a match: `evolve(match, event)`, and `fold` for a whole journal."""
