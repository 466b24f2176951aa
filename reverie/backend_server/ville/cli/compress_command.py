"""Write the replay of a simulation: `python compress_sim_storage.py NAME` writes compressed_storage/NAME.

From a script: `from compress_sim_storage import compress`, then `compress("NAME")`.
"""

import argparse
import sys
from pathlib import Path

from ville.errors import ReverieError
from ville.settings import load_settings
from ville.storage.compressed import compression
from ville.storage.folder.storage import check_name, find


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of a simulation")
    parser.add_argument("--out", help="name of the replay (default: that of the simulation)")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    choice = parser.parse_args(arguments)
    try:
        target = compress(choice.name, choice.out, storage=choice.storage, compressed=choice.compressed)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"Replay written: {target}")
    return 0


def compress(name: str, out: str | None = None, *, storage: Path | None = None, compressed: Path | None = None) -> Path:
    """Write the replay of a simulation and return its folder. Raises ReverieError; no folder is left behind then.

    Args:
        name: the simulation.
        out: name of the replay; by default that of the simulation.
        storage: folder of the simulations; by default from the settings.
        compressed: folder of the replays; by default from the settings.
    """
    check_name(out or name)
    settings = load_settings()
    simulations = storage or settings.fs_storage
    replays = compressed or settings.fs_compressed_storage or simulations.parent / "compressed_storage"
    target = replays / (out or name)
    compression.compress(find(simulations, name).root, target)
    return target
