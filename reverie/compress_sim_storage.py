"""Makes a replay of a simulation: `python compress_sim_storage.py NAME` writes compressed_storage/NAME."""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "backend_server"))

from archive.compression import compress  # noqa: E402 - it is found only now
from archive.storage import check_name, find  # noqa: E402
from errors import ReverieError  # noqa: E402

FRONTEND = HERE.parent / "environment" / "frontend_server"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a simulation in the storage folder")
    parser.add_argument("--out", help="what the replay shall be called; otherwise as the simulation")
    parser.add_argument("--storage", type=Path, default=FRONTEND / "storage", help="where simulations are kept")
    parser.add_argument(
        "--compressed", type=Path, default=FRONTEND / "compressed_storage", help="where replays are kept"
    )
    choice = parser.parse_args(arguments)
    target = choice.compressed / (choice.out or choice.name)
    try:
        check_name(choice.out or choice.name)
        compress(find(choice.storage, choice.name).root, target)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"{target} is ready to be replayed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
