"""Free ports for servers that tests start."""

import random
import socket
from contextlib import closing

# Below the range from which Linux and macOS take the ports of outgoing connections,
# so that no connection takes the port before the server listens on it.
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """Free port on all interfaces."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with closing(socket.socket()) as probe:
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
