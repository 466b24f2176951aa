"""What can be typed at the prompt, written out in full."""

from collections.abc import Iterable

from simulation.commands.forms import FORMS, Blank


def completions(names: Iterable[str]) -> list[str]:
    """Every command, once for each person where it is about one; those of a number or a file end in a blank."""
    people = list(names)
    lines: list[str] = []
    for form in FORMS:
        if form.blank is Blank.PERSONA:
            lines.extend(f"{form.words} {name}" for name in people)
        else:
            lines.append(form.words if form.blank is Blank.NOTHING else f"{form.words} ")
    return lines
