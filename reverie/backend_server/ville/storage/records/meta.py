"""`reverie/meta.json`: what a simulation is and how far it has come."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from ville.errors import CorruptFile
from ville.json_types import Json, JsonObject
from ville.storage.dates import date_text, parse_date, parse_time, time_text
from ville.storage.files import read_object, read_object_if_whole
from ville.storage.flaws import IMPOSSIBLE, Flaw, flaws, name_of, whole_file
from ville.storage.shapes import FullMetaShape, GameDate, MetaShape

META = "reverie/meta.json"
LAST_MOMENT = datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001 - game time has no zone


@dataclass(frozen=True)
class Meta:
    """The state of a simulation as a whole, between two steps."""

    fork_sim_code: str
    start_date: date
    curr_time: datetime
    """Game time of the next step."""
    sec_per_step: int
    """Game seconds."""
    maze_name: str
    persona_names: tuple[str, ...]
    """In the order in which moves are decided."""
    step: int
    """The next one."""

    @property
    def start(self) -> datetime:
        """Game time of step 0, also of simulations that did not begin at midnight."""
        return self.curr_time - timedelta(seconds=self.step * self.sec_per_step)

    def time_of(self, step: int) -> datetime:
        """Return the game time of a step, at most the end of the year 9999."""
        try:
            return self.start + timedelta(seconds=step * self.sec_per_step)
        except OverflowError:
            return LAST_MOMENT

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file, its keys in the order of docs/storage.md."""
        return {
            "fork_sim_code": self.fork_sim_code,
            "start_date": date_text(self.start_date),
            "curr_time": time_text(self.curr_time),
            "sec_per_step": self.sec_per_step,
            "maze_name": self.maze_name,
            "persona_names": list(self.persona_names),
            "step": self.step,
        }


def read_meta(path: Path) -> Meta:
    """Read the meta file of a simulation that is to run. Raises CorruptFile naming the first invalid key."""
    return checked_meta(read_object(path), str(path))


def checked_meta(values: JsonObject, file: str) -> Meta:
    """Return the content of a meta file. Raises CorruptFile naming the first invalid key."""
    if found := flaws(FullMetaShape, values):
        key = str(found[0].keys[0])
        if key not in values:
            raise _corrupt(found[0].of(file))
        template = "%(what)s It is %(value).60r. Correct it, or restore the file."
        raise CorruptFile(template, what=found[0].of(file), value=values[key])
    return _meta(values, file)


def read_meta_if_whole(path: Path, root: Path) -> Meta:
    """Read the meta file of a simulation that is only shown; the keys for a fork may be missing. Raises CorruptFile."""
    values = read_object_if_whole(path, root)
    found = [whole_file(path)] if values is None else flaws(MetaShape, values)
    if values is None or found:
        raise _corrupt(found[0].of(name_of(path, root)))
    return _meta(values, name_of(path, root))


def _meta(values: JsonObject, file: str) -> Meta:
    checked = MetaShape.model_validate(values)
    now = parse_time(checked.curr_time)
    try:
        start = now - timedelta(seconds=checked.step * checked.sec_per_step)
    except OverflowError:
        raise _corrupt(Flaw(("step",), IMPOSSIBLE, file)) from None
    given, origin = values.get("start_date"), values.get("fork_sim_code")
    return Meta(
        fork_sim_code=origin if isinstance(origin, str) else "",
        start_date=parse_date(given) if isinstance(given, str) and not flaws(GameDate, given) else start.date(),
        curr_time=now,
        sec_per_step=checked.sec_per_step,
        maze_name=checked.maze_name,
        persona_names=tuple(checked.persona_names),
        step=checked.step,
    )


def _corrupt(flaw: Flaw) -> CorruptFile:
    return CorruptFile("%(what)s Restore it.", what=flaw)
