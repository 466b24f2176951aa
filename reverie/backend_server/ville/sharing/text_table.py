"""Texts of a shared file, each once: most of what people do and see is said many times."""

from collections.abc import Sequence


class TextTable:
    """Numbers texts in the order in which they first come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> Sequence[str]:
        """All texts, by their numbers."""
        return tuple(self._numbers)
