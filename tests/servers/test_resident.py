"""The server's default answers fit the questions they are given."""

import pytest
from resident import question_of

from ville.persona.prompt_template.question import TEMPLATES


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.txt")), ids=lambda path: path.stem)
def test_a_question_is_known_by_its_text(path):
    """A request without a schema is recognised by what it says, and only as what it is."""
    body = {"messages": [{"role": "user", "content": path.read_text("utf-8")}]}
    assert question_of(body) == f"{path.parent.name}_{path.stem}"
