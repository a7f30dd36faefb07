"""The desk: commands, outages and races."""
