"""The records of a step after those of the step before: what stays the same is neither parsed nor checked again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ville.storage.flaws import Flaw
from ville.storage.steps.frames import Frame, valid_frame


@dataclass(frozen=True)
class CheckedRecords:
    """Records as they were read, and what of them is valid."""

    records: Mapping[str, object]
    frame: Frame
    blocks: Sequence[bytes] = ()
    """The text that they were read from, as `hour_pack` parts it: a beginning, one for each person, and the rest."""

    def then(self, records: object) -> tuple["CheckedRecords", list[Flaw]]:
        """Return the records of another step, and their flaws."""
        if not isinstance(records, dict):
            frame, found = valid_frame(records)
            return CheckedRecords({}, frame), found
        known = {
            name: self.frame[name]
            for name, record in records.items()
            if name in self.frame and self.records.get(name) == record
        }
        new, found = valid_frame({name: record for name, record in records.items() if name not in known})
        both = {**known, **new}
        return CheckedRecords(records, {name: both[name] for name in records if name in both}), found

    def of(self, blocks: Sequence[bytes]) -> "CheckedRecords":
        """Return the same records, which have no flaw, with their text, if each has a block of its own."""
        return replace(self, blocks=blocks) if len(self.frame) == len(self.records) < len(blocks) else self

    def after(self, blocks: Sequence[bytes]) -> "CheckedRecords | None":
        """Return the records of another text; None if more than records has changed, or one of them has a flaw."""
        if not self.blocks or len(blocks) != len(self.blocks):
            return None
        names = list(self.records)
        pairs = enumerate(zip(blocks[: len(names) + 1], self.blocks, strict=False))
        changed = [place for place, (now, was) in pairs if now is not was and now != was]
        if changed and not 0 < changed[0] <= changed[-1] < len(names):
            return None
        new: dict[str, object] = {}
        for place in changed:
            try:
                found = json.loads(b'{"%b}' % blocks[place].rstrip(b","))
            except ValueError:
                return None
            if list(found) != [names[place - 1]]:
                return None
            new |= found
        frame, flaws = valid_frame(new)
        return None if flaws else CheckedRecords({**self.records, **new}, {**self.frame, **frame}, blocks)


NOTHING_CHECKED = CheckedRecords({}, {})
