"""A Ray cluster carries out the same jobs with the same results; needs Ray, and is skipped without it."""

import subprocess
import sys
import time
from contextlib import suppress

import pytest
from plausible_provider import PlausibleProvider

pytest.importorskip("ray", reason="pip install .[ray]")
psutil = pytest.importorskip("psutil")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from counting_provider import PRICES  # noqa: E402 - after the check for Ray

from ville.experiments.ray_engine import RayEngine  # noqa: E402

STARTING = 8.0
"""Seconds after which a node answers."""
STUDY = """\
base: base
steps: 700
seeds: 3
settings: {autosave: 60}
arms:
  plain: {}
  told: {interventions: [{step: 300, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
measures: [conversations, {news: zebra, name: know}]
"""
ASKING = """\
base: base
steps: 2
seeds: 3
settings: {max_concurrency: 4}
arms: {one: {}, two: {settings: {retrieval: paper}}}
"""


class RayNode:
    """A node of a cluster on this machine, bound to an address of the loopback."""

    def __init__(self, host, *where):
        own = [f"--node-ip-address={host}", "--num-cpus=1", "--disable-usage-stats", "--block"]
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", *where, *own]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        """End the node at once, with everything that it has started."""
        node = psutil.Process(self.process.pid)
        for each in (*node.children(recursive=True), node):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        self.process.wait()


@pytest.fixture
def nodes(free_port):
    """Two nodes and their address."""
    address = f"127.0.0.2:{free_port()}"  # Ray takes 127.0.0.1 for the address of the network
    started = [RayNode("127.0.0.2", "--head", f"--port={address.rpartition(':')[2]}", "--include-dashboard=false")]
    time.sleep(STARTING)
    started.append(RayNode("127.0.0.3", f"--address={address}"))
    time.sleep(STARTING)
    yield address, started
    for node in reversed(started):
        if node.process.poll() is None:
            node.kill()


def test_a_node_that_is_killed_costs_what_was_not_saved(desk, nodes):
    """In the middle of the study: tables and files are those of a study on one machine."""
    desk.run(STUDY, "whole")
    address, (_, other) = nodes
    engine, killed = RayEngine(address=address), []
    assert engine.free == 2

    def kill(jobs):
        if not killed and sum(job.state == "done" for job in jobs) > 1:
            killed.append(other.kill())

    results = desk.run(STUDY, engine=engine, watch=kill)
    assert killed
    assert {job.state for job in results.jobs} == {"done"}
    assert desk.table() == desk.table(name="whole")
    assert desk.files("study-told-s2") == desk.files("whole-told-s2")


def test_the_limits_hold_over_all_nodes(desk, server, monkeypatch):
    """Six runs at a time: never more calls are open than may be, and never more is spent."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    (desk.root / "prices.toml").write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m"}
    more = {"prices": str(desk.root / "prices.toml"), "embedder": "hashing", "answer_tokens": 500}
    desk.given.update(**model, **more)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    limit = 0.01
    results = desk.run(ASKING + f"budget: {limit}\n", engine=RayEngine(6))
    assert 0 < provider.cost <= limit
    assert provider.most_open <= 4
    assert "stopped" in {job.state for job in results.jobs}
    results = desk.run(ASKING + "budget: 5\n", engine=RayEngine(6))
    assert {job.state for job in results.jobs} == {"done"}
    assert provider.most_open <= 4
    assert max(provider.asked.values()) <= 6
