"""Sockets and what goes through them: frames, rooms, broadcasts, and the life of the process behind them."""
