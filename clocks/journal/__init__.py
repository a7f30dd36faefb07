"""Event log of each match, and the state stored beside it."""
