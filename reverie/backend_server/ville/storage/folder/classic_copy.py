"""A copy of a simulation in the files of the released code, for engines that know no others."""

from pathlib import Path

from ville.errors import SimulationExists
from ville.storage.files import compact, write_text, writing
from ville.storage.folder.storage import copy_whole
from ville.storage.folder.vector_files import LENGTHS, VectorFiles
from ville.storage.new_folder import new_folder
from ville.storage.records.memory_files import EMBEDDINGS, FORMER, PERSONAS, VECTORS
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.vector_rows import as_listed
from ville.storage.steps.step_store import StepStore


def write_classic(source: Path, target: Path) -> None:
    """Copy the last save of a simulation to a new folder: all vectors are in embeddings.json, and nothing is packed.

    Raises StorageError.
    """
    if target.exists():
        raise SimulationExists("%(folder)s is already there. Choose another name, or remove it.", folder=target)
    with new_folder(target) as folder:
        copy_whole(source, folder)
        StepStore(folder).unpack()
        PeopleFiles(folder).unpack()
        vectors = VectorFiles(folder, folder / "reverie")
        names = [path.name for part in (PERSONAS, FORMER) for path in (folder / part).glob("[!.]*") if path.is_dir()]
        found = {name: vectors.read(name) for name in names}
        (folder / LENGTHS).unlink(missing_ok=True)
        for name, members in found.items():
            for memory in (folder / part / name for part in (PERSONAS, FORMER)):
                _write_listed(memory, {text: as_listed(vector) for text, vector in members.items()})


def _write_listed(memory: Path, listed: dict[str, list[float]]) -> None:
    if not memory.exists():
        return
    write_text(memory / EMBEDDINGS, compact(listed))
    with writing(memory / VECTORS):
        (memory / VECTORS).unlink(missing_ok=True)
