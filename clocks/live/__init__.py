"""WebSockets: frames, rooms, broadcasts between processes, flags, start and stop."""
