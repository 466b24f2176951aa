"""Minds on the nodes of a Ray cluster; needs Ray, and is skipped without it, which test_district_steps.py is not."""

import sys
from importlib.util import find_spec

import pytest
from ray_nodes import RayNodes, new_token

from ville.cli import offline_command
from ville.simulation.running.run_summary import Summary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(find_spec("ray") is None, reason="pip install .[ray]"),
]


@pytest.fixture(autouse=True, scope="module")
def token():
    """A cluster of its own; Ray reads the token when it is imported."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in new_token().items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def offline(small_town, monkeypatch, capsys):
    """Run the command in the small town, whose steps take a minute; return exit code, output and faults."""
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))

    def run_it(*arguments):
        return offline_command.main([str(argument) for argument in arguments]), *capsys.readouterr()

    return run_it


@pytest.fixture
def nodes(free_port):
    """Return a cluster of two nodes, each with room for a district."""
    with RayNodes(free_port()) as nodes:
        nodes.start()
        nodes.start()
        yield nodes


def test_the_files_are_those_of_one_process(offline, small_town, nodes):
    """On two nodes, with saves between, resumed on one machine and again on two."""
    offline("-o", "base", "-t", "whole", "-s", 900, "--seed", 3)
    away = ("--engine", "ray", "--address", nodes.address)
    code, out, _ = offline("-o", "base", "-t", "parted", "-s", 500, "--seed", 3, "--autosave", 150, *away)
    assert (code, "2 districts: " in out) == (0, True), out
    assert offline("-o", "parted", "-t", "parted", "-s", 100)[0] == 0
    assert offline("-o", "parted", "-t", "parted", "-s", 300, *away)[0] == 0
    assert small_town.files("parted") == small_town.files("whole")


def test_a_node_that_dies_costs_what_was_not_saved(offline, small_town, nodes, monkeypatch):
    """The run ends with one line, and goes on from its last save to the same files."""
    offline("-o", "base", "-t", "whole", "-s", 600, "--seed", 3)
    count, left = Summary.count, iter(range(450))

    def killing(summary, report):
        if next(left, None) is None:
            nodes.kill(1)
        count(summary, report)

    with monkeypatch.context() as patch:
        patch.setattr(Summary, "count", killing)
        new = ("-o", "base", "-t", "parted", "-s", 600, "--seed", 3, "--autosave", 200)
        code, _, fault = offline(*new, "--engine", "ray", "--address", nodes.address)
    assert (code, "The node of a district has ended" in fault, len(fault.splitlines())) == (1, True, 1), fault
    assert offline("-o", "parted", "-t", "parted", "--until", "10:00")[0] == 0
    assert small_town.files("parted") == small_town.files("whole")


def test_what_cannot_be_is_said_before_anything_is_made(offline, small_town, monkeypatch):
    """In one line: a model, whose server is what people wait for; another schedule; no Ray."""
    monkeypatch.setenv("VILLE_FAST_MODEL", "m")
    new = ("-o", "base", "-t", "new", "-s", 1)
    away = (*new, "--engine", "ray")
    for arguments in (
        (*away, "--provider", "llamacpp"),
        (*away, "--schedule", "rooms"),
        (*new, "--districts", "2"),
    ):
        code, _, fault = offline(*arguments)
        assert (code, len(fault.splitlines())) == (1, 1), fault
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, fault = offline(*away)
    assert (code, "pip install .[ray]" in fault) == (1, True)
    assert not (small_town.root / "storage/new").exists()
