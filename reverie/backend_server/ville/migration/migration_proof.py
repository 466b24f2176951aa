"""Proves what a migration has brought: everything opens, stands where it should, answers, and is shown."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ville.api.town_session import TownSession
from ville.command_lines import typed
from ville.errors import ReverieError
from ville.migration.migration_plan import MigrationPlan, Transfer, shared_folders
from ville.migration.recorded import Recorded
from ville.plain_text import quantity
from ville.settings import Settings
from ville.simulation.map_fit import TOLERANCE
from ville.storage.compressed.cast import read_compressed_cast
from ville.storage.compressed.compression import META_COPY, compress, read_master
from ville.storage.files import in_words_of
from ville.storage.folder.copying import copy_save
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find
from ville.storage.records.meta import read_meta_if_whole
from ville.storage.steps.frames import Frame, changed
from ville.storage.steps.step_store import StepStore
from ville.storage.temporary import temporary_folder
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.maze_files import load_maze

OPENS, WALLS, INTERVIEW, COMPRESSED, REPLAY = COLUMNS = ("opens", "in walls", "interview", "compressed again", "replay")
QUESTION = "What did you do today?"
THROWAWAY = "proof"


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    said: str
    """In a few words, for a table."""
    fault: str = ""
    """Fault and how it is put right, in one line; empty if all is well."""


@dataclass(frozen=True)
class Proof:
    """All checks of one simulation or replay, by column."""

    transfer: Transfer
    checks: Mapping[str, Check]

    @property
    def faults(self) -> list[str]:
        return list(dict.fromkeys(check.fault for check in self.checks.values() if check.fault))


def prove(plan: MigrationPlan, transfer: Transfer, settings: Settings) -> Proof:
    """Check what was brought. It is only read: it is opened and asked as a throwaway copy, by the rules."""
    before = _stamps(transfer.target)
    with temporary_folder() as made:
        if transfer.kind == "replay":
            checks = {WALLS: _walls(transfer, settings), REPLAY: _replay(transfer.target)}
        else:
            checks = _of_simulation(plan, transfer, settings, made)
    if _stamps(transfer.target) != before:
        fault = f"{transfer.target} was changed while it was checked. Close it in other programs, and try again."
        checks[OPENS] = Check("changed", fault)
    return Proof(transfer, checks)


def _of_simulation(plan: MigrationPlan, transfer: Transfer, settings: Settings, made: Path) -> dict[str, Check]:
    apart = replace(
        settings,
        fs_storage=made / "storage",
        fs_temp_storage=made / "temp",
        wallet_file=made / "wallet.sqlite3",
        provider="offline",
        use_openrouter=False,
        base_url="",
        model_file=None,
        embedder="hashing",
        embedding_model="",
        policy_store="none",
        re_embed=True,
        autosave=0,
    )
    again = made / "replays" / transfer.target.name
    checks = {WALLS: _walls(transfer, settings), **_opened(transfer, apart)}
    if not StepStore(transfer.target).shown():
        return {**checks, COMPRESSED: Check("no steps")}
    checks[COMPRESSED] = _checked(lambda: _compressed(plan, transfer, again))
    return {**checks, REPLAY: _replay(again)} if again.exists() else checks


def _checked(check: Callable[[], Check]) -> Check:
    try:
        return check()
    except ReverieError as fault:
        return Check("no", str(fault))


def _opened(transfer: Transfer, apart: Settings) -> dict[str, Check]:
    """Fork a copy of the save, compute a step, and ask someone."""
    checks: dict[str, Check] = {}
    source = apart.fs_storage / transfer.target.name
    try:
        with in_words_of(source, transfer.target), in_words_of(apart.fs_storage / THROWAWAY, transfer.target):
            step = SimulationFolder(transfer.target).meta.step
            copy_save(transfer.target, source)
            StepStore(transfer.target).copy(source, range(max(0, step - 1), step))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                session = TownSession(apart, transfer.target.name, THROWAWAY)
            with session as town:
                town.run(1)
                checks[OPENS] = Check("yes")
                if people := list(town.personas):
                    reply = town.interview(people[0], QUESTION)
                    fault = (
                        "" if reply.text else f"{transfer.target}: {people[0]} does not answer. Ask again in a fork."
                    )
                    checks[INTERVIEW] = Check("answers" if reply.text else "no", fault)
    except ReverieError as fault:
        checks[INTERVIEW if OPENS in checks else OPENS] = Check("no", str(fault))
    return checks


def _walls(transfer: Transfer, settings: Settings) -> Check:
    def check() -> Check:
        recorded = Recorded(transfer.target)
        name = recorded.meta.maze_name
        maze = load_maze(settings.assets / name / "matrix", name)
        share = recorded.share_in_walls(maze)
        inside = [] if recorded.is_replay else list(_inside_walls(transfer.target, maze))
        adopt = typed("town", "adopt", transfer.target.name, "--map", "FOLDER_OF_THAT_MAP")
        fix = f"Give it the map it was recorded on: {adopt}"
        if share > TOLERANCE:
            return Check(f"{share:.0%}", f"{transfer.target}: {share:.0%} of its steps lead through walls. {fix}")
        if inside:
            return Check("someone", f"{transfer.target}: {inside[0]} stands in a wall of {name}. {fix}")
        return Check("no one")

    return _checked(check)


def _inside_walls(root: Path, maze: Maze) -> Iterator[str]:
    for name, position in SimulationFolder(root).starting_positions().items():
        tile = Tile(*position)
        if tile not in maze or maze.is_wall(tile):
            yield name


def _compressed(plan: MigrationPlan, transfer: Transfer, again: Path) -> Check:
    """Compress a simulation again, and compare that with the replay that the old project has of it."""
    with in_words_of(again, transfer.target):
        compress(find(transfer.target.parent, transfer.target.name).root, again)
    old = [each for each in plan.of("replay") if each.source.name == transfer.source.name]
    if not old:
        return Check("yes")
    replay = max(old, key=lambda each: shared_folders(each.source, transfer.source))
    steps, differs = _difference(_frames(replay.target), _frames(again))
    if differs is None:
        return Check(f"same, {quantity(steps, 'step', 'steps')}")
    fault = (
        f"{transfer.target} shows something else in step {differs} than its replay {replay.target}. Both are kept; if "
        f"the replay is of an earlier run, make one anew: ville compress {transfer.target.name} --out NEW"
    )
    return Check(f"differs at {differs}", fault)


def _frames(replay: Path) -> Iterator[Frame]:
    """Yield what everyone shows in each step of a replay."""
    frames, _ = read_master(replay)
    frame: Frame = {}
    for step in range(max(frames, default=-1) + 1):
        frame = changed(frame, dict(frames.get(step, {})))
        yield frame


def _difference(one: Iterator[Frame], other: Iterator[Frame]) -> tuple[int, int | None]:
    """Return how many steps two replays have in common, and the first of these that differs; None if none does."""
    steps = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            return steps, steps
        steps += 1
    return steps, None


def _replay(root: Path) -> Check:
    """Read a replay as pages do."""

    def check() -> Check:
        read_meta_if_whole(root / META_COPY, root)
        frames, flaws = read_master(root)
        flaws += read_compressed_cast(root)[2]
        if flaws or not frames:
            wrong = flaws[0] if flaws else f"{root} holds no steps."
            fix = "Pages show the rest; make it anew from its simulation: ville compress NAME --out NEW"
            return Check(quantity(len(flaws), "flaw", "flaws"), f"{root}: {wrong} {fix}")
        return Check("opens")

    return _checked(check)


def _stamps(root: Path) -> Sequence[tuple[str, int, int]]:
    """Return name, size and time of every file."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
