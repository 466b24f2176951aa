"""Where the environment server listens: its address, its port, and the names by which browsers may call it."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
import re
import socket

LOOPBACK = "127.0.0.1"
PORT = 8000
PORTS = range(1, 65_536)
PLACE = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?P<port>[0-9]{1,5}))?")


class Bind:
    """A host, and a port if one was chosen."""

    def __init__(self, host: str = LOOPBACK, port: int | None = None) -> None:
        self.host = host
        self.port = port

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "localhost" or _is(self.host, "is_loopback")

    @property
    def is_everywhere(self) -> bool:
        """Whether it stands for all addresses of this machine."""
        return _is(self.host, "is_unspecified")

    @property
    def here(self) -> str:
        """The host as a browser on this machine calls it."""
        return LOOPBACK if self.is_everywhere else self.host

    def names(self) -> list[str]:
        """Return the names and addresses by which browsers may call this server."""
        names = ["localhost", LOOPBACK, "[::1]"]
        if self.is_everywhere:
            names += [socket.gethostname(), *_addresses_here()]
        elif not self.is_loopback:
            names.append(self.host)
        return list(dict.fromkeys(names))

    def is_taken(self, port: int) -> bool:
        """Return whether another program listens there already."""
        bare = self.host.strip("[]")
        with socket.socket(socket.AF_INET6 if ":" in bare else socket.AF_INET) as probe:
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((bare, port))
            except OSError:
                return True
            return False

    def first_free_port(self) -> int:
        """Return the first free port from PORT on, and print it if it is another one."""
        port = next(port for port in range(PORT, PORT + 1000) if not self.is_taken(port))
        if port != PORT:
            print(f"Port {PORT} is in use; using {port} instead.")
        return port


def read_bind(text: str) -> Bind:
    """Return the place that HOST or HOST:PORT names. Raises ArgumentTypeError."""
    found = PLACE.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not an address. Examples: 0.0.0.0, 192.168.1.5:8000, [::]:8000")
    bind = Bind(found["host"], read_port(found["port"]) if found["port"] else None)
    try:
        socket.getaddrinfo(bind.host.strip("[]"), None)
    except OSError:
        raise argparse.ArgumentTypeError(f"'{bind.host}' is not an address of this machine.") from None
    return bind


def read_port(text: str) -> int:
    """Return a port. Raises ArgumentTypeError."""
    number = int(text)
    if number not in PORTS:
        raise argparse.ArgumentTypeError(f"{text} is not a port. Choose a number from {PORTS[0]} to {PORTS[-1]}")
    return number


def _is(host: str, what: str) -> bool:
    try:
        return bool(getattr(ipaddress.ip_address(host.strip("[]")), what))
    except ValueError:
        return False


def _addresses_here() -> list[str]:
    """Return the addresses of this machine, as far as it knows them."""
    found = []
    with contextlib.suppress(OSError):
        found = [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: the system only chooses the address it would send from
        found.append(probe.getsockname()[0])
    return [f"[{address}]" if ":" in address else address for address in found]
