"""Words side by side, as the tables write them."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def first_of(name: str) -> str:
    """The first word of a name."""
    return name.split(" ", maxsplit=1)[0]
