"""Writes the pictures that show people in a browser: sheets, profiles, portraits, atlas, speech bubble, favicon."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from town_builder.art.bubble import write_bubble
from town_builder.art.canvas import noise
from town_builder.art.favicon import write_favicon
from town_builder.art.people.generated_look import look_for
from town_builder.art.people.look import Look
from town_builder.art.people.pose import FRAME
from town_builder.art.people.sheet import portrait, profile, sheet
from town_builder.files import write_text

DIRECTIONS = ("down", "left", "right", "up")
"""The rows of a sheet."""
WALK = (0, 1, 2, 1)
"""The columns of a sheet in the order of a walk; column 1 stands."""
LONGEST_STEM = 60
"""UTF-8 bytes of a name that may become a file name as it is."""
PLAIN_NAME = re.compile(r"[^\W_](?:[^\W_]|-)*(?: (?:[^\W_]|-)+)*")
"""Letters, digits and hyphens, in words with single spaces between them."""


def file_stem(name: str) -> str:
    r"""The name of a person's files, without the ending; it always matches `[\w-]+`.

    A plain name (letters of any script, digits, hyphens, single spaces; at most 60 bytes) keeps all but its spaces,
    which become underscores: `Isabella Rodriguez` → `Isabella_Rodriguez`. Any other name keeps the characters that are
    allowed (at most 40 bytes of them) and gets a hyphen and eight hexadecimal digits that depend on the whole name, so
    that no two names share a file.
    """
    name = unicodedata.normalize("NFC", name)
    if PLAIN_NAME.fullmatch(name) and len(name.encode()) <= LONGEST_STEM:
        return name.replace(" ", "_")
    allowed = re.sub(r"[^\w-]", "", re.sub(r"\s+", "_", name)).encode()[:40].decode(errors="ignore")
    return f"{allowed or 'person'}-{int(noise('file', name) * 2**32):08x}"


def atlas() -> dict[str, Any]:
    """The frames of every sheet by name, in the array form that Phaser reads: four walks of four, four that stand."""
    frames = []
    for row, way in enumerate(DIRECTIONS):
        frames += [_frame(f"{way}-walk.{number:03}", column, row) for number, column in enumerate(WALK)]
        frames.append(_frame(way, WALK[1], row))
    return {"frames": frames, "meta": {"size": {"w": 3 * FRAME, "h": len(DIRECTIONS) * FRAME}, "scale": "1"}}


def write_characters(names: Iterable[str], looks: Mapping[str, Look], out_dir: Path) -> None:
    """Write all pictures for these people below `out_dir` (the browser's `assets` folder).

    Whoever has no look gets one from their name: characters/<stem>.png, characters/profile/<stem>.png,
    characters/portraits/<stem>.png. What all share is written too: characters/atlas.json, speech_bubble/, the favicon.
    """
    folder = out_dir / "characters"
    for name in names:
        look, stem = looks.get(name) or look_for(name), file_stem(name)
        sheet(look).save(folder / f"{stem}.png")
        profile(look).save(folder / "profile" / f"{stem}.png")
        portrait(look).save(folder / "portraits" / f"{stem}.png")
    write_text(folder / "atlas.json", json.dumps(atlas(), indent=1) + "\n")
    write_bubble(out_dir / "speech_bubble")
    write_favicon(out_dir)


def _frame(name: str, column: int, row: int) -> dict[str, Any]:
    return {
        "filename": name,
        "frame": {"w": FRAME, "h": FRAME, "x": column * FRAME, "y": row * FRAME},
        "anchor": {"x": 0.5, "y": 0.5},
    }
