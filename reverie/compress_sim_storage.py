"""Makes a replay of a simulation: `python compress_sim_storage.py NAME` writes compressed_storage/NAME."""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "backend_server"))

import handover  # noqa: E402, F401 - it is found only now, and comes first
from archive.compression import compress  # noqa: E402
from archive.storage import check_name, find  # noqa: E402
from console import run_shell  # noqa: E402
from errors import ReverieError  # noqa: E402
from settings import load_settings  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a simulation in the storage folder")
    parser.add_argument("--out", help="what the replay shall be called; otherwise as the simulation")
    parser.add_argument("--storage", type=Path, help="where simulations are kept; otherwise as the settings say")
    parser.add_argument("--compressed", type=Path, help="where replays are kept; otherwise as the settings say")
    choice = parser.parse_args(arguments)
    try:
        check_name(choice.out or choice.name)
        settings = load_settings()
        storage = choice.storage or settings.fs_storage
        replays = choice.compressed or settings.fs_compressed_storage or storage.parent / "compressed_storage"
        target = replays / (choice.out or choice.name)
        compress(find(storage, choice.name).root, target)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"{target} is ready to be replayed.")
    return 0


if __name__ == "__main__":
    run_shell(main)
