"""Tell what weighed most on each day of a run, in chapters, by rules (`ville story NAME`)."""

from collections.abc import Iterator

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.story import Story, story
from ville.cli.run_report import report
from ville.plain_text import shortened

WIDTH = 110
"""Longest words of a moment that are printed."""


def story_lines(run: ComparedRun, found: Story) -> Iterator[str]:
    """Yield each day with its chapters."""
    for day in found.days:
        yield day.date
        for chapter in day.chapters:
            lead = chapter.lead
            more = f" (and {len(chapter.more)} more)" if chapter.more else ""
            yield f"  {run.meta.time_of(lead.step):%H:%M}  step {lead.step:,}  {lead.title}{more}"
            if lead.words:
                yield f"         {shortened(lead.words, WIDTH)}"


def main(arguments: list[str] | None = None) -> int:
    return report(arguments, about=__doc__, find=story, lines=story_lines)
