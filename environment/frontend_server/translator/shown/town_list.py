"""A list of simulations as pages show it: a few of them, the newest, found by words and tags."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from translator.forms import ListQuery
from translator.shown.listed import Listed
from ville.storage.keeping.listing import is_found, tag_text

FEW = 6
"""Simulations that are shown at first."""
MORE = 24
"""Those that are shown in addition when a reader wants more."""
MOST_TAGS = 12
"""Tags that are offered, the most frequent."""


@dataclass(frozen=True)
class TownList:
    """The part of a list that is shown."""

    form: str
    all: Sequence[Listed]
    query: ListQuery
    with_notes: bool
    """Whether it is for those who may act: notes are theirs."""

    @cached_property
    def found(self) -> list[Listed]:
        return [each for each in self.all if self._has_tag(each) and is_found(self.query.search, self._texts(each))]

    @property
    def shown(self) -> list[Listed]:
        return self.found[: self.query.shown or FEW]

    @property
    def more(self) -> str:
        """Return the end of the address that shows more; empty if all are shown."""
        shown = len(self.shown)
        return self._address(shown=shown + MORE) if len(self.found) > shown else ""

    @property
    def left(self) -> int:
        return min(MORE, len(self.found) - len(self.shown))

    @property
    def is_long(self) -> bool:
        """Return whether there are so many that a reader may want to search."""
        return len(self.all) > FEW or bool(self.tags)

    @cached_property
    def tags(self) -> list[dict[str, object]]:
        """Return the tags to group by: each with its number of simulations and the end of its address."""
        counts = Counter(tag for each in self.all for tag in each.tags)
        return [
            {"tag": tag, "count": count, "address": self._address(tag=tag), "is_chosen": tag == self.query.tag}
            for tag, count in counts.most_common(MOST_TAGS)
        ]

    @property
    def everything(self) -> str:
        """Return the end of the address without a tag."""
        return self._address(tag="")

    def _has_tag(self, each: Listed) -> bool:
        return not self.query.tag or self.query.tag in each.tags

    def _texts(self, each: Listed) -> list[str]:
        people = [*each.entry.meta.persona_names, *each.entry.cast]
        note = [each.note] if self.with_notes else []
        return [each.sim_code, each.title, *map(tag_text, each.tags), *people, *note]

    def _address(self, *, tag: str | None = None, shown: int = 0) -> str:
        values = {
            "search": self.query.search,
            "tag": self.query.tag if tag is None else tag,
            "shown": str(shown) if shown else "",
        }
        return "?" + urlencode({key: value for key, value in values.items() if value})
