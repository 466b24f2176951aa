"""Find the simulation, persona and step that an address names."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

from translator import forms
from translator.damage import message
from translator.errors import BadRequest, NotFound
from translator.forms import Step
from translator.persona_name import PersonaName
from translator.storage.runs import simulations
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from ville.errors import BadMoment
from ville.storage.past.moments import END, step_at


def simulation(request: HttpRequest, code: str) -> StoredSimulation:
    """Return a simulation from the store that `?store=` names, else a saved one before a compressed one.

    Raises BadRequest or NotFound.
    """
    given = request.GET.get("store")
    return simulations.find(forms.sim_code(code), None if given is None else store(given))


def run_shown(request: HttpRequest, code: str) -> StoredSimulation:
    """Return a simulation, likewise, for a page of its whole run: one that has steps.

    Raises BadRequest or NotFound.
    """
    found = simulation(request, code)
    check_shown(found, Step(found.first))
    return found


def store(text: str) -> Store:
    """Return the form in which simulations are kept. Raises BadRequest."""
    if text not in {*Store}:
        raise BadRequest(_("There is no such store. Use saved or compressed."))
    return Store(text)


def persona(simulation: StoredSimulation, name: str) -> PersonaName:
    """Return a persona by its name, with spaces or underscores. Raises BadRequest or NotFound."""
    wanted = forms.persona_name(name).replace(" ", "_")
    for known in dict.fromkeys([*simulation.meta.persona_names, *simulation.cast]):
        if PersonaName(known).underscore == wanted:
            _check_mind(simulation, known)
            return PersonaName(known)
    raise NotFound(_("There is no persona of that name in %(simulation)s.") % {"simulation": simulation.code})


def _check_mind(simulation: StoredSimulation, name: str) -> None:
    """Raise NotFound for a visitor, who is moved by a user."""
    if name not in simulation.meta.persona_names and simulation.cast[name].visitor:
        reason = _("%(name)s is a visitor, moved by a user: there are no memories, plans or settings to show.")
        raise NotFound(reason % {"name": name})


def shown_step(simulation: StoredSimulation, text: str) -> Step:
    """Return the step of a moment: its number, a game time (`18:00`, `February 13, 2023, 18:00:00`), or `end`.

    Raises BadRequest.
    """
    if text == END:
        return Step(max(0, simulation.steps - 1))
    if ":" not in text:
        return forms.step(text)
    try:
        return Step(step_at(simulation.code, simulation.meta, text))
    except BadMoment as fault:
        raise BadRequest(message(fault)) from None


def check_shown(simulation: StoredSimulation, step: Step) -> None:
    """Raise NotFound unless a step can be shown."""
    if simulation.has(step):
        return
    if not simulation.steps:
        reason = _("%(name)s has not been run yet, so there is nothing to replay.")
        raise NotFound(reason % {"name": simulation.code})
    raise no_step(simulation, step, simulation.steps - 1)


def check_reached(simulation: StoredSimulation, step: Step) -> None:
    """Raise NotFound for a step beyond the next one, for which memories may exist already."""
    if step > simulation.meta.step and step > simulation.steps:
        raise no_step(simulation, step, max(simulation.meta.step, simulation.steps))


def no_step(simulation: StoredSimulation, step: Step, last: int) -> NotFound:
    """Return the error for a step beyond the last one."""
    reason = _("%(name)s has no step %(step)s. Its last step is %(last)s.")
    return NotFound(reason % {"name": simulation.code, "step": step, "last": last})
