"""A recording as a picture (PNG, SVG) or as a moving one (GIF, WebM)."""

import base64
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from PIL import Image

from ville.errors import BadArgument
from ville.sharing.shared_span import SharedSpan
from ville.sharing.town_scene import TownScene
from ville.storage.files import write_bytes
from ville.storage.temporary import temporary_folder

STILLS, CLIPS = (".png", ".svg"), (".gif", ".webm")
FFMPEG = "ffmpeg"
STILL_WIDTH, CLIP_WIDTH = 2240, 720
"""Pixels, at most."""
MOST_FRAMES = 120
PER_SECOND = 12
COLOURS = 255
"""Of a GIF; one more is for what has not changed since the frame before."""
ENCODED = 600
"""Seconds after which ffmpeg is given up."""


def check_picture(path: Path, endings: Sequence[str]) -> None:
    """Raise BadArgument for a picture that cannot be written, before it is drawn."""
    if path.suffix.lower() not in endings:
        raise BadArgument(f"{path} cannot be written: end its name with {' or '.join(endings)}.")
    if path.suffix.lower() == ".webm" and shutil.which(FFMPEG) is None:
        raise BadArgument(f"{path} needs ffmpeg, which is not installed. Install it, or write a .gif.")


def write_still(scene: TownScene, step: int, path: Path) -> None:
    """Write the picture of a step. Raises BadArgument for another ending than those of STILLS, and CannotWrite."""
    check_picture(path, STILLS)
    write_bytes(path, _svg(scene, step) if path.suffix.lower() == ".svg" else _png(scene.at(step)))


def write_clip(scene: TownScene, span: SharedSpan, path: Path) -> None:
    """Write steps of a span, evenly spaced. Raises BadArgument for an ending other than those of CLIPS, CannotWrite."""
    check_picture(path, CLIPS)
    frames = map(scene.at, range(span.first, span.last + 1, -(-span.steps // MOST_FRAMES)))
    write_bytes(path, _webm(frames) if path.suffix.lower() == ".webm" else _gif(list(frames)))


def _png(picture: Image.Image) -> bytes:
    content = BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()


def _svg(scene: TownScene, step: int) -> bytes:
    """Return a picture in which names are text, which stays sharp and can be edited."""
    picture = scene.at(step)
    width, height = picture.size
    names = [
        f'<text x="{x:.1f}" y="{y - scene.figure - 4:.1f}">{escape(name)}</text>'
        for name, (x, y) in scene.spots(step).items()
    ]
    href = f"data:image/png;base64,{base64.b64encode(_png(picture)).decode()}"
    style = "font: 600 13px sans-serif; text-anchor: middle; fill: #fffaf0; stroke: #2b2333; stroke-width: 3px"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<image href="{href}" width="{width}" height="{height}"/>',
        f'<g style="{style}; paint-order: stroke; stroke-linejoin: round">',
        *names,
        "</g>",
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode()


def _gif(frames: Sequence[Image.Image]) -> bytes:
    """Return a GIF. All frames share one palette, so that what stands still stays the same, and takes no room."""
    sample = Image.new("RGB", (frames[0].width, frames[0].height * len(frames[:: max(1, len(frames) // 4)])))
    for place, frame in enumerate(frames[:: max(1, len(frames) // 4)]):
        sample.paste(frame, (0, place * frame.height))
    palette = sample.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    content = BytesIO()
    first.save(content, "GIF", save_all=True, append_images=others, duration=1000 // PER_SECOND, loop=0)
    return content.getvalue()


def _webm(frames: Iterator[Image.Image]) -> bytes:
    """Return a WebM, made by ffmpeg. Raises BadArgument if it fails."""
    with temporary_folder() as folder:
        for number, frame in enumerate(frames):
            frame.crop((0, 0, frame.width - frame.width % 2, frame.height - frame.height % 2)).save(
                folder / f"{number:04}.png"
            )
        target = folder / "clip.webm"
        command = [FFMPEG, "-loglevel", "error", "-framerate", str(PER_SECOND), "-i", f"{folder}/%04d.png", "-c:v"]
        command += ["libvpx-vp9", "-b:v", "0", "-crf", "32", "-pix_fmt", "yuv420p", str(target)]
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=ENCODED)
        except subprocess.TimeoutExpired:
            raise BadArgument(
                f"ffmpeg took more than {ENCODED} seconds. Share a shorter part, or write a .gif."
            ) from None
        if done.returncode or not target.exists():
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BadArgument(f"ffmpeg could not make the clip ({reason}). Write a .gif.")
        return target.read_bytes()
