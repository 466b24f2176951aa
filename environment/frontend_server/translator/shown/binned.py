"""The bin as pages list it."""

from dataclasses import dataclass
from datetime import datetime

from translator.storage.runs.house import house
from translator.storage.runs.titles import title_of


@dataclass(frozen=True)
class BinEntry:
    """A deleted simulation."""

    name: str
    form: str
    title: str
    ends: datetime
    """When it is removed for good."""
    is_last: bool
    """Whether it is the last deleted one of its name, which alone can be restored."""
    is_taken: bool
    """Whether another one has its name now, so that it needs a new one."""


def bin_entries() -> list[BinEntry]:
    """Return what can be restored, the last deleted first."""
    found: list[BinEntry] = []
    for form, entry in house().binned():
        is_last = (entry.name, form) not in {(each.name, each.form) for each in found}
        title, is_taken = title_of(entry.folder, entry.name), (house().folder_of(form) / entry.name).exists()
        found.append(BinEntry(entry.name, form, title, entry.ends.astimezone(), is_last, is_taken))
    return found
