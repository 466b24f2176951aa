"""Smaller copies of static files: text as gzip, PNG pictures as lossless WebP.

They are made once, and kept in a cache folder under the digest of the original's content.
"""

import gzip
import hashlib
import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from PIL import Image

from translator.storage.static.static_files import ListedFile, listing

TEXTS = frozenset({".css", ".csv", ".html", ".ico", ".js", ".json", ".map", ".md", ".mjs", ".svg", ".tmj", ".txt"})
PICTURES = frozenset({".png"})
SMALLEST = 500
"""Bytes; smaller files are sent as they are."""
LARGEST_PICTURE = 4_000_000
"""Bytes; larger pictures are sent as they are."""
OLDEST = 60 * 24 * 3600
"""Seconds after which a copy is deleted: whatever is still needed is made again."""

_painter = ThreadPoolExecutor(1, thread_name_prefix="webp")
_ordered: set[str] = set()
_lock = threading.Lock()


def is_picture(file: ListedFile) -> bool:
    return file.suffix in PICTURES


def gzipped(file: ListedFile) -> Path | None:
    """Return a compressed copy of a text, made if necessary; None if there is no smaller one."""
    if file.suffix not in TEXTS or file.size < SMALLEST:
        return None
    copy = _copy_of(file, ".gz")
    if not copy.exists() and not _write(copy, gzip.compress(file.read(), mtime=0)):
        return None
    return _if_smaller(copy, file)


def as_webp(file: ListedFile, *, wait: bool = False) -> Path | None:
    """Return a WebP with the same pixels, if it is there and smaller. Otherwise, have it made for the next time."""
    if not is_picture(file) or not SMALLEST <= file.size <= LARGEST_PICTURE:
        return None
    copy = _copy_of(file, ".webp")
    if copy.exists():
        return _if_smaller(copy, file)
    with _lock:
        if copy.name in _ordered:
            return None
        _ordered.add(copy.name)
    making = _painter.submit(lambda: _write(copy, _webp(file.path)))
    if wait:
        making.result()
    return None


def prepare() -> None:
    """Make the copies of all texts and pictures, and delete old ones. Takes seconds at the first start."""
    with suppress(OSError):
        for copy in settings.STATIC_CACHE.iterdir():
            if copy.stat().st_mtime < time.time() - OLDEST:
                copy.unlink()
    for file in listing().files.values():
        with suppress(OSError):
            gzipped(file)
            as_webp(file, wait=True)


def _copy_of(file: ListedFile, suffix: str) -> Path:
    folder: Path = settings.STATIC_CACHE
    return folder / f"{_digest(file)}{suffix}"


@lru_cache(maxsize=4096)
def _digest(file: ListedFile) -> str:
    return hashlib.sha256(file.read()).hexdigest()[:40]


def _if_smaller(copy: Path, file: ListedFile) -> Path | None:
    return copy if 0 < copy.stat().st_size < file.size else None


def _write(copy: Path, content: bytes) -> bool:
    """Write a copy, completely or not at all. Returns whether the folder could be written."""
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=copy.parent, prefix=".")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).replace(copy)
    except OSError:
        return False
    return True


def _webp(path: Path) -> bytes:
    """Return a picture as WebP with the same pixels; nothing if that is impossible."""
    try:
        with Image.open(path) as picture:
            if {"icc_profile", "gamma"} & picture.info.keys() or getattr(picture, "is_animated", False):
                return b""
            content = BytesIO()
            picture.convert("RGBA").save(content, "WEBP", lossless=True, quality=100, method=4)
            return content.getvalue()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return b""
