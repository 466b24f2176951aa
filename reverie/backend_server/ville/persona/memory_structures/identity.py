"""Who a persona is: what changes at most from one day to the next."""

from dataclasses import dataclass
from datetime import date

from ville.storage.dates import weekday_text


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Facts about a persona; on a new day replaced, never edited."""

    name: str
    """In full; nobody else in the simulation has it."""
    first_name: str
    last_name: str
    age: int
    innate: str
    """Traits one is born with, separated by commas."""
    learned: str
    """Traits one has come by."""
    currently: str
    """What is on their mind these days."""
    lifestyle: str
    """When they sleep, eat and get up."""
    living_area: str
    """Home, as `world:sector:arena`."""
    daily_plan_req: str | None
    """What every day has to hold."""

    def text(self, today: date) -> str:
        """The eight lines that stand at the head of every prompt."""
        lines = {
            "Name": self.name,
            "Age": self.age,
            "Innate traits": self.innate,
            "Learned traits": self.learned,
            "Currently": self.currently,
            "Lifestyle": self.lifestyle,
            "Daily plan requirement": self.daily_plan_req or "",
            "Current Date": weekday_text(today),
        }
        return "\n".join(f"{label}: {value}" for label, value in lines.items())
