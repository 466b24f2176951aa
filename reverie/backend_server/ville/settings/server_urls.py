"""Addresses of providers: which can be called, which server they name, and what of them can be shown.

An address may hold a password (`user:password@`) or a key in its path. Neither is ever shown: of a path only the words
that every provider uses are.
"""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

HOST = re.compile(r"(?=.*[a-z0-9])[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*(%[a-z0-9]+)?", re.IGNORECASE)
"""A name in ASCII, an IPv4 or an IPv6 address."""
USUAL = re.compile(
    r"v\d+((alpha|beta)\d*)?|api|beta|chat|compat|compatible-mode|completions|deployments|embeddings|engines|gateway|"
    r"inference|llm|models|openai|proxy|serving-endpoints",
    re.IGNORECASE,
)
"""Parts of a path that are nobody's secret."""
HIDDEN = "…"
PORTS = {"http": 80, "https": 443}


def fault_of_address(address: str) -> str:
    """What is wrong with an address, in words that do not quote it; empty if it can be called."""
    parts = _split(address)
    if parts is None:
        return "its host or its port cannot be read"
    faults = {
        "it holds blanks or signs that no address has (a host in other letters is written as xn--...)": (
            not address.isascii() or re.search(r"[\s\x00-\x1f\x7f\\]", address)
        ),
        "it has to begin with http:// or https://": parts.scheme not in {"http", "https"},
        "it names no host": not HOST.fullmatch(parts.hostname or ""),
        "0 is no port": parts.port == 0,
        "it may not go on behind a ? or a #": "?" in address or "#" in address,
    }
    return next((fault for fault, there in faults.items() if there), "")


def origin_of(address: str) -> str:
    """Which server an address names: scheme, host and port. Empty if it names none."""
    parts = _split(address)
    if parts is None or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{parts.port or PORTS.get(parts.scheme)}"


def shown(address: str) -> str:
    """An address that can be shown anywhere; of one that cannot be called, nothing is."""
    parts = _split(address)
    if parts is None or fault_of_address(address.partition("?")[0].partition("#")[0]):
        return "(an address that cannot be read)"
    host = parts.netloc.rpartition("@")[2]
    path = [part if not part or USUAL.fullmatch(part) else HIDDEN for part in parts.path.split("/")]
    return f"{parts.scheme}://{host}{'/'.join(path)}"


def secrets_in(address: str) -> list[str]:
    """What of an address opens something: user and password, and unusual parts of its path."""
    parts = _split(address)
    if parts is None:
        return []
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    opening = [f"{user}:{password}", password] if password else [user]
    return [text for text in (*opening, *parts.path.split("/")) if text and not USUAL.fullmatch(text)]


def is_near(address: str) -> bool:
    """Return whether an address is of this machine or of a private network. Others are not known to be free."""
    parts = _split(address)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host.rstrip(".") or host.endswith((".local", ".localhost", ".lan", ".internal"))


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - it is read to be checked
    except ValueError:
        return None
    return parts
