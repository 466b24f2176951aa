"""The parts of a report that say how far a study can be trusted: validity, audit and provenance."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any

from ville.analysis.validity.finding import ORDER
from ville.analysis.validity.report import MARKS, WORDS
from ville.command_lines import typed
from ville.plain_text import quantity
from ville.sharing.report.markup import Html, element, facts, items, joined, section, table
from ville.sharing.report.study_facts import StudyFacts
from ville.studies.kept_runs import KEPT_WORDS

REPORTED = "green"
SAID = {
    "version": "The Ville, and digest of its code",
    "python": "Python",
    "platform": "Platform",
    "packages": "Packages",
    "models": "Models asked",
    "embedder": "Embedder",
    "prompts": "Digest of all prompts",
    "prices": "Digest of the prices",
}
"""Keys of the provenance of a run, with their titles in the report."""


def validity_section(found: StudyFacts) -> Html:
    """Return the findings of the report of validity; empty if it was not made."""
    told = found.folder.read_validity()
    rows = told.get("findings") if told else None
    checks = [each for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []
    if told is None or not checks:
        how = element("code", f"{typed('study')} validity {found.note.name}")
        return section("validity", "Validity", element("p", "Not checked. To check it: ", how))
    colours = [colour for colour in ORDER if any(each.get("colour") == colour for each in checks)]
    parts = []
    for colour in colours:
        own = [each for each in checks if each.get("colour") == colour]
        parts += [
            element("h3", f"{MARKS[colour]} {WORDS[colour]}", data_colour=colour),
            element("dl", *(part for each in own for part in _check(each)), class_="checks"),
        ]
    runs = told.get("runs")
    looked = f"Looked at: {', '.join(map(str, runs))}." if isinstance(runs, list) else ""
    return section("validity", "Validity", *parts, element("p", looked, class_="soft"))


def _check(each: Mapping[str, Any]) -> Iterator[Html]:
    colour = str(each.get("colour", ""))
    yield element("dt", element("strong", each.get("title", "")), data_colour=colour)
    doubt = f" {each['doubt']}" if each.get("doubt") else ""
    shown = [element("div", each["shown"])] if each.get("shown") else []
    todo = "" if colour == REPORTED else f" To do: {each.get('todo', '')}"
    yield element("dd", *shown, element("div", f"{each.get('says', '')}{doubt}{todo}", class_="soft"))


def audit_section(found: StudyFacts) -> Html:
    """Return whether the effect survives small changes; how to find out, if there is no audit."""
    audit = found.audit
    if audit is None:
        how = element("code", f"{typed('study')} audit {found.note.name}.yaml")
        return section("audit", "Audit", element("p", "Whether the effect holds was not tried. To try: ", how))
    picture = base64.b64encode(audit.figure).decode()
    image = Html(
        f'<img src="data:image/svg+xml;base64,{picture}" alt="The effect under each perturbation, with 95% intervals">'
    )
    drawn = element("figure", element("div", image, class_="drawing"), class_="measure wide report-audit")
    lead, *rest = audit.lines or ("",)
    return section(
        "audit", "Audit", element("p", lead, class_="lead"), drawn if audit.figure else "", items(filter(None, rest))
    )


def provenance_section(found: StudyFacts) -> Html:
    """Return what the runs were computed with."""
    several = [SAID[key] for key in ("version", "python", "prompts") if len(found.told(key)) > 1]
    mixed = f"Runs differ in: {', '.join(several)}." if several else ""
    days = sorted({job.ended[:10] for job in found.runs if job.ended})
    span = " to ".join(dict.fromkeys((*days[:1], *days[-1:])))
    settings = found.told("settings")
    return section(
        "provenance",
        "Provenance",
        element("p", mixed, class_="report-caution") if mixed else "",
        facts(
            [
                *((title, _told(found, key)) for key, title in SAID.items()),
                ("Settings", items(dict.fromkeys(settings)) if any(settings) else "as they come"),
                ("Runs ended", span),
                ("Kept of the runs", "; ".join(sorted({KEPT_WORDS[job.kept] for job in found.done}))),
                ("Audit of the study", found.audit.name if found.audit else ""),
            ]
        ),
        _prompts(found),
    )


def _told(found: StudyFacts, key: str) -> object:
    """Return the values of a key; with the number of runs of each, if there are several."""
    values = found.told(key)
    if len(values) < 2:  # noqa: PLR2004 - all runs say the same
        return next(iter(values), "")
    return joined((f"{value} ({quantity(count, 'run', 'runs')})" for value, count in values.items()), "; ")


def _prompts(found: StudyFacts) -> Html:
    prompts = sorted(found.note.prompts.items())
    if not prompts:
        return Html()
    rows = [(name, element("code", digest)) for name, digest in prompts]
    head = element("summary", f"Digests of {quantity(len(rows), 'prompt', 'prompts')}")
    return element("details", head, table(("Prompt", "BLAKE2b, 64 bits"), ("", rows), words=2))
