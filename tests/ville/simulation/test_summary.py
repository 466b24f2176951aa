"""What became of a run."""

from ville.errors import Unreachable
from ville.simulation.run import StopRequest, run
from ville.simulation.step import StepReport
from ville.simulation.summary import Summary


async def test_a_summary_adds_up_the_reports(opened):
    """Steps, people, talks, pairs, thoughts, questions: those that the reports and the minds hold."""
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
    assert lines[0] == "900 steps of 3 people"
    assert lines[1] == f"{len(talks)} talks between {len(set(talks))} pairs"
    assert f"{thoughts:,} thoughts" in lines
    assert f"{asked:,} questions, 0 unusable answers, 0 answered by a fallback" in lines
    assert talks


def test_a_run_of_nothing_can_be_told(opened):
    """All numbers are zero."""
    assert Summary(opened("new")).report().lines()[:2] == ["0 steps of 3 people", "0 talks between 0 pairs"]


def test_turns_without_an_answer_are_counted(opened):
    """They tell how much of a run a bad line has cost; without any, nothing is said of it."""
    simulation = opened("new")
    summary = Summary(simulation)
    assert "answer:" not in " ".join(summary.report().lines())
    failures = {name: Unreachable("Nobody there.") for name in list(simulation.town.personas)[:2]}
    summary.count(StepReport(0, simulation.clock.now, failures=failures))
    assert any(line.startswith("2 turns without an answer") for line in summary.report().lines())
