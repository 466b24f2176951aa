"""The design of a study in its report: beginnings, arms and what differs between them, and what was registered."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ville.analysis.statistics_table import SAME
from ville.analysis.study_figures import FigureWords
from ville.plain_text import quantity, shortened
from ville.sharing.report.markup import Html, element, facts, items, joined, section, table
from ville.sharing.report.study_facts import StudyFacts

WORDS = FigureWords()
OF_ARMS = ("settings", "models", "ablations", "history", "interventions", "assign", "past", "other_seeds")
"""Keys of a study file by which arms can differ."""
LONGEST = 300
"""Characters of a value."""
DIRECTIONS = {"more": "more than", "fewer": "fewer than", "other": "other than"}
NOTHING, UNKNOWN = "nothing of its own", "not known: the study file cannot be read"


def design_section(found: StudyFacts) -> Html:
    """Return what was run."""
    note, content = found.note, found.content
    seeds = ", ".join(map(str, note.seeds)) if len(note.seeds) <= 12 else f"{note.seeds[0]} … {note.seeds[-1]}"  # noqa: PLR2004
    return section(
        "design",
        "Design",
        facts(
            [
                ("Begins with", joined((element("code", base) for base in _bases(found)), ", ")),
                ("Length", _length(found)),
                ("People", _people(found)),
                ("Seeds", f"{len(note.seeds)}: {seeds}" if note.seeds else ""),
                ("Runs", f"{len(note.runs)}, of which {len(found.done)} are done"),
                ("Answered by", _minds(found)),
                ("In all arms", items(_differences(content)) or ""),
                ("Asked at the end" if _at_end(content) else "Asked", items(_questions(content)) or ""),
                ("Measured", items(_measures(found)) or ""),
                ("Budget", ", ".join(f"{value:g} {what}" for what, value in note.budget.items())),
            ]
        ),
        element("h3", "Arms"),
        table(("Arm", "What it has that others have not"), ("", list(_arms(found))), words=2),
    )


def _bases(found: StudyFacts) -> list[str]:
    return list(dict.fromkeys(job.base for job in found.runs))


def _length(found: StudyFacts) -> str:
    steps = sorted({job.until_step - min(each.first_step for each in found.jobs) for job in found.runs})
    told = " to ".join(f"{each:,}" for each in dict.fromkeys((*steps[:1], *steps[-1:])))
    if not told or found.town is None:
        return f"{told} steps" if told else ""
    seconds = found.town.sec_per_step
    return f"{told} steps of {seconds} seconds, {steps[-1] * seconds / 3600:.3g} hours in the town"


def _people(found: StudyFacts) -> str:
    names = found.town.persona_names if found.town else ()
    return shortened(f"{len(names)}: {', '.join(names)}", 2 * LONGEST) if names else ""


def _minds(found: StudyFacts) -> str:
    if not found.told("models"):
        return ""
    return "offline rules; no language model" if found.by_rules else "; ".join(found.told("models"))


def _at_end(content: Mapping[str, Any]) -> bool:
    asked = content.get("questions")
    return isinstance(asked, list) and all(
        isinstance(each, dict) and each.get("when", "end") == "end" for each in asked
    )


def _questions(content: Mapping[str, Any]) -> Iterator[str]:
    asked = content.get("questions")
    for each in asked if isinstance(asked, list) else []:
        yield shortened(str(each.get("ask", "")) if isinstance(each, dict) else str(each), LONGEST)


def _measures(found: StudyFacts) -> Iterator[object]:
    """Yield each measure; of news with what it counts."""
    given = found.content.get("measures")
    for each in given if isinstance(given, list) else found.note.measures:
        if not isinstance(each, dict):
            yield str(each)
            continue
        about = f", told with the name of {each['about']}" if each.get("about") else ""
        words = element("code", shortened(str(each.get("news", "")), LONGEST))
        name = each.get("name") or f"know of {each.get('news', '')}"
        yield joined([name, ": people who know of ", words, about])


def _arms(found: StudyFacts) -> Iterator[tuple[object, object]]:
    arms = found.content.get("arms")
    own = arms if isinstance(arms, dict) else {}
    for place, arm in enumerate(found.note.arms):
        content = own.get(arm)
        listed = items(_differences(content if isinstance(content, dict) else {}))
        compared = element("small", "others are compared with it") if not place and len(found.note.arms) > 1 else ""
        yield joined([arm, compared], " "), listed or (NOTHING if found.content else UNKNOWN)


def _differences(content: Mapping[str, Any]) -> Iterator[object]:
    """Yield what a study file says below an arm, or of the whole study."""
    for key in OF_ARMS:
        value = content.get(key)
        if value in (None, "", [], {}):
            continue
        match value:
            case dict() if key == "assign":
                sizes = ", ".join(f"{name} {_told(size)}" for name, size in value.items())
                yield f"groups drawn within each town: {sizes}"
            case dict():
                yield from (joined([element("code", f"{name}"), " = ", _told(each)]) for name, each in value.items())
            case list() if key == "interventions":
                yield from map(_intervention, value)
            case list():
                yield f"{key}: {', '.join(map(str, value))}"
            case _:
                yield f"{key.replace('_', ' ')}: {_told(value)}"


def _intervention(row: object) -> object:
    """Return an intervention in words: when, of what kind, and the rest."""
    if not isinstance(row, dict):
        return f"interventions: {_told(row)}"
    when = row.get("time", f"step {row['step']}" if "step" in row else "")
    rest = (f"{key}: {_told(value)}" for key, value in row.items() if key not in {"time", "step", "kind"})
    return joined([element("strong", f"{when} {row.get('kind', '')}".strip()), " ", "; ".join(rest)])


def _told(value: object) -> str:
    return shortened(str(value), LONGEST)


def plan_section(found: StudyFacts) -> Html:
    """Return what was registered before the study was run, and what became of it."""
    plan = found.registration
    if plan is None:
        return section(
            "plan",
            "Registered plan",
            element("p", "Nothing was registered before this study was run, so all that it shows is exploratory."),
        )
    return section(
        "plan",
        "Registered plan",
        facts(
            [
                ("Confirms", f"{found.confirms.of}, with {found.confirms.model}" if found.confirms else ""),
                ("Registered on", plan.registered),
                ("SHA-256 of the plan", element("code", plan.digest)),
                ("Primary", ", ".join(plan.primary)),
                ("Stops", str(plan.plan.get("stop", ""))),
                ("May be confirmed with", ", ".join(plan.eligible_models)),
                ("Confirmations", ", ".join(found.confirmations) or "none so far"),
            ]
        ),
        element("h3", "Hypotheses"),
        table(
            ("Expected", "What became of it", "Difference", "p (Holm)"),
            ("", list(_hypotheses(found))),
            words=2,
        ),
    )


def _hypotheses(found: StudyFacts) -> Iterable[tuple[object, ...]]:
    digits = {each.measure: each.digits for each in found.measures}
    several = len({row["base"] for row in found.outcomes}) > 1
    for row in found.outcomes:
        base = f" ({row['base']})" if several and row["base"] else ""
        than = f"{DIRECTIONS[row['direction']]} {found.note.arms[0]}"
        mark = element("small", "primary") if row["primary"] else ""
        said = joined([f"{row['measure']}: {row['arm']} {than}{base}", mark], " ")
        p = None if row["adjusted_p"] is None else f"{row['adjusted_p']:.3f}"
        yield said, row["outcome"], _difference(row, digits.get(row["measure"], 1)), p


def _difference(row: Mapping[str, Any], digits: int) -> object:
    if row["difference"] is None:
        return None
    number = WORDS.number(row["difference"], digits, signed=True)
    if row["low"] is None:
        return f"{number} ({row[SAME]})" if row.get(SAME) else number
    return f"{number} [{', '.join(WORDS.number(row[end], digits, signed=True) for end in ('low', 'high'))}]"


def summary(found: StudyFacts) -> str:
    """Return the size of the study, and how much of it is done."""
    arms, seeds = len(found.note.arms), len(found.note.seeds)
    size = f"{quantity(arms, 'arm', 'arms')} × {quantity(seeds, 'seed', 'seeds')}"
    bases = len(found.note.bases)
    size += f" × {bases} beginnings" if bases > 1 else ""
    return f"{size}, {len(found.done)} of {quantity(len(found.note.runs), 'run', 'runs')} done"
