"""Makes a replay of a simulation: `python compress_sim_storage.py NAME` writes compressed_storage/NAME.

From a script: `from compress_sim_storage import compress`, then `compress("NAME")`.
"""

import argparse
import sys
from pathlib import Path

from ville.errors import ReverieError
from ville.settings import load_settings
from ville.storage import compression
from ville.storage.storage import check_name, find


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a simulation in the storage folder")
    parser.add_argument("--out", help="what the replay shall be called; otherwise as the simulation")
    parser.add_argument("--storage", type=Path, help="where simulations are kept; otherwise as the settings say")
    parser.add_argument("--compressed", type=Path, help="where replays are kept; otherwise as the settings say")
    choice = parser.parse_args(arguments)
    try:
        target = compress(choice.name, choice.out, storage=choice.storage, compressed=choice.compressed)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"{target} is ready to be replayed.")
    return 0


def compress(name: str, out: str | None = None, *, storage: Path | None = None, compressed: Path | None = None) -> Path:
    """Write the replay of a simulation, called as the simulation or `out`, and return its folder.

    Folders that are not given are those of the settings. Raises a ReverieError; then there is no new folder.
    """
    check_name(out or name)
    settings = load_settings()
    simulations = storage or settings.fs_storage
    replays = compressed or settings.fs_compressed_storage or simulations.parent / "compressed_storage"
    target = replays / (out or name)
    compression.compress(find(simulations, name).root, target)
    return target
