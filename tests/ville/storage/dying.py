"""Run as a script: save a simulation, recover it, or copy an earlier save, and die just before a file operation.

Each line of the input is a list: what to do, the simulation's folder, how many file operations may still be done. It is
done in a fork, whose exit code is printed.
"""

import json
import os
import struct
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from ville.storage.folder.copying import copy_past
from ville.storage.folder.replacements import replace_simulation
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.keeping.housekeeping import Housekeeping
from ville.storage.new_folder import new_folder
from ville.storage.past.checkpoint_writer import SaveOrigin
from ville.storage.past.checkpoints import SetUp, stems
from ville.storage.records.kept_vectors import kept_file
from ville.storage.records.lock import Lock
from ville.storage.records.persona_files import PersonaState

DEATH = 9
ROW = struct.pack("<2f", 0, 1)
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def untouched(folder: SimulationFolder) -> dict[str, PersonaState]:
    """Everybody as they are on disk."""
    states = {}
    for name in folder.meta.persona_names:
        files = folder.read_persona(name)
        states[name] = PersonaState(
            files.scratch, files.spatial_memory, json.dumps(files.nodes), {}, files.kw_strength, files.last_accessed
        )
    return states


def save(root: Path, packs: int = 0) -> None:
    """One that changes some files of everybody, adds new ones and appends vectors."""
    folder = SimulationFolder(root)
    folder.packs_people = packs
    states = {
        name: replace(state, scratch={**state.scratch, "vision_r": 4}, new_embeddings={"b": ROW})
        for name, state in untouched(folder).items()
    }
    later = folder.meta.curr_time + timedelta(seconds=20)
    folder.save(replace(folder.meta, step=2, curr_time=later), states, {"run.json": {"seed": 1}})


def save_packed(root: Path) -> None:
    """The same, of people whose files are packed then."""
    save(root, packs=1)


def keep_two(root: Path) -> None:
    """Save with a checkpoint, and keep the last two."""
    folder = SimulationFolder(root)
    folder.checkpoints.keep = 2
    last, there = folder.meta, stems(root)[-1]
    later = replace(last, step=last.step + 10, curr_time=last.curr_time + timedelta(seconds=100))
    states = {
        name: replace(state, scratch={**state.scratch, "vision_r": later.step}, new_embeddings={str(later.step): ROW})
        for name, state in untouched(folder).items()
    }
    origin = SaveOrigin(0, 0, since=there, made_by=[SetUp(step=last.step)])
    folder.save(later, states, {"run.json": {"seed": later.step}}, origin=origin)


def branch(root: Path) -> None:
    """Copy what was saved at the first checkpoint."""
    start = stems(root)[0]
    with new_folder(root.with_name("branch")) as folder:
        copy_past(root, folder, start, end=start)


def change_embedder(root: Path) -> None:
    """Let vectors of another embedder be in use, some of which were put aside earlier."""
    folder = SimulationFolder(root)
    names = folder.meta.persona_names
    before = {kept_file("hashing", name): folder.vectors.read(name) for name in names}
    now = {name: {**folder.kept_vectors("paid", name), "b": [3.0]} for name in names}
    used = [kept_file("paid", name) for name in names]
    folder.replace_embeddings(now, {"run.json": {"embedder": "paid"}}, before, in_use=used)


def unpack(root: Path) -> None:
    SimulationFolder(root).people.unpack()


def recover(root: Path) -> None:
    SimulationFolder(root).recover()


def house(root: Path) -> Housekeeping:
    around = root.parent.parent
    return Housekeeping(root.parent, around / "recordings", around / "studies", around / "temp", around / "known.txt")


def rename(root: Path) -> None:
    house(root).rename(root.name, "party")


def put_in_bin(root: Path) -> None:
    house(root).delete(root.name)


def restore(root: Path) -> None:
    house(root).restore(root.name)


def replace_it(root: Path) -> None:
    with Lock(root):
        replace_simulation(root)


def die_after(operations: int, root: str) -> None:
    """Count what changes files below a folder, and be gone before one too many."""
    done = 0

    def hook(event: str, arguments: tuple) -> None:
        nonlocal done
        writes = event in CHANGES or (event == "open" and arguments[1] not in {"r", None})
        if writes and str(arguments[0]).startswith(str(Path(root).parent)):
            done += 1
            if done > operations:
                os._exit(DEATH)

    sys.addaudithook(hook)


if __name__ == "__main__":
    deeds = {"save": save, "recover": recover, "keep_two": keep_two, "branch": branch, "embedder": change_embedder}
    deeds |= {"save_packed": save_packed, "unpack": unpack}
    deeds |= {"rename": rename, "bin": put_in_bin, "restore": restore, "replace": replace_it}
    for line in sys.stdin:
        deed, folder, left = json.loads(line)
        if os.fork() == 0:
            die_after(left, folder)
            deeds[deed](Path(folder))
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)  # noqa: T201 - it is read
