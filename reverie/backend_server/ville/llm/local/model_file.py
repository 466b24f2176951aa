"""A model file in the format of llama.cpp (GGUF), by its header: what can be known without loading it."""

import mmap
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ville.errors import BadSetting

MAGIC = b"GGUF"
VERSIONS = (2, 3)
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Types of numbers, with what `struct` calls them."""
TEXT, ARRAY = 8, 9
LONGEST_TEXT = 2**20
"""Bytes of a text that is read; a chat template has some thousand."""

Header = Mapping[str, str | float | list[float]]


@dataclass(frozen=True)
class ModelFile:
    """A model that llama.cpp can serve."""

    path: Path
    context: int
    """Tokens of question and answer that it was trained for."""
    vector_size: int
    """Size of the vectors that it makes of texts."""
    attention: int
    """Numbers that it keeps in memory for each token."""
    talks: bool
    """Whether it has a chat template: one without continues texts, and does not answer."""
    pools: bool
    """Whether it says how it makes one vector of a text; chat models do not."""

    @property
    def name(self) -> str:
        """Name of the model, as in the ledger."""
        return self.path.stem


def model_file(path: Path, setting: str) -> ModelFile:
    """Return the model file that a setting names. Raises BadSetting."""
    try:
        status = path.stat()
        return _read(path, setting, (status.st_mtime_ns, status.st_size))
    except OSError as fault:
        raise BadSetting(f"{setting}: {path} cannot be read ({fault.strerror}). Name a model file (.gguf).") from fault


@cache
def _read(path: Path, setting: str, _version: tuple[int, int]) -> ModelFile:
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise BadSetting(f"{setting}: {path} is not a GGUF file. Name a model file of llama.cpp (.gguf).")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            try:
                return _described(path, dict(_values(content)))
            except (struct.error, ArithmeticError, LookupError, ValueError) as fault:
                raise BadSetting(f"{setting}: {path} is damaged or incomplete. Download it again.") from fault


def _described(path: Path, header: Header) -> ModelFile:
    kind = header["general.architecture"]

    def number(name: str, otherwise: float = 0) -> int:
        """Return a number of the architecture; the largest, if each layer has its own."""
        found = header.get(f"{kind}.{name}", otherwise)
        largest = max(found, default=0) if isinstance(found, list) else found
        return int(largest)

    width, heads = number("embedding_length"), number("attention.head_count", 1)
    sizes = [number(f"attention.{part}_length", width / max(1, heads)) for part in ("key", "value")]
    attention = number("block_count") * number("attention.head_count_kv", heads) * sum(sizes)
    return ModelFile(
        path,
        context=number("context_length"),
        vector_size=width,
        attention=attention,
        talks="tokenizer.chat_template" in header,
        pools=f"{kind}.pooling_type" in header,
    )


def _values(content: mmap.mmap) -> Iterator[tuple[str, str | float | list[float]]]:
    """Yield the names and values of a header, without texts in lists. Raises struct.error and ValueError."""
    version, _, count = struct.unpack_from("<IQQ", content, len(MAGIC))
    if version not in VERSIONS:
        raise ValueError("an unknown version")
    at = len(MAGIC) + struct.calcsize("<IQQ")
    for _ in range(count):
        name, at = _text(content, at)
        (kind,) = struct.unpack_from("<I", content, at)
        if kind == ARRAY:
            values, at = _array(content, at + 4)
            yield name, values
        elif kind == TEXT:
            text, at = _text(content, at + 4)
            yield name, text
        else:
            form = f"<{_number(kind)}"
            yield name, struct.unpack_from(form, content, at + 4)[0]
            at += 4 + struct.calcsize(form)


def _number(kind: int) -> str:
    if kind not in NUMBERS:
        raise ValueError("an unknown type")
    return NUMBERS[kind]


def _text(content: mmap.mmap, at: int) -> tuple[str, int]:
    """Return a text and where it ends."""
    (length,) = struct.unpack_from("<Q", content, at)
    end = at + 8 + length
    if end > len(content) or length > LONGEST_TEXT:
        raise ValueError("a text without end")
    return content[at + 8 : end].decode("utf-8", "replace"), end


def _array(content: mmap.mmap, at: int) -> tuple[list[float], int]:
    """Return the numbers of a list and where it ends; texts are passed over, and lists in lists are not known."""
    kind, count = struct.unpack_from("<IQ", content, at)
    at += struct.calcsize("<IQ")
    if kind == TEXT:
        length = struct.Struct("<Q")
        for _ in range(count):
            at += 8 + length.unpack_from(content, at)[0]
        return [], at
    form = f"<{count}{_number(kind)}"
    if count > len(content):
        raise ValueError("a list without end")
    return list(struct.unpack_from(form, content, at)), at + struct.calcsize(form)
