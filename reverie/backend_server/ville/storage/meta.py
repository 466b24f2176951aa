"""`reverie/meta.json`: what a simulation is and how far it has come."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.storage.dates import date_text, parse_date, parse_time, time_text
from ville.storage.files import read_object

LAST_STEP = 10**9 - 1
NAME = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]*")
KEYS: dict[str, type] = {
    "fork_sim_code": str,
    "start_date": str,
    "curr_time": str,
    "sec_per_step": int,
    "maze_name": str,
    "persona_names": list,
    "step": int,
}


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
    """In the order in which everybody takes their turn."""
    step: int
    """The next one."""

    def as_json(self) -> dict[str, Any]:
        """In the classic order of keys."""
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
    """Raises CorruptFile naming the first key that is missing or says something impossible."""
    values = read_object(path)
    for key, kind in KEYS.items():
        if type(values.get(key)) is not kind:
            raise CorruptFile(f"{path}: {key} is {values.get(key)!r}, not a {kind.__name__}: write one.")
    if values["sec_per_step"] < 1 or not 0 <= values["step"] <= LAST_STEP:
        raise CorruptFile(
            f"{path}: sec_per_step must be at least 1, step at least 0 and at most {LAST_STEP}: correct them."
        )
    try:
        start, now = parse_date(values["start_date"]), parse_time(values["curr_time"])
    except CorruptFile as fault:
        raise CorruptFile(f"{path}: {fault}") from None
    if not NAME.fullmatch(values["maze_name"]):
        raise CorruptFile(f"{path}: maze_name {values['maze_name']!r} cannot be a folder: name a map among the assets.")
    names = tuple(values["persona_names"])
    if len(set(names)) < len(names) or not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
        raise CorruptFile(f"{path}: persona_names must be different names that can be folders: mend the list.")
    rest = {key: values[key] for key in ("fork_sim_code", "sec_per_step", "maze_name", "step")}
    return Meta(start_date=start, curr_time=now, persona_names=names, **rest)
