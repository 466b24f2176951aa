"""Write plan, places and character of everyone in a simulation at an earlier moment to a file, for pages.

`python -m ville.cli.past_minds NAME STEP --json FILE` computes the steps since the checkpoint before it again, in a
temporary folder, without a call to a model. The simulation is only read.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from ville.assembly.at_moment import town_at
from ville.console import run_shell
from ville.errors import ReverieError
from ville.json_types import JsonObject
from ville.settings import Settings, load_settings
from ville.storage.files import write_text
from ville.storage.folder.storage import find


def main() -> int:
    choice = _parser().parse_args()
    try:
        settings = load_settings({"fs_storage": choice.storage})
        write_text(choice.json, json.dumps(minds_at(settings, choice.name, choice.step)))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def minds_at(settings: Settings, name: str, at: str) -> JsonObject:
    """Return scratch and spatial memory of each persona at a moment of a saved simulation.

    Raises BadMoment if it cannot be reached, and StorageError.
    """
    root = find(settings.fs_storage, name).root
    past = asyncio.run(town_at(settings, root, at))
    states = {name: persona.state() for name, persona in past.town.personas.items()}
    return {name: {"scratch": each.scratch, "spatial_memory": each.spatial_memory} for name, each in states.items()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", metavar="NAME", help="a saved simulation")
    parser.add_argument("step", metavar="STEP", help="a step, or another notation of a moment")
    parser.add_argument("--json", type=Path, metavar="FILE", required=True, help="file to write")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    return parser


if __name__ == "__main__":
    run_shell(main)
