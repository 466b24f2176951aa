"""Serves static files: cached for ever under an address with their version, and compressed."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.media_types import MediaTypes
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError, StaticFile

from translator.storage.static import static_copies
from translator.storage.static.static_files import ListedFile, listing

VERSIONED = re.compile(r"(?P<version>[0-9a-f]{12})/(?P<name>.*)", re.DOTALL)
LASTING = f"max-age={365 * 24 * 3600}, public, immutable"
TYPES = MediaTypes()


class StaticFiles:
    """Answers requests below STATIC_URL. Of files with the same name, the first folder's counts: users replace ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(settings.STATIC_URL):
            asked = _find(request.path_info.removeprefix(settings.STATIC_URL))
            response = _response(asked, request) if asked else None
            if response is not None:
                return response
        return self._get_response(request)


@dataclass(frozen=True)
class AskedFile:
    """A file that a browser asks for."""

    file: ListedFile
    is_lasting: bool
    """Whether its address has the version of these very files."""


def _find(address: str) -> AskedFile | None:
    """Return the file at an address below STATIC_URL, with or without a version."""
    known = listing()
    name, version = address, ""
    if name not in known.files and (versioned := VERSIONED.fullmatch(name)):
        name, version = versioned["name"], versioned["version"]
    if name not in known.files or not known.files[name].is_unchanged:
        known = listing(fresh=True)
    return AskedFile(known.files[name], version == known.version) if name in known.files else None


def _response(asked: AskedFile, request: HttpRequest) -> HttpResponse | None:
    """Return the smallest copy that the browser accepts; None if the file was deleted a moment ago."""
    file = asked.file
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": LASTING if asked.is_lasting else "no-cache",
        "Content-Type": _content_type(file),
    }
    path, encodings = file.path, {}
    try:
        if static_copies.is_picture(file):
            headers["Vary"] = "Accept"
            if "image/webp" in request.headers.get("Accept", "") and (webp := static_copies.as_webp(file)):
                path, headers["Content-Type"] = webp, "image/webp"
        elif compressed := static_copies.gzipped(file):
            encodings["gzip"] = str(compressed)
        served: HttpResponse = WhiteNoiseMiddleware.serve(
            StaticFile(str(path), list(headers.items()), encodings), request
        )
    except (MissingFileError, OSError):
        return None
    return served


def _content_type(file: ListedFile) -> str:
    found: str = TYPES.get_type(file.path.name)
    return f"{found}; charset=utf-8" if found.startswith("text/") else found
