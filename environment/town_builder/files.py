"""Write files atomically, with the same bytes on every operating system."""

from pathlib import Path


def write_text(path: Path, text: str) -> None:
    r"""Write UTF-8 with `\n` line ends; create the folder. An existing file is replaced only by a complete one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)
