"""Write the headers of model files, without weights."""

import struct
from pathlib import Path

TEXT, NUMBER, LIST = 8, 4, 9
TEMPLATE = {"tokenizer.chat_template": "{{ messages }}"}


def write_header(path: Path, **values: str | int | list[str] | list[int]) -> Path:
    """Write a header with these values and those that every model has; dots in names are written as `__`."""
    named = {"general.architecture": "tiny", "tokenizer.ggml.tokens": ["a", "b"]}
    named |= {name.replace("__", "."): value for name, value in values.items()}
    rows = b"".join(_text(name) + _value(value) for name, value in named.items())
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(named)) + rows)
    return path


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: str | int | list[str] | list[int]) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", TEXT) + _text(value)
    if isinstance(value, int):
        return struct.pack("<II", NUMBER, value)
    kind = TEXT if isinstance(value[0], str) else NUMBER
    items = [_text(item) if isinstance(item, str) else struct.pack("<I", item) for item in value]
    return struct.pack("<IIQ", LIST, kind, len(items)) + b"".join(items)
