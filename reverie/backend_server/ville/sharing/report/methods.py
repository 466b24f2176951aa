"""The methods of a study as a paragraph for a paper, made of facts alone, and the works that it cites."""

from collections.abc import Iterable, Iterator, Sequence

from ville.analysis.run import REST
from ville.analysis.run_counts import LEVEL
from ville.analysis.run_statistics import DRAWS, RunDifference
from ville.plain_text import quantity
from ville.sharing.report.references import PAPER, bibtex, cited
from ville.sharing.report.study_facts import StudyFacts
from ville.storage.records.meta import Meta

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def methods_text(facts: StudyFacts) -> str:
    """Return the paragraph."""
    return " ".join(filter(None, _sentences(facts)))


def study_bibtex(facts: StudyFacts) -> str:
    """Return the works that the paragraph cites as BibTeX."""
    return bibtex(_cited_works(facts))


def _sentences(facts: StudyFacts) -> Iterator[str]:
    yield _town(facts)
    yield _arms(facts)
    yield _groups(facts)
    yield _minds(facts)
    yield _registered(facts)
    if _has_tests(facts.differences):
        yield _statistics(facts)
        yield _without_interval(facts.differences)
        yield _too_few(facts.differences)
    elif facts.differences:
        yield "Single runs were compared, which do not tell how much runs vary: there are neither intervals nor tests."
    yield _program(facts)


def _town(facts: StudyFacts) -> str:
    if facts.town is None:
        return f"We simulated generative agents {cited(PAPER)}."
    people = quantity(len(facts.town.persona_names), "generative agent", "generative agents")
    where = f"We simulated a town of {people} {cited(PAPER)} in steps of {facts.town.sec_per_step} seconds"
    bases = {job.base for job in facts.runs}
    if len(bases) > 1:
        return f"{where}."
    begin = min(job.first_step for job in facts.jobs)
    end = max(job.until_step for job in facts.jobs)
    return f"{where}, from {_moment(facts.town, begin)} to {_moment(facts.town, end)}."


def _moment(town: Meta, step: int) -> str:
    """Return the time in the town at which a step begins."""
    found = town.time_of(step)
    return f"{found:%B} {found.day}, {found:%H:%M}"


def _arms(facts: StudyFacts) -> str:
    arms, seeds, bases = facts.note.arms, len(facts.note.seeds), len({job.base for job in facts.runs})
    each = f"with {quantity(seeds, 'random seed', 'random seeds')}"
    of = f" from each of {quantity(bases, 'beginning', 'beginnings')}" if bases > 1 else ""
    runs = quantity(len(facts.note.runs), "run", "runs")
    done = f"We made {runs} {each}{of}"
    if len(arms) > 1:
        named = f"{_counted(len(arms)).capitalize()} conditions ({', '.join(arms)})"
        done = f"{named} were run {each} each{of}, {runs} in all"
    left = len(facts.note.runs) - len(facts.done)
    shared = "; runs with the same seed and settings share their beginning until their interventions differ"
    shared = shared if facts.note.shared else ""
    unfinished = f" Of these, {len(facts.done)} are done." if left else ""
    return f"{done}{shared}.{unfinished}"


def _groups(facts: StudyFacts) -> str:
    drawn = {name: len(people) for job in facts.runs for name, people in job.groups.items() if name != REST}
    if not drawn:
        return ""
    sizes = _listed([f"“{name}” ({quantity(size, 'agent', 'agents')})" for name, size in drawn.items()])
    return (
        f"Within each run, agents were randomly assigned to {sizes}, the rest to none. Agents of one town influence "
        "each other, so the run is the unit: means of groups minus those of the rest are one value per run."
    )


def _minds(facts: StudyFacts) -> str:
    if facts.by_rules:
        return "What the agents do, say and answer was decided by offline rules, and no language model was asked."
    asked = " and ".join(_model_name(each) for each in facts.told("models"))
    calls = sum(job.result.calls for job in facts.jobs if job.result)
    embedders = ", ".join(facts.told("embedder"))
    vectors = f" Memories were retrieved by embeddings of {embedders}." if embedders else ""
    return f"The agents were driven by {asked}, in {quantity(calls, 'call', 'calls')}.{vectors}"


def _model_name(told: str) -> str:
    """Return `provider:one,two` in words."""
    provider, separator, names = told.partition(":")
    return f"{names.replace(',', ', ')} ({provider})" if separator else f"the {provider} rules"


