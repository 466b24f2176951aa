"""Pure: how a person is called on pages, in addresses and on a label."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PersonaName:
    name: str

    @property
    def underscore(self) -> str:
        """As addresses and pictures name them."""
        return self.name.replace(" ", "_")

    @property
    def initials(self) -> str:
        """First letters of the first and the last word."""
        words = self.name.split() or [self.name]
        return (words[0][:1] + words[-1][:1]).upper()
