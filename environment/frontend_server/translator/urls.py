"""All routes, each with and without a slash at its end."""

from django.urls import URLPattern, path
from django.views.i18n import JavaScriptCatalog

from translator import decorators
from translator.decorators import View
from translator.views import (
    acting,
    compare,
    data,
    exchange,
    feed,
    keeping,
    model,
    pages,
    path_tester,
    replay,
    share,
    sign_in,
    state,
    study,
    wallet,
)


def route(address: str, view: View, name: str) -> list[URLPattern]:
    """Return both forms of a route. Links use the first."""
    other = address.removesuffix("/") if address.endswith("/") else f"{address}/"
    return [path(address, view, name=name), path(other, view)]


urlpatterns = [
    path("", pages.landing, name="landing"),
    *route("simulator_home", pages.home, "home"),
    *route("towns/<str:form>/", pages.town_list, "town_list"),
    *route("demo/<str:sim>/<str:step>/<str:play_speed>/", replay.demo, "demo"),
    *route("replay/<str:sim>/<str:step>/", replay.replay, "replay"),
    *route("compare/", compare.choice, "compare_choice"),
    *route("compare/<str:a>/<str:b>/", compare.compare, "compare"),
    *route("comparison/<str:a>/<str:b>/", compare.comparison, "comparison"),
    *route("repeats/<str:a>/<str:b>/", compare.repeats, "repeats"),
    *route("study/", study.studies, "studies"),
    *route("study/<str:study>/", study.study, "study"),
    *route("new_study/", study.new_study, "new_study"),
    *route("study_data/<str:study>/", study.progress, "study_data"),
    *route("study_results/<str:study>/", study.results, "study_results"),
    *route("study_file/<str:study>/<str:file>/", study.file, "study_file"),
    *route("share/<str:sim>/", share.share, "share"),
    *route("shared_file/<str:sim>/", share.file, "shared_file"),
    *route("share_comparison/<str:a>/<str:b>/", share.share_comparison, "share_comparison"),
    *route("shared_comparison/<str:a>/<str:b>/", share.comparison_file, "shared_comparison"),
    *route("share_study/<str:study>/", share.share_study, "share_study"),
    *route("shared_study/<str:study>/", share.study_file, "shared_study"),
    *route("wallet/", wallet.wallet, "wallet"),
    *route("model/", model.model, "model"),
    *route("model_choice/", model.choose, "model_choice"),
    *route("model_key/", model.forget_key, "model_key"),
    *route("replay_persona_state/<str:sim>/<str:step>/<str:name>/", state.persona_state, "replay_persona_state"),
    *route("process_environment/", exchange.process_environment, "process_environment"),
    *route("update_environment/", exchange.update_environment, "update_environment"),
    *route("act/<str:sim>/", acting.act, "act"),
    *route("acts/<str:sim>/<str:number>/", acting.acknowledged, "acts"),
    *route("engine/", acting.ask_engine, "engine"),
    *route("engine/<str:number>/", acting.engine_acknowledged, "engine_acts"),
    *route("visit/<str:sim>/", acting.visit, "visit"),
    *route("kept/<str:form>/<str:sim>/", keeping.kept, "kept"),
    *route("keep/rename/", keeping.rename, "keep_rename"),
    *route("keep/delete/", keeping.delete, "keep_delete"),
    *route("keep/restore/", keeping.restore, "keep_restore"),
    *route("keep/describe/", keeping.describe, "keep_describe"),
    *route("keep/mark/", keeping.mark, "keep_mark"),
    *route("keep/shrink/", keeping.shrink, "keep_shrink"),
    *route("marks/<str:sim>/", keeping.marks, "marks"),
    *route("bin/", keeping.bin_list, "bin"),
    *route("sign_in/", sign_in.sign_in, "sign_in"),
    *route("sign_out/", sign_in.sign_out, "sign_out"),
    *route("path_tester/", path_tester.path_tester, "path_tester"),
    *route("path_tester_update/", path_tester.path_tester_update, "path_tester_update"),
    *route("path_tester_out/", path_tester.path_tester_out, "path_tester_out"),
    *route("status/", data.status, "status"),
    *route("branches/", data.branches, "branches"),
    *route("tree/", data.tree, "tree"),
    *route("live/<str:sim>/", data.now, "live"),
    *route("frames/<str:sim>/<str:first>/<str:last>/", data.frames, "frames"),
    *route("timeline/<str:sim>/", data.timeline, "timeline"),
    *route("feed/<str:sim>/", feed.feed, "feed"),
    *route("places/<str:maze>/", data.places, "places"),
    *route("looks/", data.looks, "looks"),
    *route("kinds/", data.kinds, "kinds"),
    *route("memories/<str:sim>/<str:name>/", state.memories, "memories"),
    *route("reach/<str:sim>/<str:step>/", state.reach, "reach"),
    *route("minds/<str:sim>/<str:step>/", state.minds, "minds"),
    *route("days/<str:sim>/<str:name>/", state.days, "days"),
    *route("jsi18n/", decorators.data(JavaScriptCatalog.as_view()), "javascript-catalog"),
]
