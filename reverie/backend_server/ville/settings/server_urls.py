"""Check the addresses of providers, and mask the secrets in them.

An address may contain a password (`user:password@`) or a key in its path. Neither is ever shown: of a path, only words
that are usual in such addresses are.
"""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

HOST = re.compile(r"(?=.*[a-z0-9])[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*(%[a-z0-9]+)?", re.IGNORECASE)
"""A host name in ASCII, an IPv4 or an IPv6 address."""
USUAL_PARTS = re.compile(
    r"v\d+((alpha|beta)\d*)?|api|beta|chat|compat|compatible-mode|completions|deployments|embeddings|engines|gateway|"
    r"inference|llm|models|openai|proxy|serving-endpoints",
    re.IGNORECASE,
)
"""Parts of a path that are not secrets."""
HIDDEN = "…"
PORTS = {"http": 80, "https": 443}


def address_error(address: str) -> str:
    """Return what is wrong with an address, without quoting it; nothing if it is valid."""
    parts = _split(address)
    if parts is None:
        return "its host or port cannot be read"
    faults = {
        "it contains blanks or characters that are not allowed (write a host in other letters as xn--...)": (
            not address.isascii() or re.search(r"[\s\x00-\x1f\x7f\\]", address)
        ),
        "it must start with http:// or https://": parts.scheme not in {"http", "https"},
        "it has no host": not HOST.fullmatch(parts.hostname or ""),
        "0 is not a port": parts.port == 0,
        "it must not contain ? or #": "?" in address or "#" in address,
    }
    return next((fault for fault, there in faults.items() if there), "")


def origin_of(address: str) -> str:
    """Return scheme, host and port of an address; nothing if it has no host."""
    parts = _split(address)
    if parts is None or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{parts.port or PORTS.get(parts.scheme)}"


def masked_url(address: str) -> str:
    """Return an address without its secrets. Of an invalid address nothing is shown."""
    parts = _split(address)
    if parts is None or address_error(address.partition("?")[0].partition("#")[0]):
        return "(an invalid address)"
    host = parts.netloc.rpartition("@")[2]
    path = [part if not part or USUAL_PARTS.fullmatch(part) else HIDDEN for part in parts.path.split("/")]
    return f"{parts.scheme}://{host}{'/'.join(path)}"


def secrets_in(address: str) -> list[str]:
    """Return the secrets in an address: user and password, and unusual parts of its path."""
    parts = _split(address)
    if parts is None:
        return []
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    login = [f"{user}:{password}", password] if password else [user]
    return [text for text in (*login, *parts.path.split("/")) if text and not USUAL_PARTS.fullmatch(text)]


def is_local(address: str) -> bool:
    """Return whether an address is on this machine or in a private network, where calls cost nothing."""
    parts = _split(address)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host.rstrip(".") or host.endswith((".local", ".localhost", ".lan", ".internal"))


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises ValueError for a bad port
    except ValueError:
        return None
    return parts
