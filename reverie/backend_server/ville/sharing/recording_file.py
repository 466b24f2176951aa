"""A recording as one HTML file that plays from a folder, without a server or a network."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path

from PIL import Image

from ville.home import PAGES
from ville.json_types import Json, JsonObject
from ville.sharing.html_file import HtmlFile
from ville.sharing.script_bundle import bundled
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.town_picture import PORTRAITS, SHEET, draw_town, sheet_picture, sprite_sheets, webp
from ville.sharing.town_places import named_places
from ville.sharing.translations import translations
from ville.storage.files import read_file
from ville.version import VERSION

SCRIPTS = PAGES / "static_dirs" / "js" / "shared"
STYLES = PAGES / "static_dirs" / "css"
LOCALE = PAGES / "locale"
IN_A_ROW = 16
"""Sprite sheets in a row of their common picture, as in `canvas_town.js`."""
MORNING = 7
"""Hour at which a file opens that begins in the night."""
MOST_PORTRAIT = 20_000
"""Bytes of a portrait."""


@dataclass(frozen=True)
class RecordingFile:
    """A shared recording with its pictures."""

    recording: SharedRecording
    assets: Path

    @property
    def name(self) -> str:
        """Usual name of the file."""
        return f"{self.recording.run.folder.name}.html"

    @cached_property
    def _content(self) -> JsonObject:
        return self.recording.as_json()

    @property
    def counts(self) -> Mapping[str, int]:
        """Numbers of what is in it: people, talks and memories; `private` are conversations that are not."""
        people, talks = self._content["people"], self._content["talks"]
        assert isinstance(people, list) and isinstance(talks, list)  # noqa: S101, PT018 - for mypy
        memories = sum(len(each.get("memories", ())) for each in people if isinstance(each, dict))
        shown = sum(1 for each in talks if isinstance(each, dict))
        return {"people": len(people), "talks": shown, "memories": memories, "private": self.recording.private}

    def text(self) -> str:
        """Return the file. Raises MapNotFound or BadMap, and CorruptFile."""
        maze_name = self.recording.run.meta.maze_name
        town = draw_town(self.assets, maze_name)
        shown: JsonObject = {
            **self._content,
            "people": self._people(),
            "places": named_places(self.assets, maze_name),
            "tile": town.tile,
            "opening": self.opening,
            "content": {**self.counts, "version": VERSION},
        }
        pictures = {"below": webp(town.below), "above": webp(town.above), "people": webp(self._sheets())}
        script = script_text(SCRIPTS / "shared_recording.js")
        return HtmlFile(self.recording.title, script, style_text("viewer.css"), {"recording": shown}, pictures).text()

    def _people(self) -> list[Json]:
        people = self._content["people"]
        assert isinstance(people, list)  # noqa: S101 - for mypy
        names = self.recording.people
        marks, portraits = initials(names), self._portraits(names)
        return [
            {**person, "initials": marks[name], "portrait": portraits[name]}
            for name, person in zip(names, people, strict=True)
            if isinstance(person, dict)
        ]

    def _portraits(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the portrait of each person as an address that holds it; empty without one."""
        sheets = sprite_sheets(self.assets, names, self.recording.cast)
        return {name: _portrait(sheets.get(name)) for name in names}

    def _sheets(self) -> Image.Image:
        """Return the sprite sheets of all people in one picture, in their order."""
        names, (width, height) = self.recording.people, SHEET
        sheets = sprite_sheets(self.assets, names, self.recording.cast)
        columns, rows = min(IN_A_ROW, len(names)), -(-len(names) // IN_A_ROW)
        common = Image.new("RGBA", (width * columns, height * rows))
        for place, name in enumerate(names):
            row, column = divmod(place, IN_A_ROW)
            common.paste(sheet_picture(sheets.get(name)), (column * width, row * height))
        return common

    @property
    def opening(self) -> int:
        """The step to open at: in the morning, if the recording begins before it."""
        meta, span = self.recording.run.meta, self.recording.span
        begin = meta.time_of(span.first)
        morning = begin.replace(hour=MORNING, minute=0, second=0)
        step = max(timedelta(), morning - begin) // timedelta(seconds=meta.sec_per_step)
        return step if step < span.steps else 0


def _portrait(sheet: Path | None) -> str:
    try:
        path = sheet.parent / PORTRAITS / sheet.name if sheet else None
        content = read_file(path, most=MOST_PORTRAIT) if path else b""
    except OSError:
        return ""
    return f"data:image/png;base64,{base64.b64encode(content).decode()}" if content else ""


def initials(names: Sequence[str]) -> Mapping[str, str]:
    """Return the first letters of each name; of the first word as many as tell it from those before."""
    found: dict[str, str] = {}
    for name in names:
        words = name.split() or [name]
        first, last = words[0], words[-1]
        marks = [first[:length] + last[:1] for length in range(1, max(1, len(first)) + 1)]
        found[name] = next((mark for mark in marks if mark not in found.values()), marks[-1])
    return found


def script_text(entry: Path) -> str:
    """Return a script with all that it imports, and with the translations of its texts."""
    script = bundled(entry)
    words = json.dumps(translations(LOCALE, script), ensure_ascii=False).replace("<", "\\u003c")
    return f"globalThis.villeWords = {words};\n{script}"


def style_text(*own: str) -> str:
    """Return the style of a shared file: that of all pages, its own, and what differs."""
    return "\n".join((STYLES / name).read_text("utf-8") for name in ("base.css", *own, "shared.css"))
