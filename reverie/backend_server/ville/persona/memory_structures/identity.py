"""Identity of a persona, which changes at most once a day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ville.storage.dates import weekday_text

REQUIREMENT, DATE = "Daily plan requirement", "Current Date"
"""Labels of the last two lines of an identity."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Facts about a persona. Replaced on a new day, never changed."""

    name: str
    """Full name, unique in the simulation."""
    first_name: str
    last_name: str
    age: int
    innate: str
    """Innate traits, separated by commas."""
    learned: str
    """Learned traits."""
    currently: str
    """Present concerns and plans."""
    lifestyle: str
    """Times of sleeping, eating and getting up."""
    living_area: str
    """Home, as `world:sector:arena`."""
    daily_plan_req: str | None
    """Requirement of every day."""

    def text(self, today: date) -> str:
        """Return the eight lines at the head of prompts."""
        habits = {
            "Lifestyle": self.lifestyle,
            REQUIREMENT: self.daily_plan_req or "",
            DATE: weekday_text(today),
        }
        return f"{self.character}\n{_lines(habits)}"

    @property
    def character(self) -> str:
        """The first five of these lines: who the persona is, and its present concerns."""
        return _lines({
            "Name": self.name,
            "Age": self.age,
            "Innate traits": self.innate,
            "Learned traits": self.learned,
            "Currently": self.currently,
        })  # fmt: skip

    @property
    def brief(self) -> str:
        """Three of these lines: name, traits and present concerns."""
        return _lines({"Name": self.name, "Innate traits": self.innate, "Currently": self.currently})

    @property
    def concerns(self) -> str:
        """Two of these lines: name and present concerns."""
        return _lines({"Name": self.name, "Currently": self.currently})


def _lines(values: Mapping[str, object]) -> str:
    return "\n".join(f"{label}: {value}" for label, value in values.items())


def requirement_in(text: str) -> str:
    """Return what has to happen every day from the text of an identity; empty if it says nothing of it."""
    return text.partition(f"\n{REQUIREMENT}: ")[2].rpartition(f"\n{DATE}: ")[0]
