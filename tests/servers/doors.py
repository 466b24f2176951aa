"""Ports, and waiting for conditions, for tests of the front door."""

import socket
import time

PATIENCE = 300
"""Seconds to wait for anything on a busy machine."""


def free(port: int) -> bool:
    """Return whether nothing listens at a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


def until(true):
    """Return whether something comes true in time."""
    end = time.monotonic() + PATIENCE
    while not (came := true()) and time.monotonic() < end:
        time.sleep(0.1)
    return came
