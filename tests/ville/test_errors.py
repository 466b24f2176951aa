"""Laws of the error tree."""

import inspect

from ville import errors
from ville.errors import ReverieError


def tree(kind: type[ReverieError], depth: int = 0) -> list[tuple[int, str]]:
    return [(depth, kind.__name__)] + [line for below in kind.__subclasses__() for line in tree(below, depth + 1)]


def drawn() -> list[tuple[int, str]]:
    """Return the tree in the module's docstring, as depths and names."""
    lines = inspect.getdoc(errors).split("\n\n", 1)[1].splitlines()
    stems = [line.split("  ")[0] if line[0].isalpha() else line for line in lines]
    words = [stem.replace("│", " ").replace("├── ", "    ").replace("└── ", "    ") for stem in stems]
    return [((len(word) - len(word.lstrip())) // 4, word.split()[0]) for word in words]


def test_the_drawn_tree_is_the_real_one():
    """The docstring lists every class under its parent, in the order of the file."""
    assert drawn() == tree(ReverieError)


def test_a_message_is_one_line():
    """Whatever text an error is given."""
    assert str(ReverieError("storage/a.json:3 is no JSON:\n  mend\tthat line.")) == (
        "storage/a.json:3 is no JSON: mend that line."
    )


def test_every_error_is_one_sentence():
    """Every class explains itself in one sentence."""
    for _, name in tree(ReverieError):
        sentence = inspect.getdoc(getattr(errors, name)) or ""
        assert sentence.endswith(".")
        assert "\n" not in sentence
