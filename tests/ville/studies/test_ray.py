"""A Ray cluster carries out the same jobs with the same results; needs Ray, and is skipped without it."""

from importlib.util import find_spec

import pytest
from counting_provider import PRICES
from plausible_provider import PlausibleProvider
from ray_nodes import RayNodes, new_token

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(find_spec("ray") is None, reason="pip install .[ray]"),
]

STUDY = """\
base: base
steps: 90
seeds: 2
arms:
  plain: {}
  told: {interventions: [{step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
measures: [conversations, {news: zebra, name: know}]
"""
ASKING = """\
base: base
steps: 2
seeds: 3
settings: {max_concurrency: 4}
arms: {one: {}, two: {settings: {retrieval: paper}}}
"""


LONG = """\
base: base
steps: 1500
seeds: 2
settings: {autosave: 100}
arms:
  plain: {}
  told: {interventions: [{step: 700, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
measures: [conversations, {news: zebra, name: know}]
"""


@pytest.fixture(scope="module")
def cluster():
    """Return the function that starts a cluster with so many workers, which has a token of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in new_token().items():
            patch.setenv(name, value)
        from ville.jobs.ray.ray_pool import RayPool  # noqa: PLC0415 - Ray reads its token when it is imported

        yield RayPool


def test_a_cluster_has_the_results_of_one_machine(desk, cluster):
    """Tables and files."""
    desk.run(STUDY, "whole")
    results = desk.run(STUDY, engine=cluster(2))
    assert {job.state for job in results.jobs} == {"done"}
    assert desk.table() == desk.table(name="whole")
    assert desk.files("study-told-s2") == desk.files("whole-told-s2")


@pytest.fixture
def nodes(free_port):
    """Return a cluster without nodes so far."""
    with RayNodes(free_port()) as nodes:
        yield nodes


class KillsNode:
    """Kills a node when every worker has saved its job once and goes on; keeps the faults that were reported."""

    def __init__(self, nodes, place, saved):
        self.faults = set()
        self._nodes, self._place, self._saved, self._killed = nodes, place, saved, False

    def __call__(self, jobs):
        self.faults |= {job.fault for job in jobs if job.fault}
        going = [job for job in jobs if job.state == "running" and job.step > job.first_step + self._saved]
        if len(going) == 2 and not self._killed:
            self._nodes.kill(self._place)
            self._killed = True


def test_a_node_that_dies_costs_only_what_was_not_saved(desk, cluster, nodes):
    """One of two nodes is killed with its worker in the middle of a job: the other one goes on with it."""
    desk.run(LONG, "whole")
    nodes.start()
    nodes.start()
    killing = KillsNode(nodes, 1, saved=100)
    results = desk.run(LONG, engine=cluster(address=nodes.address), watch=killing)
    assert any("its node has ended" in fault for fault in killing.faults)
    assert {(job.state, job.fault) for job in results.jobs} == {("done", "")}
    assert desk.table() == desk.table(name="whole")
    for run in ("plain-s1", "plain-s2", "told-s1", "told-s2"):
        assert desk.files(f"study-{run}") == desk.files(f"whole-{run}")


def test_a_node_that_does_not_see_the_storage_is_sent_what_it_needs(desk, cluster, nodes):
    """It sees an empty folder in its place, and is killed in the middle of a job."""
    storage = desk.root / "storage"
    desk.run(LONG, "whole")
    nodes.start()
    nodes.start(hidden=storage)
    killing = KillsNode(nodes, 1, saved=100)
    results = desk.run(LONG, engine=cluster(address=nodes.address), watch=killing)
    assert {(job.state, job.fault) for job in results.jobs} == {("done", "")}
    assert desk.table() == desk.table(name="whole")
    for run in ("plain-s1", "plain-s2", "told-s1", "told-s2"):
        assert desk.files(f"study-{run}") == desk.files(f"whole-{run}")


def test_the_limits_hold_over_all_nodes(desk, server, cluster, nodes, monkeypatch):
    """Six runs at a time on two nodes, which have the key from their environment: never more calls are open than may
    be, and never more is spent.
    """
    monkeypatch.setenv("VILLE_API_KEY", "sk-1")
    nodes.start(processors=3)
    nodes.start(processors=3)
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    (desk.root / "prices.toml").write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "fast_model": "m"}
    more = {"prices": str(desk.root / "prices.toml"), "embedder": "hashing", "answer_tokens": 500}
    desk.given.update(**model, **more)
    limit = 0.01
    results = desk.run(ASKING + f"budget: {limit}\n", engine=cluster(address=nodes.address))
    assert 0 < provider.cost <= limit
    assert provider.most_open <= 4
    assert "stopped" in {job.state for job in results.jobs}
    results = desk.run(ASKING + "budget: 5\n", engine=cluster(address=nodes.address))
    assert {job.state for job in results.jobs} == {"done"}
    assert provider.most_open <= 4
    assert max(provider.asked.values()) <= 6
