"""Pack the steps of a simulation, or write them as files of their own (`ville steps unpack NAME`).

A run packs each complete hour by itself, unless the setting `pack_steps` is false, and what the people of a large town
remember (`pack_people`); `pack` does so for a simulation of an older version. Either way, nothing changes: unpacked
files are byte for byte as they were. Of a recording, it is what people remember: its steps are in one file anyway.
"""

import argparse
import sys
from pathlib import Path

from ville.errors import ReverieError
from ville.plain_text import printable
from ville.settings import Settings, load_settings
from ville.storage.compressed.compressed_folder import find_compressed, is_recording
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find, is_simulation
from ville.storage.keeping.sizes import size_of, size_text
from ville.storage.records.lock import Lock, between_saves


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        print(printable(_done(choice)))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _done(choice: argparse.Namespace) -> str:
    """Pack or unpack, and return what to print. Raises a ReverieError."""
    settings = load_settings({"fs_storage": choice.storage} if choice.storage else {})
    if not is_simulation(settings.fs_storage, choice.name) and is_recording(settings.replays, choice.name):
        recording = find_compressed(settings.replays, choice.name)
        _pack_people(recording, settings) if choice.act == "pack" else recording.people.unpack()
        return _size(choice.name, recording.root)
    root = find(settings.fs_storage, choice.name).root
    with Lock(root):
        folder = find(settings.fs_storage, choice.name)
        with between_saves(root):
            _pack(folder, settings) if choice.act == "pack" else _unpack(folder)
    return _size(choice.name, root)


def _size(name: str, root: Path) -> str:
    files = sum(1 for path in root.rglob("*") if path.is_file())
    return f"'{name}' has {files:,} files now, {size_text(size_of(root))}."


def _pack(folder: SimulationFolder, settings: Settings) -> None:
    folder.steps.pack(folder.meta.step, fsync=True)
    _pack_people(folder, settings)


def _pack_people(folder: SimulationFolder, settings: Settings) -> None:
    if 0 < settings.pack_people <= len(folder.meta.persona_names):
        folder.people.pack(fsync=True)


def _unpack(folder: SimulationFolder) -> None:
    folder.steps.unpack()
    folder.people.unpack()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("act", choices=("pack", "unpack"), help="what to do")
    parser.add_argument("name", help="a saved simulation that no program has open")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    return parser
