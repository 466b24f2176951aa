"""Of a model, the runs of an audit ask only what the unperturbed run has not asked."""

from contextlib import closing
from dataclasses import replace

import pytest
from counting_provider import PRICES
from inline_engine import InlineEngine
from plausible_provider import PlausibleProvider

from ville.errors import BadStudy
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.studies.audit.audit_plan import AuditTerms
from ville.studies.audit.auditing import plan_audit
from ville.studies.runner import StudyRunner

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


PAIRED = """\
base: base
steps: 500
seeds: 1
settings: {autosave: 0}
arms:
  told: {interventions: [{step: 400, kind: whisper, who: Ada Stone, words: The zebra is closed}], answers: plain}
  plain: {}
  warmer: {settings: {temperature: 1.1}, answers: plain}
measures: [{news: zebra, name: know}]
questions: [{ask: "Who are you?", of: [Ben Reed], when: [start, "350"]}]
"""


@pytest.fixture
def paid(desk, server):
    """The desk, with a provider that answers plausibly."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    prices = desk.root / "prices.toml"
    prices.write_text(PRICES, "utf-8")
    model = {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m", "prices": prices}
    return replace(desk, given={**desk.given, **model, "embedder": "hashing"})


def interviews(desk, simulation):
    """The calls that were paid for questions of the study."""
    with closing(Ledger.read(desk.root / "storage" / simulation / "reverie", INTERVIEWS)) as ledger:
        return ledger.connection.execute("SELECT id FROM calls WHERE outcome = 'answered'").fetchall()


def test_answers_of_the_other_arm_are_taken_unless_they_could_be_others(paid):
    """With another order, people are asked the same; with another temperature, the same question is asked again."""
    results = paid.run(STUDY, engine=InlineEngine())
    calls = {job.arm: job.result.calls for job in results.jobs if job.arm}
    assert {job.state for job in results.jobs} == {"done"}
    assert calls["plain"] > 0
    assert calls["same"] == 0
    assert calls["warmer"] >= calls["plain"]


def test_an_arm_takes_the_answers_of_the_one_that_it_names(paid):
    """It is run after that one, wherever it stands in the file, and asks what differs; what people do is as if it had
    asked everything.
    """
    alone = paid.run(PAIRED.replace(", answers: plain", ""), "alone", engine=InlineEngine())
    paired = paid.run(PAIRED, "paired", engine=InlineEngine())
    (of_alone, of_paired) = ({job.arm: job.result for job in each.jobs if job.arm} for each in (alone, paired))
    assert of_paired["told"].calls < of_alone["told"].calls
    assert len(interviews(paid, "paired-told-s1")) == 0
    assert len(interviews(paid, "paired-plain-s1")) == 2
    assert of_paired["warmer"].calls == of_alone["warmer"].calls
    for arm, result in of_alone.items():
        assert of_paired[arm].measures == result.measures
        assert of_paired[arm].asked == result.asked


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ("{a: {answers: b}, b: {settings: {temperature: 1}, answers: a}}", "a and b wait for the answers or the past"),
        ("{a: {answers: b}, b: {past: {arm: a, at: 100}, other_seeds: 7}}", "a and b wait for the answers or the past"),
        ("{a: {answers: a}, b: {other_seeds: 7}}", "there is no other arm 'a', whose answers 'a' could take"),
        ("{a: {answers: c}, b: {other_seeds: 7}}", "there is no other arm 'c', whose answers 'a' could take"),
    ],
)
def test_arms_do_not_wait_for_each_other(desk, arms, said):
    with pytest.raises(BadStudy, match=said):
        desk.read(f"base: base\nsteps: 500\nseeds: 1\narms: {arms}\n")


def test_an_audit_asks_many_times_as_much_only_if_it_is_told_to(paid):
    paid.write(PAIRED.replace(", answers: plain", ""))

    def left_out(**terms):
        plan = plan_audit(
            paid.file, AuditTerms(arm="told", against="plain", only=["paper_questions"], **terms), paid.given
        )
        return plan.perturbations[0].left_out

    assert left_out() == "it asks many times as many questions: try it with --all"
    assert left_out(all=True) == ""


def test_an_added_question_is_estimated_alone(paid):
    """Not with the answers that are known already."""
    paid.run(PAIRED, engine=InlineEngine())
    known = PAIRED.replace("questions: [", 'questions: [{ask: "How are you?", of: [Ben Reed]}, ')
    study = paid.read(known)
    found = StudyRunner(study, paid.folder(), paid.given).estimate(1)
    assert (found.runs, found.calls) == (3, 3)
    results = paid.run(known, engine=InlineEngine())
    assert {job.state for job in results.jobs} == {"done"}
