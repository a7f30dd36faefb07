"""WebSockets: frames, rooms, broadcasts between processes, flag watch, start and stop of a process."""
