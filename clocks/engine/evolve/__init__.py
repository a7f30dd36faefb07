"""How an event changes a match: `evolve(match, event)`, and `fold` for a whole journal."""
