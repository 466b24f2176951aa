"""The summary of a run."""

import pytest

from ville.errors import Unreachable
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.running.run_summary import Summary
from ville.simulation.stepping.step import StepReport


@pytest.mark.usefixtures("talkative")
async def test_a_summary_adds_up_the_reports(opened):
    """Its totals equal those of the reports and the memories."""
    simulation = opened("new")
    summary, reports = Summary(simulation), []

    def watch(report):
        summary.count(report)
        reports.append(report)

    await run(simulation, 900, autosave=0, watch=watch, stop=StopRequest())
    talks = [frozenset(pair) for report in reports for pair in report.talks]
    asked = sum(tally.asked for report in reports for tally in report.tallies.values())
    thoughts = sum(len(persona.mind.stream.newest("thought")) for persona in simulation.town.personas.values())
    lines = summary.report().lines()
    assert lines[0] == "900 steps with 3 personas"
    assert lines[1] == f"{len(talks)} conversations between {len(set(talks))} pairs"
    assert f"{thoughts:,} thoughts" in lines
    assert f"{asked:,} questions, 0 unusable answers, 0 answered by a fallback" in lines
    assert talks


def test_an_empty_run_has_a_summary(opened):
    """All numbers are zero."""
    assert Summary(opened("new")).report().lines()[:2] == ["0 steps with 3 personas", "0 conversations between 0 pairs"]


def test_turns_without_an_answer_are_counted(opened):
    """Nothing is printed if there are none."""
    simulation = opened("new")
    summary = Summary(simulation)
    assert "answer:" not in " ".join(summary.report().lines())
    failures = {name: Unreachable("Nobody there.") for name in list(simulation.town.personas)[:2]}
    summary.count(StepReport(0, simulation.clock.now, failures=failures))
    assert any(line.startswith("2 turns without an answer") for line in summary.report().lines())
