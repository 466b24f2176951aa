"""Which simulation, step and person an address means."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

from translator import forms
from translator.errors import BadRequest, NotThere
from translator.forms import Step
from translator.persona_name import PersonaName
from translator.storage import simulations
from translator.storage.stored_simulation import Store, StoredSimulation


def simulation(request: HttpRequest, code: str) -> StoredSimulation:
    """On the shelf that `?store=` names, else on either, saved simulations first. Raises BadRequest or NotThere."""
    store = request.GET.get("store")
    if store not in {None, *Store}:
        raise BadRequest(_("There is no such store: use saved or compressed."))
    return simulations.find(forms.sim_code(code), Store(store) if store else None)


def person(simulation: StoredSimulation, name: str) -> PersonaName:
    """Whoever is called that, with spaces or underscores. Raises BadRequest or NotThere."""
    wanted = forms.persona_name(name).replace(" ", "_")
    for known in simulation.meta.persona_names:
        if PersonaName(known).underscore == wanted:
            return PersonaName(known)
    raise NotThere(_("Nobody in %(simulation)s is called that.") % {"simulation": simulation.code})


def check_shown(simulation: StoredSimulation, step: Step) -> None:
    """Raises NotThere."""
    if simulation.has(step):
        return
    if not simulation.steps:
        reason = _("%(name)s has not been run yet: there is nothing to replay.")
        raise NotThere(reason % {"name": simulation.code})
    raise no_step(simulation, step, simulation.steps - 1)


def check_reached(simulation: StoredSimulation, step: Step) -> None:
    """Minds can also be looked into before the next step. Raises NotThere."""
    if step > simulation.meta.step and step > simulation.steps:
        raise no_step(simulation, step, max(simulation.meta.step, simulation.steps))


def no_step(simulation: StoredSimulation, step: Step, last: int) -> NotThere:
    """The fault of an address that names a step beyond the last one."""
    reason = _("%(name)s has no step %(step)s: its last one is %(last)s.")
    return NotThere(reason % {"name": simulation.code, "step": step, "last": last})
