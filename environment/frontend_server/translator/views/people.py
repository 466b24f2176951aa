"""The page on which the people of a town are edited and added, and the looks that are drawn for it.

What is changed is asked of the engine, which begins a new simulation with it; the present one stays as it is.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator import forms
from translator.damage import damage_lines
from translator.decorators import acting, page, private
from translator.rights.access import check_right
from translator.shown import look_parts, page_data
from translator.shown.residents import USUAL, longest, residents
from translator.storage.runs import simulations
from translator.storage.runs.spoken import language_code
from translator.storage.runs.titles import title_of
from translator.storage.town import drawn_looks

FEW = 30
"""People among whom one finds somebody without a search."""


@page
def people(request: HttpRequest, sim: str) -> HttpResponse:
    """Show who lives in a saved simulation, in everyday words that can be changed."""
    check_right(request)
    simulation = simulations.find_saved(forms.sim_code(sim))
    found = residents(simulation)
    title = title_of(simulation.root)
    shown = page_data.page(
        "people",
        sim_code=simulation.code,
        title=title,
        language=language_code(simulation),
        personas=[each.persona for each in found.everyone],
        characters={each.persona["name"]: {**each.character, "home": each.home.words} for each in found.everyone},
    )
    context = {
        "page": shown,
        "title": title,
        "residents": found.everyone,
        "free": found.free,
        "many": len(found.everyone) > FEW,
        "usual": USUAL,
        "longest": longest(),
        "samples": look_parts.samples(),
        "parts": look_parts.kinds(),
        "is_begun": bool(simulation.meta.step),
        "damage": damage_lines(found.flaws),
    }
    return render(request, "people.html", context)


@private
def generated_look(request: HttpRequest) -> HttpResponse:
    """Return the look that goes with the words `?like=`, always the same."""
    return JsonResponse(drawn_looks.generated(forms.persona_name(request.GET.get("like", ""))))


@private
def look_picture(request: HttpRequest) -> HttpResponse:
    """Return the portrait and the figure of the look that `?look=` describes."""
    parts = forms.read_body(forms.LookParts, request.GET.get("look", "").encode())
    return HttpResponse(drawn_looks.picture(drawn_looks.look_of(parts.model_dump())), content_type="image/png")


@acting
def keep_look(request: HttpRequest) -> HttpResponse:
    """Draw the pictures of a look; return the name of its sprite sheet."""
    body = forms.read_body(forms.NewLook, request.body)
    look = drawn_looks.look_of(body.look.model_dump())
    return JsonResponse({"look": drawn_looks.keep(forms.persona_name(body.name), look)})
