"""WebSockets: frames, rooms, broadcasts between processes, flags, lifespan."""
