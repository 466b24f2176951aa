"""Planning as in the paper, where everything is asked, unless a test says otherwise."""

import pytest


@pytest.fixture(autouse=True)
def _everything_is_asked(hamlet):
    hamlet.questions = "paper"
