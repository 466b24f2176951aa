"""Names of personas, as users type them."""

from collections.abc import Sequence

from ville.errors import UnknownPersona


def find_persona(text: str, names: Sequence[str]) -> str:
    """Return the name of the persona meant by a full name, or by part of a name if only one fits. Raises
    UnknownPersona.
    """
    lowered = text.lower()
    exact = [name for name in names if name.lower() == lowered]
    part = [name for name in names if f" {lowered} " in f" {name.lower()} "]
    found = [text] if text in names else exact or part
    if len(found) != 1:
        problem = f"'{text}' is ambiguous" if found else f"No persona is called '{text}'"
        raise UnknownPersona(f"{problem}. Choose one of: {', '.join(found or names)}")
    return found[0]
