"""Pure: the forms of a name on pages, in addresses and on labels."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PersonaName:
    """The full name of a persona."""

    name: str

    @property
    def underscore(self) -> str:
        """In addresses and names of pictures."""
        return self.name.replace(" ", "_")

    @property
    def words(self) -> list[str]:
        """At least one; a name of blanks is its own."""
        return self.name.split() or [self.name]

    @property
    def first(self) -> str:
        return self.words[0]

    @property
    def initials(self) -> str:
        """First letters of the first and the last word."""
        return self.marks[0]

    @property
    def marks(self) -> list[str]:
        """Initials, then with more letters of the last word, then of the first one."""
        first, last = self.first, self.words[-1]
        pairs = [(first[:1], last[:end]) for end in range(1, len(last) + 1)]
        pairs += [(first[:end], last[:1]) for end in range(2, len(first) + 1)]
        return [(one[:1].upper() + one[1:]) + (other[:1].upper() + other[1:]) for one, other in pairs]


def unique_initials(names: Iterable[PersonaName]) -> Mapping[str, str]:
    """Return the initials of each name; those that several share get as many more letters as tell them apart.

    People whose first and last words are the same are numbered.
    """
    left = list(dict.fromkeys(names))
    found: dict[str, str] = {}
    for level in range(max((len(name.marks) for name in left), default=0)):
        marks = {name.name: name.marks[min(level, len(name.marks) - 1)] for name in left}
        counts = Counter([*marks.values(), *found.values()])
        found |= {name: mark for name, mark in marks.items() if counts[mark] == 1}
        left = [name for name in left if name.name not in found]
    return found | {name.name: f"{name.initials}{number}" for number, name in enumerate(left, 1)}
