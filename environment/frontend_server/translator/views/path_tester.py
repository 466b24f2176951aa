"""The path tester: the page says where its camera is, the engine answers what somebody there would learn."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator import page_data
from translator.decorators import data as data_route
from translator.decorators import exchange, page
from translator.forms import CameraReport, read_body
from translator.storage import live_state, maps

MAZE = "the_ville"
"""The path tester has never asked which simulation runs."""


@page
def path_tester(request: HttpRequest) -> HttpResponse:
    context = {"page": page_data.page("path_tester", maze_name=MAZE, map=maps.map_url(MAZE))}
    return render(request, "path_tester.html", context)


@exchange
def path_tester_update(request: HttpRequest) -> HttpResponse:
    live_state.point_camera(read_body(CameraReport, request.body).camera)
    return HttpResponse("received")


@data_route
def path_tester_out(request: HttpRequest) -> HttpResponse:
    """The spatial memory that has been gathered; with `?download` as a file."""
    response = JsonResponse(live_state.seen(), json_dumps_params={"indent": 2})
    if "download" in request.GET:
        response["Content-Disposition"] = 'attachment; filename="spatial_memory.json"'
    return response
