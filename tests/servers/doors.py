"""Ports, for tests of the front door."""

import socket


def free(port: int) -> bool:
    """Return whether nothing listens at a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0
