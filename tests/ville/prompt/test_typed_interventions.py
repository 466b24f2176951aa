"""Rules of a counterfactual, as they are typed at the prompt."""

import pytest

from ville.errors import BadIntervention
from ville.prompt.dialogues import read_rule


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ("freeze Ada Stone", {"rule": "freeze", "who": "Ada Stone"}),
        ("FREEZE Ada Stone OFF", {"rule": "freeze", "who": "Ada Stone", "on": False}),
        ("cut Ada, Ben Reed", {"rule": "cut", "who": "Ada", "other": "Ben Reed"}),
        ("cut Ada and Ben Reed off", {"rule": "cut", "who": "Ada", "other": "Ben Reed", "on": False}),
        ("silence hobbs cafe > cafe", {"rule": "silence", "where": "hobbs cafe > cafe"}),
        ("swap Ada to gpt-5-mini", {"rule": "swap", "who": "Ada", "model": "gpt-5-mini"}),
        ("swap Ada off", {"rule": "swap", "who": "Ada", "on": False}),
        ("pin Ada", {"rule": "pin", "who": "Ada"}),
        ("pin Ada to two_days", {"rule": "pin", "who": "Ada", "recording": "two_days"}),
    ],
)
def test_a_typed_rule_is_an_intervention(typed, fields):
    """With the fields that were typed, and no others."""
    found = read_rule(typed).model_dump(exclude_defaults=True)
    assert found == fields


@pytest.mark.parametrize("typed", ["freeze", "cut Ada", "swap Ada", "silence off", "magic Ada", "off"])
def test_half_a_rule_is_refused(typed):
    with pytest.raises(BadIntervention):
        read_rule(typed)