def _registered(facts: StudyFacts) -> str:
    found = facts.registration
    if found is None:
        return "The study was not registered; all comparisons are exploratory." if facts.differences else ""
    primary = f", with {_listed([f'“{each}”' for each in found.primary])} as primary" if found.primary else ""
    count = len(found.hypotheses)
    confirms = facts.confirms
    again = f" This study ran it again with {confirms.model}, to confirm {confirms.of}." if confirms else ""
    noun = "hypothesis" if count == 1 else "hypotheses"
    tries = f" It had been run before: {'; '.join(found.deleted)}." if found.deleted else ""
    return (
        f"The plan was registered on {found.registered}, before the first run (SHA-256 {found.digest}): "
        f"{_counted(count)} {noun}{primary}.{tries}{again} What no hypothesis foresaw is exploratory and was tested "
        "apart."
    )


def _has_tests(found: Sequence[RunDifference]) -> bool:
    return any(min(each.sizes) > 1 for each in found)


def _statistics(facts: StudyFacts) -> str:
    first, found = facts.note.arms[0], facts.differences
    paired, apart = _kinds(found)
    by_seed = f", seed by seed{' where seeds pair' if apart else ''}" if paired else ""
    return (
        f"The unit of analysis is the run. Each other condition was compared with {first}{by_seed}: we report mean "
        f"differences with 95% intervals of {_intervals(found)}, standardised differences (Hedges' g; "
        f"{cited('hedges')[1:-1]}), and two-sided permutation tests {cited('pitman')} {_permuted(found)} at a level of "
        f"{LEVEL:g}{_adjusted(found)}.{_untested(found)}"
    )


def _kinds(found: Sequence[RunDifference]) -> tuple[bool, bool]:
    """Return whether some differences are of pairs, and whether some are not."""
    return any(each.is_paired for each in found), any(not each.is_paired for each in found)


def _intervals(found: Sequence[RunDifference]) -> str:
    paired, apart = _kinds(found)
    parts = [f"Student's t {cited('student')}"] if paired else []
    return " and ".join([*parts, *([f"Welch {cited('welch')}"] if apart else [])])


def _permuted(found: Sequence[RunDifference]) -> str:
    paired, apart = _kinds(found)
    what = " and ".join(filter(None, ["the signs of paired differences" if paired else "", "runs" if apart else ""]))
    return f"of {what} (all arrangements, or {DRAWS:,} random ones if there are more)"


def _adjusted(found: Sequence[RunDifference]) -> str:
    """Return for how many tests p is adjusted; empty if no two are made together."""
    families = sorted({(each.plan == "exploratory", each.tests) for each in found if each.tests > 1})
    if not families:
        return ""
    several = len({each.plan == "exploratory" for each in found}) > 1
    named = (f"{tests}{(' exploratory' if explored else ' registered') * several}" for explored, tests in families)
    return f", adjusted for {' and '.join(named)} tests by Holm's method {cited('holm')}"


def _untested(found: Sequence[RunDifference]) -> str:
    same = sum(not each.can_differ for each in found)
    return f" In {same} of {len(found)} comparisons no runs differed, which is no test." if same else ""


def _without_interval(found: Sequence[RunDifference]) -> str:
    same = sum(bool(each.same) for each in found)
    if not same:
        return ""
    where = "all comparisons" if same == len(found) else f"{same} of {len(found)} comparisons"
    return f"In {where} nothing varied between the runs of a side, or between pairs: there is no interval."


def _too_few(found: Sequence[RunDifference]) -> str:
    few = [each for each in found if each.too_few]
    if not few:
        return ""
    some = "No difference" if len(few) == len(found) else f"{len(few)} of {len(found)} differences"
    verb = "can" if len(few) == len(found) else "cannot"
    return f"{some} {verb} be told from noise with so few runs, whatever they show."


def _program(facts: StudyFacts) -> str:
    versions = [each.partition("+") for each in facts.told("version")]
    if not versions:
        return ""
    told = " and ".join(f"{number} (code digest {code})" if code else number for number, _, code in versions)
    python = ", ".join(facts.told("python"))
    scipy = f"; statistics were computed with SciPy {cited('scipy')}" if _has_tests(facts.differences) else ""
    return f"Software: The Ville {told}{f' on {python}' if python else ''}{scipy}."


def _cited_works(facts: StudyFacts) -> Iterable[str]:
    found = facts.differences
    if not _has_tests(found):
        return []
    paired, apart = _kinds(found)
    holm = ["holm"] if _adjusted(found) else []
    return [*(["student"] if paired else []), *(["welch"] if apart else []), "hedges", "pitman", *holm, "scipy"]


def _counted(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else f"{number:,}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
