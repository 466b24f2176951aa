"""The default answers of the chat server fit the questions."""

import pytest
from default_answers import question_of

from ville.persona.prompt_template.question import TEMPLATES

ALL = sorted(path for folder in (TEMPLATES, TEMPLATES / "paper") for path in folder.glob("*/*.txt"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(TEMPLATES).with_suffix("")))
def test_a_question_is_recognised_by_its_text(path):
    """A request without a schema is matched to its own template."""
    body = {"messages": [{"role": "user", "content": path.read_text("utf-8")}]}
    assert question_of(body) == f"{path.parent.name}_{path.stem}"
