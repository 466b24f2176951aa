"""The path of a clone may contain blanks and letters of any alphabet."""

import json

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("clone", ["Mein Städtchen – мой городок (2)"], indirect=True)
def test_both_servers_start_in_any_folder(furnished, free_port):
    """`start.py` prints its help, starts the environment server and the backend, and the backend saves."""
    assert "--headless" in str(furnished.start("--help"))
    outcome = furnished.start("--prompt", "--no-browser", "--port", str(free_port()), "--name", "mine")
    assert outcome.code == 0, outcome
    assert "Watch the town at http://127.0.0.1:" in str(outcome)
    meta = json.loads((furnished.storage / "mine" / "reverie" / "meta.json").read_text("utf-8"))
    assert meta["persona_names"]
