"""Studies of the small town."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inline_engine import InlineEngine
from simulation_content import content_of

from ville.settings import load_settings
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.batch import never
from ville.studies.reading.study_file import read_study
from ville.studies.results import StudyResults
from ville.studies.runner import StudyRunner
from ville.studies.study import Study


@dataclass(frozen=True)
class StudyDesk:
    """Where studies of the small town are written, read and run."""

    root: Path
    given: dict[str, Any]

    @property
    def file(self) -> Path:
        return self.root / "study.yaml"

    def write(self, text: str) -> Path:
        self.file.write_text(text, "utf-8")
        return self.file

    def read(self, text: str, name: str = "") -> Study:
        return read_study(self.write(text), name=name, settings=self.given)

    def folder(self, name: str = "study") -> StudyFolder:
        return StudyFolder(load_settings(self.given).studies, name)

    def run(
        self, text: str, name: str = "", *, engine: Any = None, stop: Callable[[], bool] = never, watch: Any = None
    ) -> StudyResults:
        study = self.read(text, name)
        folder = self.folder(study.name)
        folder.create()
        StudyRunner(study, folder, self.given).run(engine or InlineEngine(), watch or (lambda _: None), stop)
        return StudyResults(folder)

    def table(self, file: str = "runs.csv", name: str = "study") -> str:
        return self.folder(name).read_table(file)

    def files(self, simulation: str) -> dict[str, bytes]:
        """The files of a run, without those that tell of its origin and of its saves."""
        files = content_of(self.root / "storage" / simulation)
        return {name: content for name, content in files.items() if "interventions" not in name}


def desk_at(root: Path) -> StudyDesk:
    """Return the desk in the folder of a small town."""
    folders = {"fs_storage": root / "storage", "fs_temp_storage": root / "temp", "assets": root / "assets"}
    return StudyDesk(root, {name: str(path) for name, path in folders.items()} | {"fsync": False})


@pytest.fixture
def desk(small_town) -> StudyDesk:
    return desk_at(small_town.root)


@pytest.fixture(scope="session")
def make_desk() -> Callable[[Path], StudyDesk]:
    """Return a desk in the folder of a small town, for studies that several tests look at."""
    return desk_at
