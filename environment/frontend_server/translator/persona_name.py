"""Pure: the forms of a name on pages, in addresses and on labels."""

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
    def initials(self) -> str:
        """First letters of the first and the last word."""
        words = self.name.split() or [self.name]
        return (words[0][:1] + words[-1][:1]).upper()
