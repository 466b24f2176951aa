"""The pages of studies: how far their runs have come, what was measured, and what people answered."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from translator import forms
from translator.decorators import data, page
from translator.errors import BadRequest, NotFound
from translator.rights.access import Right, check_right, right_to_act
from translator.shown import page_data
from translator.shown.listed import Listed, lists
from translator.shown.studies_listed import study_entry
from translator.shown.study_progress import run_link, study_progress
from translator.storage.evaluations import evaluation_names
from translator.storage.runs import simulations
from translator.storage.studies import FoundStudy, find_study
from translator.storage.studies import studies as all_studies
from ville.analysis.named_measures import KNOWN
from ville.analysis.statistics_table import differences_in_latex, statistics_table
from ville.analysis.study_figures import FigureWords, colour, draw_measure, figure_files
from ville.analysis.study_numbers import measure_numbers
from ville.analysis.study_statistics import MeasureByArm, measures_by_arm
from ville.json_types import JsonObject

TABLES = ("runs.csv", "answers.csv")
GROUPS = "groups.csv"
"""Table of a study that draws groups."""
TEXT = "text"
"""Form of answers in words."""
"""Have costs and answers, and so are for those who may act."""
STATISTICS, DIFFERENCES = "statistics.csv", "differences.tex"
VALIDITY = ("colour", "doubt", "title", "shown", "says", "todo")
"""Parts of a finding that are shown."""
COLOURS = ("red", "amber", "unknown", "green")
KINDS = {"csv": "text/csv; charset=utf-8", "tex": "text/plain; charset=utf-8", "svg": "image/svg+xml"}


@page
def studies(request: HttpRequest) -> HttpResponse:
    """List all studies, and to those who may act evaluations, whose answers they can rank."""
    found = all_studies()
    entries = [study_entry(each) for each in found.studies]
    evaluations = evaluation_names() if right_to_act(request) is Right.YES else []
    return render(
        request, "studies.html", {"studies": entries, "evaluations": evaluations, "damage": found.damage}
    )  # fmt: skip


@page
def new_study(request: HttpRequest) -> HttpResponse:
    """Offer a form for a new study, which the engine checks and runs."""
    check_right(request)
    known = all_studies()
    found = lists(running=None, left_out=known.simulations)
    towns = {"bases": [*found.offered, *found.others], "saved": found.saved}
    context = {
        "page": page_data.page(
            "new_study",
            towns={kind: [_town(each) for each in several] for kind, several in towns.items()},
            measures=list(KNOWN),
            taken=[each.name for each in known.studies],
        )
    }
    return render(request, "new_study.html", context)


@page
def study(request: HttpRequest, study: str) -> HttpResponse:
    """Show a study. Its script fetches the rest."""
    found, may_act = find_study(forms.study(study)), right_to_act(request) is Right.YES
    context = {
        "study": study_entry(found),
        "page": page_data.page("study", name=found.name, arms=_arms(found), seeds=found.note.seeds),
        "damage": found.damage,
        "tables": (STATISTICS, DIFFERENCES, *(_tables(found) if may_act else ())),
        "has_groups": _has_groups(found),
        "validity": _validity(found) if may_act else (),
        "kept": {job.kept for job in found.runs if job.state == "done"},
    }
    return render(request, "study.html", context)


def _has_groups(found: FoundStudy) -> bool:
    return any(job.groups for job in found.runs)


def _tables(found: FoundStudy) -> tuple[str, ...]:
    """Return the tables of those who may act."""
    return (*TABLES, GROUPS) if _has_groups(found) else TABLES


def _form(form: str) -> str:
    """Return the form of an answer in signs: its choices, the ends of its scale, or its unit; empty for words."""
    kind, _separator, rest = form.partition(" ")
    if kind == "scale":
        return rest.replace(" to ", "–", 1)
    return rest.removeprefix("of ") if kind in {"choice:", "number"} else ""


def _validity(found: FoundStudy) -> list[dict[str, str]]:
    """Return the findings of the last report of validity, as texts; it quotes what people said."""
    report = found.validity or {}
    findings = report.get("findings")
    rows = [each for each in findings if isinstance(each, dict)] if isinstance(findings, list) else []
    return [{key: str(each.get(key) or "") for key in VALIDITY} for each in rows if each.get("colour") in COLOURS]


@data
def progress(request: HttpRequest, study: str) -> HttpResponse:
    """Return how far the runs of a page have come; to those who may only watch, without cost and faults."""
    found, may_act = find_study(forms.study(study)), right_to_act(request) is Right.YES
    page = _page_number(request)
    return JsonResponse(study_progress(found, simulations.codes(), page=page, may_act=may_act))


def _page_number(request: HttpRequest) -> int:
    """Return which page of runs an address asks for, counted from 0. Raises BadRequest."""
    text = request.GET.get("page", "0")
    if not forms.FEW_DIGITS.fullmatch(text):
        raise BadRequest(_("There is no such page of this list."))
    return int(text)


@data
def results(request: HttpRequest, study: str) -> HttpResponse:
    """Return what was measured, with a figure of each measure, and, to those who may act, what people answered."""
    found = find_study(forms.study(study))
    files, links = figure_files(found.note.measures), _links(found)
    measures = [
        {**measure_numbers(each), "file": files[each.measure], "svg": draw_measure(each, words=_words(), links=links)}
        for each in _measures(found)
    ]
    may_act = right_to_act(request) is Right.YES
    return JsonResponse({"measures": measures, "questions": _questions(found) if may_act else []})


@data
def file(request: HttpRequest, study: str, file: str) -> HttpResponse:
    """Return a figure or the statistics; or a table that has costs and answers, to those who may act."""
    found, name = find_study(forms.study(study)), forms.study_file(file)
    if name in (*TABLES, GROUPS):
        check_right(request)
        text = found.table(name)
    else:
        text = _measured_file(found, name)
    if not text:
        raise NotFound(_("The study %(name)s has no file called %(file)s.") % {"name": found.name, "file": name})
    attached = {"Content-Disposition": f'attachment; filename="{name}"'} if name.isascii() else {}
    return HttpResponse(text, content_type=KINDS[name.rpartition(".")[2]], headers=attached)


def _measured_file(found: FoundStudy, name: str) -> str:
    """Return a file of what was measured so far; empty if there is none of this name."""
    if name == STATISTICS:
        return statistics_table(_measures(found)).to_csv()
    if name == DIFFERENCES:
        return differences_in_latex(_measures(found))
    files = figure_files(found.note.measures)
    chosen = (each for each in _measures(found) if files[each.measure] == name)
    return next((draw_measure(each, title=each.measure, words=_words()) for each in chosen), "")


def _town(listed: Listed) -> dict[str, str]:
    """Return a town from which runs can begin."""
    return {"name": listed.sim_code, "title": listed.title, "past": listed.past}


def _arms(found: FoundStudy) -> list[dict[str, str]]:
    """Return the arms with their colours in figures."""
    return [{"name": name, "colour": colour(place)} for place, name in enumerate(found.note.arms)]


def _links(found: FoundStudy) -> dict[str, str]:
    known = simulations.codes()
    return {job.run: link for job in found.runs if (link := run_link(job, known))}


def _measures(found: FoundStudy) -> Sequence[MeasureByArm]:
    return measures_by_arm(found.note.measures, found.note.arms, found.runs, found.registration)


def _words() -> FigureWords:
    """Return the texts of figures in the language of the reader."""
    return FigureWords(
        note=_(
            "Dots: runs; lines join runs of the same seed. Black: mean with 95% interval. p: permutation test, "
            "adjusted for all differences of the study (Holm). Hollow and dashed: too few runs to say."
        ),
        difference=_("difference to %(arm)s"),
        paired=_("paired by seed"),
        unpaired=_("of means, not paired"),
        too_few=_("too few to say"),
        exploratory=_("exploratory"),
        partly=_("%(done)s of %(all)s runs"),
        seed=_("%(arm)s, seed %(seed)s: %(value)s"),
        decimal="," if (get_language() or "").startswith("ru") else ".",
    )


def _questions(found: FoundStudy) -> list[JsonObject]:
    """Return the answers by question, base and person, in the order of the runs; a single base is not named."""
    asked: dict[tuple[str, ...], dict[str, list[JsonObject]]] = {}
    has_several = len({job.base for job in found.runs}) > 1
    for job in found.runs:
        for answer in job.result.answers if job.result else ():
            key = (answer.ask, answer.when, answer.role, job.base if has_several else "", _form(answer.form))
            usable = answer.form == TEXT or answer.value is not None
            said: JsonObject = {"arm": job.arm, "seed": job.seed, "answer": answer.answer, "usable": usable}
            asked.setdefault(key, {}).setdefault(answer.who, []).append(said)
    return [
        dict(zip(("ask", "when", "role", "base", "form"), key, strict=True))
        | {"people": [{"who": who, "said": said} for who, said in people.items()]}
        for key, people in asked.items()
    ]
