"""What the prompt completes."""

from simulation.commands.completion import completions
from simulation.commands.forms import FORMS, Blank
from simulation.commands.parse import parse

NAMES = ["Ada Stone", "Ben Reed"]


def test_every_completion_is_a_command_or_its_beginning():
    """What needs nothing more can be given as it stands, for everybody; what does ends in a blank."""
    whole = [line for line in completions(NAMES) if not line.endswith(" ")]
    assert all(parse(line, NAMES) for line in whole)
    assert sum("Ben Reed" in line for line in whole) == sum(form.blank is Blank.PERSONA for form in FORMS)
    assert {line.strip() for line in completions(NAMES)} >= {form.words for form in FORMS if form.blank is Blank.SPAN}
