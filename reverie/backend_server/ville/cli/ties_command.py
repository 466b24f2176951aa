"""Show the social graph of a run: who knows, has talked with, likes and dislikes whom (`ville ties NAME`)."""

from collections.abc import Iterator

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.ties import KindMeasures, SocialGraph, social_graph
from ville.cli.run_report import report

MOST = 5
"""People with the highest centrality that are named."""
NOTHING = "–"


def graph_lines(run: ComparedRun, found: SocialGraph) -> Iterator[str]:
    """Yield the measures by the hour, where they have changed, then communities and central people at the end."""
    yield f"{'':<24}{'ties':>8}{'density':>10}{'returned':>10}{'groups':>8}"
    before: list[str] = []
    for moment in found.moments:
        cells = [_cells(kind) for kind in moment.measures]
        changed = [each for each in cells if each not in before]
        time = f"{run.meta.time_of(moment.step):%b %d, %H:%M}"
        yield from (f"{time if place == 0 else '':<14}{each}" for place, each in enumerate(changed))
        before = cells
    for kind in found.moments[-1].measures:
        if kind.ties:
            yield ""
            yield f"{kind.kind}, at the end"
            yield from (f"  group: {', '.join(found.people[number] for number in each)}" for each in kind.communities)
            yield f"  most ties with others: {_first(found, kind.degree)}"
            yield f"  most often between others: {_first(found, kind.betweenness)}"


def _cells(kind: KindMeasures) -> str:
    shares = "".join(
        f"{NOTHING if share is None else f'{share:.3f}':>10}" for share in (kind.density, kind.reciprocity)
    )
    return f"{kind.kind:<10}{kind.ties:>8,}{shares}{len(kind.communities):>8}"


def _first(found: SocialGraph, values: tuple[float, ...]) -> str:
    order = sorted(range(len(values)), key=lambda number: (-values[number], number))
    return ", ".join(f"{found.people[number]} {values[number]:.2f}" for number in order[:MOST] if values[number])


def main(arguments: list[str] | None = None) -> int:
    return report(arguments, about=__doc__, find=social_graph, lines=graph_lines)
