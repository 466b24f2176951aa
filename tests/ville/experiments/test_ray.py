"""A Ray cluster carries out the same jobs with the same results; needs Ray, and is skipped without it."""

import secrets
from importlib.util import find_spec

import pytest
from counting_provider import PRICES
from plausible_provider import PlausibleProvider

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


@pytest.fixture(scope="module")
def cluster():
    """Return the function that starts a cluster with so many workers, which has a token of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        from ville.experiments.ray_engine import RayEngine  # noqa: PLC0415 - Ray reads its token when it is imported

        yield RayEngine


def test_a_cluster_has_the_results_of_one_machine(desk, cluster):
    """Tables and files."""
    desk.run(STUDY, "whole")
    results = desk.run(STUDY, engine=cluster(2))
    assert {job.state for job in results.jobs} == {"done"}
    assert desk.table() == desk.table(name="whole")
    assert desk.files("study-told-s2") == desk.files("whole-told-s2")


def test_the_limits_hold_over_all_nodes(desk, server, cluster):
    """Six runs at a time: never more calls are open than may be, and never more is spent."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    (desk.root / "prices.toml").write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m"}
    more = {"prices": str(desk.root / "prices.toml"), "embedder": "hashing", "answer_tokens": 500}
    desk.given.update(**model, **more)
    limit = 0.01
    results = desk.run(ASKING + f"budget: {limit}\n", engine=cluster(6))
    assert 0 < provider.cost <= limit
    assert provider.most_open <= 4
    assert "stopped" in {job.state for job in results.jobs}
    results = desk.run(ASKING + "budget: 5\n", engine=cluster(6))
    assert {job.state for job in results.jobs} == {"done"}
    assert provider.most_open <= 4
    assert max(provider.asked.values()) <= 6
