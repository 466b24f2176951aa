"""Laws of the rules of a counterfactual, as they are read from a file."""

import json

import pytest

from ville.errors import CorruptFile
from ville.world.rules import TownRules


@pytest.mark.parametrize("until", ["Infinity", "-Infinity", "NaN", "1e400", "2.5", "true", '"9"', "null", "[]"])
def test_an_end_that_is_no_step_is_one_line(until):
    """For any content of a file from elsewhere."""
    values = json.loads(f'{{"pin": {{"Ada Stone": {{"recording": "whole", "until": {until}}}}}}}')
    with pytest.raises(CorruptFile, match="rules cannot be read") as raised:
        TownRules.read(values)
    assert len(str(raised.value).splitlines()) == 1
