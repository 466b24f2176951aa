"""The report of a study: one HTML file that needs neither a network nor scripts."""

from collections.abc import Iterator

from ville.command_lines import typed
from ville.sharing.html_file import HtmlFile
from ville.sharing.recording_file import style_text
from ville.sharing.report.design_section import design_section, plan_section, summary
from ville.sharing.report.markup import Html, block, element, items, joined, section
from ville.sharing.report.methods import methods_text, study_bibtex
from ville.sharing.report.results_section import costs_section, findings, results_section
from ville.sharing.report.study_facts import StudyFacts
from ville.sharing.report.trust_sections import audit_section, provenance_section, validity_section
from ville.studies.bundle.bundle_files import check_clean

CONTENTS = {
    "design": "Design",
    "plan": "Plan",
    "results": "Results",
    "costs": "Costs",
    "validity": "Validity",
    "audit": "Audit",
    "provenance": "Provenance",
    "papers": "For a paper",
    "again": "Run it again",
}
"""Titles of parts, by their anchors."""


def report_text(facts: StudyFacts) -> str:
    """Return the HTML file. Raises CorruptFile, and BadArgument if it has a path of this machine."""
    parts = (
        design_section(facts),
        plan_section(facts),
        results_section(facts),
        costs_section(facts),
        validity_section(facts),
        audit_section(facts),
        provenance_section(facts),
        _for_papers(facts),
        _again(facts),
    )
    body = element("main", _head(facts), *parts, class_="study-sheet report-sheet")
    style = style_text("study.css", "report.css")
    text = HtmlFile(f"{facts.title}: report", "", style, {}, {}, body, "study report").text()
    check_clean("The report", text.encode(), facts.settings)
    return text


def _head(facts: StudyFacts) -> Html:
    links = (element("a", title, href=f"#{key}") for key, title in CONTENTS.items())
    return element(
        "header",
        element("p", "Report of the study ", element("span", facts.note.name), class_="kicker"),
        element("h1", facts.title),
        element("p", summary(facts), class_="lead"),
        _unfinished(facts),
        findings(facts),
        element("nav", *links, class_="report-contents", aria_label="Parts of the report"),
    )


def _unfinished(facts: StudyFacts) -> Html:
    """Return a warning if runs are left."""
    if facts.is_finished:
        return Html()
    running = " It is being run." if facts.folder.is_running else ""
    told = f"{len(facts.done)} of {len(facts.note.runs)} runs are done, and all numbers are of these.{running}"
    return element("p", element("strong", "Not finished. "), told, class_="report-caution")


def _for_papers(facts: StudyFacts) -> Html:
    return section(
        "papers",
        CONTENTS["papers"],
        element("h3", "Methods"),
        element("blockquote", element("p", methods_text(facts)), class_="report-methods"),
        element("h3", "BibTeX"),
        block(study_bibtex(facts)),
    )


def _again(facts: StudyFacts) -> Html:
    """Return how the study is computed again, and its file."""
    file = f"{facts.note.name}.yaml"
    return section(
        "again",
        CONTENTS["again"],
        element("p", "With the study file below as ", element("code", file), ":"),
        block("\n".join(_commands(facts, file))),
        items(_needed(facts)),
        element("h3", "Study file"),
        block(facts.file) if facts.file.strip() else element("p", "It is not kept."),
    )


def _commands(facts: StudyFacts, file: str) -> Iterator[str]:
    study = typed("study")
    yield from (command for _, command in facts.beginnings if command)
    yield f"{study} run {file}"
    yield f"{study} statistics {facts.note.name}"
    yield f"{study} report {facts.note.name}"


def _needed(facts: StudyFacts) -> Iterator[object]:
    """Yield what it takes beside the study file."""
    yield from (joined(["The runs begin with ", citation, "."]) for citation, _ in facts.beginnings)
    if facts.code:
        yield f"Functions that measure are not in it: {', '.join(facts.code)}."
    if not facts.by_rules:
        yield "Answers of a model can be others the next time; a bundle of the study has those that were given."
    bundle = element("code", f"{typed('study')} bundle {facts.note.name}")
    verify = element("code", f"{typed('study')} verify {facts.note.name}.zip")
    yield joined([bundle, " writes all runs as one archive; ", verify, " computes its tables again, without a call."])
