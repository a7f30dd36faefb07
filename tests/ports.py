"""Free ports for servers that tests start."""

import random
import socket
from contextlib import closing

# Below the ephemeral ports of Linux and macOS, so that no outgoing connection takes the port before the server listens.
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """Random port that is free on all interfaces."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with closing(socket.socket()) as probe:
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
