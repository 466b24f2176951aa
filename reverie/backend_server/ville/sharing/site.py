"""Several shared recordings as a folder that is a web page: one file for each, and an index."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from ville.json_types import Json
from ville.sharing.html_file import HtmlFile
from ville.sharing.recording_file import SCRIPTS, RecordingFile, script_text, style_text
from ville.sharing.town_scene import TownScene
from ville.storage.files import write_text, writing

INDEX = "index.html"
PREVIEW_WIDTH = 560
PREVIEW_QUALITY = 60


@dataclass(frozen=True)
class SitePage:
    """A recording of a site, written."""

    found: RecordingFile
    size: int
    """Bytes."""


def write_site(files: Sequence[RecordingFile], folder: Path) -> Sequence[SitePage]:
    """Write each recording as NAME.html, then index.html. The folder is made if need be. Raises CannotWrite."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    pages = [_write_page(found, folder) for found in files]
    entries: list[Json] = [_entry(page) for page in pages]
    pictures = {f"town{place}": _preview(page.found) for place, page in enumerate(pages)}
    script, data = script_text(SCRIPTS / "site_index.js"), {"site": entries}
    write_text(folder / INDEX, HtmlFile("The Ville", script, style_text("viewer.css"), data, pictures).text())
    return pages


def _write_page(found: RecordingFile, folder: Path) -> SitePage:
    text = found.text()
    write_text(folder / found.name, text)
    return SitePage(found, len(text))


def _entry(page: SitePage) -> Json:
    recording = page.found.recording
    meta, span = recording.run.meta, recording.span
    return {
        "file": page.found.name,
        "title": recording.title,
        "begins": meta.time_of(span.first).isoformat(),
        "ends": meta.time_of(span.last).isoformat(),
        "megabytes": round(page.size / 1e6, 1),
        **page.found.counts,
    }


def _preview(found: RecordingFile) -> bytes:
    """Return a small picture of the town in the middle of the recording."""
    scene = TownScene(found.recording, found.assets, PREVIEW_WIDTH)
    span = found.recording.span
    content = BytesIO()
    scene.at((span.first + span.last) // 2).save(content, "WEBP", quality=PREVIEW_QUALITY)
    return content.getvalue()
