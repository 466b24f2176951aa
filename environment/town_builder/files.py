"""Writing files: whole or not at all, the same bytes on every system."""

from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with plain line ends, making the folder; a file that was there stays until the new one is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)
