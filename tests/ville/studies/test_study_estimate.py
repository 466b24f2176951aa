"""Estimates of studies, beside what these took."""

from dataclasses import replace

import pytest
from chat_server import ChatServer
from counting_provider import PRICES
from inline_engine import InlineEngine
from plausible_provider import PlausibleProvider

from ville.studies.audit.audit_plan import AuditTerms
from ville.studies.audit.auditing import plan_audit
from ville.studies.batch import study_estimate
from ville.studies.runner import StudyRunner

STUDY = """\
base: base
steps: 500
seeds: 2
settings: {autosave: 0}
arms:
  plain: {}
  told: {interventions: [{step: 100, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
measures: [{news: zebra, name: know}, conversations]
questions: [{ask: "Who are you?", of: [Ben Reed]}]
audit: {only: [temperature_low, no_reflection, other_voice]}
"""


@pytest.fixture(scope="module")
def provider():
    return PlausibleProvider()


@pytest.fixture(scope="module")
def paid(write_small_town, make_desk, tmp_path_factory, provider):
    """A desk with a provider that answers plausibly."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("paid")).root)
    with ChatServer(provider.chat) as server:
        server.embed = provider.embed
        prices = desk.root / "prices.toml"
        prices.write_text(PRICES, "utf-8")
        model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m"}
        yield replace(desk, given={**desk.given, **model, "prices": prices, "embedder": "hashing"})


@pytest.fixture(scope="module")
def known(paid, provider):
    """The study, which is run: what was estimated before, and what it has cost."""
    before, spent = study_estimate(paid.read(STUDY), paid.given, 1), provider.cost
    paid.run(STUDY, engine=InlineEngine())
    return before, provider.cost - spent


def test_what_is_taken_lies_where_an_estimate_says(paid, provider, known):
    """Before anything is run, in its range; that of an audit, whose study is done, within half: questions and answers
    that are taken from others included.
    """
    before, cost = known
    least, most = before.range
    assert before.cost * least <= cost <= before.cost * most
    assert "a typical day" in before.basis
    paid.write(STUDY)
    plan = plan_audit(paid.file, AuditTerms(), paid.given)
    found = study_estimate(plan.study, paid.given, 1, like=plan.of)
    assert "what 6 runs like these have used" in found.basis
    earlier = (provider.calls, provider.tokens, provider.cost)
    folder = paid.folder(plan.study.name)
    folder.create()
    StudyRunner(plan.study, folder, paid.given).run(InlineEngine(), lambda _: None, lambda: False)
    taken = [now - was for now, was in zip((provider.calls, provider.tokens, provider.cost), earlier, strict=True)]
    for expected, took in zip((found.calls, found.tokens, found.cost), taken, strict=True):
        assert expected / 1.5 <= took <= expected * 1.5


@pytest.mark.usefixtures("known")
def test_runs_that_were_removed_say_as_much(paid):
    """Their ledgers are kept; of what none has run, a typical day says the rest, corrected by how wrong it was."""
    text = STUDY.replace("questions:", "keep: tables\nquestions:")
    paid.run(text, "less", engine=InlineEngine())
    more = STUDY.replace("seeds: 2", "seeds: 3")
    told = [StudyRunner(paid.read(more, "more"), paid.folder("more"), paid.given) for _ in range(2)]
    one, other = (each.estimate(1, like=paid.folder(name)) for each, name in zip(told, ("study", "less"), strict=True))
    assert (one.calls, one.tokens) == (other.calls, other.tokens)
    longer = StudyRunner(paid.read(more.replace("500", "600"), "more"), paid.folder("more"), paid.given)
    assert longer.estimate(1, like=paid.folder("study")).tokens >= one.tokens


def test_a_base_that_was_lived_with_a_model_says_what_runs_from_it_take(paid):
    """Better than a typical day, which knows neither the town nor the model."""
    alone = STUDY.replace("seeds: 2", "seeds: 1").replace("  told:", "  other:")
    jobs = paid.run(alone, "before", engine=InlineEngine()).jobs
    lived = next(job for job in jobs if job.arm == "plain")
    after = alone.replace("base: base", f"base: {lived.simulation}@200").replace("steps: 500", "steps: 100")
    found = study_estimate(paid.read(after.replace("step: 100", "step: 250"), "after"), paid.given, 1)
    assert "what 1 run like these has used" in found.basis
    assert found.calls > 0


def test_what_is_whispered_counts_before_anything_is_run(paid):
    """Each whisper asks a question in each run to which it is told."""
    whisper = "{step: 100, kind: whisper, who: Ada Stone, words: The zebra is closed}"
    more = STUDY.replace(whisper, f"{whisper}, {whisper.replace('100', '101')}")
    one, two = (study_estimate(paid.read(text, "one"), paid.given, 1) for text in (STUDY, more))
    assert two.calls - one.calls >= 2


def test_steps_that_are_not_packed_take_the_disk_that_is_estimated(desk):
    """Whole blocks for each file; what is packed, or becomes a recording, takes a small part of that."""
    text = STUDY.replace("autosave: 0", "autosave: 0, pack_steps: false")
    expected = study_estimate(desk.read(text), desk.given, 1).bytes
    desk.run(text, engine=InlineEngine())
    roots = [desk.root / "storage" / job.simulation for job in desk.folder().jobs()]
    files = [path for root in roots for path in root.rglob("*") if path.is_file()]
    taken = sum(-(-path.stat().st_size // 4096) * 4096 for path in files)
    assert expected / 2 < taken < expected * 2
    for other in (STUDY, text.replace("questions:", "keep: compressed\nquestions:")):
        assert study_estimate(desk.read(other, "other"), desk.given, 1).bytes < expected / 10
