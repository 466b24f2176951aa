"""The path tester: a page reports where its camera is, the engine answers what a persona would learn there."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator.decorators import data as data_route
from translator.decorators import exchange, page
from translator.forms import CameraReport, read_body
from translator.rights.access import check_right
from translator.shown import page_data
from translator.storage.runs.live_state import temp_storage
from translator.storage.town import maps

MAZE = "the_ville"
"""The path tester of the released server shows this map, whichever simulation runs."""


@page
def path_tester(request: HttpRequest) -> HttpResponse:
    town = {"maze_name": MAZE, "map": maps.map_url(MAZE), "picture": maps.small_picture(MAZE)}
    return render(request, "path_tester.html", {"page": page_data.page("path_tester", **town)})


@exchange
def path_tester_update(request: HttpRequest) -> HttpResponse:
    check_right(request)
    temp_storage().point_camera(read_body(CameraReport, request.body).camera.model_dump())
    return HttpResponse("received")


@data_route
def path_tester_out(request: HttpRequest) -> HttpResponse:
    """Return the spatial memory gathered so far; with `?download` as a file."""
    response = JsonResponse(temp_storage().seen_places(), json_dumps_params={"indent": 2})
    if "download" in request.GET:
        response["Content-Disposition"] = 'attachment; filename="spatial_memory.json"'
    return response
