"""Opens shared files as a browser does: data, script and policy."""

import base64
import hashlib
import json
import re
import zlib
from typing import Any

BLOCK = re.compile(r'<script type="text/plain" id="(\w+)">([^<]*)</script>')


def data_of(text: str, name: str = "recording") -> Any:
    """Return the data of a shared file."""
    packed = dict(BLOCK.findall(text))[name]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def everything_in(text: str) -> str:
    """Return a shared file with all that it holds unpacked: what is not in this text is not in the file."""
    unpacked = [zlib.decompress(base64.b64decode(packed)).decode() for _, packed in BLOCK.findall(text)]
    pictures = re.findall(r"base64,([A-Za-z0-9+/=]+)", text)
    decoded = [base64.b64decode(picture).decode("latin-1") for picture in pictures]
    return "\n".join([text, *unpacked, *decoded])


def policy_of(text: str) -> str:
    """Return the policy of a shared file."""
    return re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0]


def hash_in_policy(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
