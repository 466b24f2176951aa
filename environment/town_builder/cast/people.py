"""Make base simulations and history files from a people file."""

from pathlib import Path, PurePosixPath

from town_builder.cast.base_simulation import simulation_files
from town_builder.cast.cast import Cast
from town_builder.cast.cast_file import load_cast
from town_builder.cast.checks import cast_problems
from town_builder.cast.history import history_file
from town_builder.cast.town_match import town_problems
from town_builder.files import write_text
from town_builder.grid.compile import compile_plan
from town_builder.plan.town_file import load_plan
from town_builder.problems import TownError
from town_builder.stamps import load_stamps

STORAGE = PurePosixPath("storage")
ASSETS = PurePosixPath("static_dirs/assets")


def load_people(path: Path, town: Path | None = None) -> Cast:
    """Return a checked cast. If a town file is given, the cast must fit it. Raises TownError."""
    cast = load_cast(path)
    problems = list(cast_problems(cast))
    if town:
        problems.extend(town_problems(cast, compile_plan(load_plan(town), load_stamps()).grids))
    if problems:
        raise TownError(problems)
    return cast


def people_files(cast: Cast) -> dict[PurePosixPath, str]:
    """Return the files of all bases and histories: path below the frontend server → content."""
    files: dict[PurePosixPath, str] = {}
    for base in cast.bases:
        files |= {STORAGE / path: content for path, content in simulation_files(base, cast).items()}
        if base.history:
            files[ASSETS / cast.maze_name / base.history] = history_file(base, cast)
    return files


def write_people(cast: Cast, out: Path) -> list[str]:
    """Write all files below `out`. Return the unexpected files that are already there."""
    for path, content in people_files(cast).items():
        write_text(out / path, content)
    return _unexpected_files(cast, out)


def differences(cast: Cast, out: Path) -> list[str]:
    """Return what a build would change below `out`, one line per file; empty if everything is up to date."""
    changed = [
        f"{path}: {_state(out / path)}"
        for path, content in people_files(cast).items()
        if not _same(out / path, content)
    ]
    return [*changed, *_unexpected_files(cast, out)]


def _same(path: Path, content: str) -> bool:
    return path.is_file() and path.read_bytes() == content.encode("utf-8")


def _state(path: Path) -> str:
    return "differs from the people file; build again" if path.is_file() else "missing; build again"


def _unexpected_files(cast: Cast, out: Path) -> list[str]:
    """Return files of a base that the people file does not produce, such as the folder of a removed person."""
    wanted = {out / path for path in people_files(cast)}
    folders = [out / STORAGE / base.name for base in cast.bases]
    found = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file() and path not in wanted)
    return [f"{path.relative_to(out).as_posix()}: not produced by the people file; delete it" for path in found]
