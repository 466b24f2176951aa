"""Of a model, the runs of an audit ask only what the unperturbed run has not asked."""

from dataclasses import replace

from counting_provider import PRICES
from inline_engine import InlineEngine
from plausible_provider import PlausibleProvider

STUDY = """\
base: base
steps: 500
seeds: 1
settings: {autosave: 0}
arms:
  plain: {}
  same: {past: {arm: plain, at: 100}, settings: {people_order: backwards}}
  warmer: {past: {arm: plain, at: 100}, settings: {temperature: 1.1}}
"""


def test_answers_of_the_other_arm_are_taken_unless_they_could_be_others(desk, server):
    """With another order, people are asked the same; with another temperature, the same question is asked again."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    prices = desk.root / "prices.toml"
    prices.write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m", "prices": prices}
    paid = replace(desk, given={**desk.given, **model, "embedder": "hashing"})
    results = paid.run(STUDY, engine=InlineEngine())
    calls = {job.arm: job.result.calls for job in results.jobs if job.arm}
    assert {job.state for job in results.jobs} == {"done"}
    assert calls["plain"] > 0
    assert calls["same"] == 0
    assert calls["warmer"] >= calls["plain"]
