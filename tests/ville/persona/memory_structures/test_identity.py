"""Laws of identities."""

import json

from ville.persona.memory_structures.scratch import Scratch


def test_the_text_has_eight_labelled_lines(classic_scratch, at):
    """Name, age, traits, status, lifestyle, requirement and date, in this order."""
    identity = Scratch.load("Ada Stone", json.loads(classic_scratch)).identity
    assert identity.text(at().date()).splitlines() == [
        "Name: Ada Stone",
        "Age: 34",
        "Innate traits: kind",
        "Learned traits: Ada is a baker.",
        "Currently: Status: Ada plans.",
        "Lifestyle: Ada goes to bed at 11pm.",
        "Daily plan requirement: Ada bakes.",
        "Current Date: Monday February 13",
    ]
