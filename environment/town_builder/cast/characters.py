"""Write the pictures of people for browsers: sprite sheets, profiles, portraits, atlas, speech bubble, favicon."""

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
"""The rows of a sprite sheet."""
WALK = (0, 1, 2, 1)
"""The columns of a sprite sheet in walking order; column 1 is standing."""
LONGEST_STEM = 60
"""Maximum length, in UTF-8 bytes, of a name that is used as a file name unchanged."""
PLAIN_NAME = re.compile(r"[^\W_](?:[^\W_]|-)*(?: (?:[^\W_]|-)+)*")
"""Words of letters, digits and hyphens, separated by single spaces."""


def file_stem(name: str) -> str:
    r"""Return the file name of a person's pictures without extension; it always matches `[\w-]+`.

    A plain name (letters of any script, digits, hyphens, single spaces; at most 60 bytes) only has its spaces
    replaced by underscores: `Isabella Rodriguez` → `Isabella_Rodriguez`. Any other name is reduced to the allowed
    characters (at most 40 bytes) and gets a hyphen and an eight-digit hexadecimal hash of the whole name, so that
    different names have different files.
    """
    name = unicodedata.normalize("NFC", name)
    if PLAIN_NAME.fullmatch(name) and len(name.encode()) <= LONGEST_STEM:
        return name.replace(" ", "_")
    allowed = re.sub(r"[^\w-]", "", re.sub(r"\s+", "_", name)).encode()[:40].decode(errors="ignore")
    return f"{allowed or 'person'}-{int(noise('file', name) * 2**32):08x}"


def atlas() -> dict[str, Any]:
    """Return the named frames of every sprite sheet, in Phaser's array format."""
    frames = []
    for row, way in enumerate(DIRECTIONS):
        frames += [_frame(f"{way}-walk.{number:03}", column, row) for number, column in enumerate(WALK)]
        frames.append(_frame(way, WALK[1], row))
    return {"frames": frames, "meta": {"size": {"w": 3 * FRAME, "h": len(DIRECTIONS) * FRAME}, "scale": "1"}}


def write_characters(names: Iterable[str], looks: Mapping[str, Look], out_dir: Path) -> None:
    """Write all pictures of these people below `out_dir` (the browser's `assets` folder).

    People without a look get one generated from their name. Writes characters/<stem>.png,
    characters/profile/<stem>.png and characters/portraits/<stem>.png, and the shared files: characters/atlas.json,
    speech_bubble/ and the favicon.
    """
    folder = out_dir / "characters"
    for name in names:
        write_pictures(looks.get(name) or look_for(name), file_stem(name), folder)
    write_text(folder / "atlas.json", json.dumps(atlas(), indent=1) + "\n")
    write_bubble(out_dir / "speech_bubble")
    write_favicon(out_dir)


def write_pictures(look: Look, stem: str, folder: Path) -> None:
    """Write the pictures of a look below a folder: the sprite sheet last, because a look is there when its sheet is."""
    profile(look).save(folder / "profile" / f"{stem}.png")
    portrait(look).save(folder / "portraits" / f"{stem}.png")
    sheet(look).save(folder / f"{stem}.png")


def _frame(name: str, column: int, row: int) -> dict[str, Any]:
    return {
        "filename": name,
        "frame": {"w": FRAME, "h": FRAME, "x": column * FRAME, "y": row * FRAME},
        "anchor": {"x": 0.5, "y": 0.5},
    }
