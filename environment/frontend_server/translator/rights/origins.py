"""Pure: whether a request comes from a page of this server, by the headers that browsers send."""

from collections.abc import Collection, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}
OURS = {"same-origin", "none"}
"""Values of `Sec-Fetch-Site` for requests of the same origin, and for addresses typed by a user."""


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int


def origin_of(address: str) -> Origin | None:
    """Return the origin of an http address; None for `null` and for anything else."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    return Origin(parts.scheme, parts.hostname, PORTS[parts.scheme] if port is None else port)


def is_ours(headers: Mapping[str, str], ours: Collection[Origin]) -> bool:
    """Return whether all headers about the origin of a request agree with one of these origins.

    Browsers send `Origin` with every POST, and most of them `Sec-Fetch-Site` and `Referer`. A request without any of
    the three comes from a script, not from a web page, and is accepted: a script could send any header it likes.
    """
    signs = (
        "Origin" not in headers or origin_of(headers["Origin"]) in ours,
        "Referer" not in headers or origin_of(headers["Referer"]) in ours,
        headers.get("Sec-Fetch-Site", "none") in OURS,
    )
    return all(signs)


def is_certainly_ours(headers: Mapping[str, str], ours: Collection[Origin]) -> bool:
    """Return whether a page of one of these origins sent a request, as all browsers tell: required of what acts."""
    return (
        origin_of(headers.get("Origin", "")) in ours and headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    )
