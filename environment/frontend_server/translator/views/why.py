"""The page that traces what someone did, said or thought back to its causes, and tests them.

It is for those who may act: causes are whispers, thoughts and prompts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from translator.decorators import page, private
from translator.errors import BadRequest
from translator.forms import LONGEST_TEXT, Step
from translator.persona_name import PersonaName
from translator.rights.access import Right, right_to_act
from translator.shown.engine_lines import engine_line
from translator.shown.run_pages import run_page
from translator.storage.computed.analyses import analysis, read_once
from translator.storage.runs.call_indexes import ledger_folder
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from translator.views import lookups
from translator.views.answers import unfinished
from ville.command_lines import typed
from ville.json_types import JsonObject

NODE = re.compile(r"node_[0-9]{1,9}")
UNHEARD = "Its questions, the scores of memories and the entries of plans: "
"""As the engine says what it could not compute again, before the reason."""


@dataclass(frozen=True)
class AskedAct:
    """Act that a page asks about: what a persona does at a step, has last said until then, or remembers."""

    who: PersonaName
    step: Step
    """Number of the step; a live run may be saved only up to an earlier one."""
    said: str
    memory: str

    def flags(self) -> list[str]:
        """Return the act as arguments of `ville why`."""
        said, memory = [f"--said={self.said}"] if self.said else [], [f"--memory={self.memory}"] if self.memory else []
        return [self.who.name, *said, *memory]

    def query(self) -> dict[str, object]:
        words = {"said": self.said, "memory": self.memory}
        return {"who": self.who.name, "step": self.step, **{key: text for key, text in words.items() if text}}


@page
def why(request: HttpRequest, sim: str) -> HttpResponse:
    """Show the causes of an act, which the page fetches: finding them takes seconds. Without an act, ask for one."""
    simulation = lookups.run_shown(request, sim)
    may_act = right_to_act(request) is Right.YES
    asked = _asked(request, simulation) if may_act and request.GET.get("who") else None
    query = urlencode({**asked.query(), "store": simulation.store}) if asked else ""
    address = {name: f"{reverse(name, args=[simulation.code])}?{query}" for name in ("why_data", "why_test")}
    context = {
        **run_page(
            simulation,
            "why",
            data=address["why_data"] if asked else "",
            test=address["why_test"] if asked and _is_exact(simulation) else "",
            saved_step=simulation.meta.step,
            step=asked.step if asked else simulation.steps - 1,
        ),
        "may_act": may_act,
        "asked": asked,
        "at": f"{simulation.meta.time_of(asked.step if asked else simulation.steps - 1):%H:%M}",
        "people": list(dict.fromkeys([*simulation.meta.persona_names, *_former(simulation)])),
        "typed": _typed(simulation, asked) if asked and ledger_folder(simulation) else "",
    }
    return render(request, "why.html", context)


def _former(simulation: StoredSimulation) -> list[str]:
    """Return who has lived there and moved away."""
    return [name for name, entry in simulation.cast.items() if not entry.visitor]


@private
def chain(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the causes of an act; 202 while they are looked for."""
    return _answer(request, lookups.run_shown(request, sim))


@private
def verdicts(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the causes of an act with what becomes of it without each; 202 while the run is run without them. Only for
    runs by the rules: others would ask a model.
    """
    simulation = lookups.run_shown(request, sim)
    if not _is_exact(simulation):
        raise BadRequest(_("Only causes of saved runs by the offline rules can be tested here."))
    return _answer(request, simulation, "--test")


def _answer(request: HttpRequest, simulation: StoredSimulation, *flags: str) -> HttpResponse:
    asked = _asked(request, simulation)
    at = str(min(asked.step, simulation.meta.step)) if simulation.store is Store.SAVED else str(asked.step)
    job = analysis(simulation, "why", [*asked.flags(), *flags], may_act=True, at=at)
    return unfinished(request, job) or JsonResponse(_told(job.found))


def _asked(request: HttpRequest, simulation: StoredSimulation) -> AskedAct:
    """Return the act that an address asks about. Raises BadRequest and NotFound."""
    who = lookups.persona(simulation, request.GET.get("who", ""))
    step = lookups.shown_step(simulation, request.GET.get("step", "end"))
    lookups.check_shown(simulation, step)
    return AskedAct(who, step, *_words(request.GET))


def _words(values: Mapping[str, str]) -> tuple[str, str]:
    """Return the words that were said, or the id of a memory, that an address asks about; both are empty for what
    someone does. Raises BadRequest.
    """
    said, memory = " ".join(values.get("said", "").split()), values.get("memory", "")
    if (said and memory) or len(said) > LONGEST_TEXT or not said.isprintable():
        raise BadRequest(_("Ask for words that were said or for a memory, not for both."))
    if memory and not NODE.fullmatch(memory):
        raise BadRequest(_("This is not a memory: use its id, for example node_12."))
    return said, memory


def _is_exact(simulation: StoredSimulation) -> bool:
    """Return whether a run can be run once more without asking a model."""
    return simulation.store is Store.SAVED and ledger_folder(simulation) is None


def _told(found: bytes) -> JsonObject:
    """Return a chain as its page shows it: of what was asked, only the retrievals for the act itself."""
    values = read_once(found)
    first = values["first"]
    causes = {}
    for key, cause in values["causes"].items():
        asked = [{"question": each["question"], "retrievals": each["retrievals"]} for each in cause["asked"][-1:]]
        told = {name: part for name, part in cause.items() if name not in {"asked", "removal", "key"}}
        causes[key] = told | {"asked": asked if key == first else []}
    start, given, reason = str(values["missing"]).partition(UNHEARD)
    missing = start + given + engine_line(reason)
    verdicts = [{**each, "why": engine_line(each["why"])} for each in values["verdicts"]]
    return {**values, "causes": causes, "missing": missing, "verdicts": verdicts}


def _typed(simulation: StoredSimulation, asked: AskedAct) -> str:
    """Return the command that tests these causes, and says first what the answers of the model would cost."""
    return typed("why", f"{simulation.code}@{asked.step}", *asked.flags(), "--test")
