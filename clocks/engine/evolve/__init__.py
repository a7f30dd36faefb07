"""From events to state: `evolve(match, event)`, and `fold` for a whole journal."""
