"""The town as it is now."""

import os
import shutil

import pytest
from evaluation_files import write_evaluation

import ville


def test_the_list_has_every_simulation_once(stage, client):
    """Those that were run, those that were not, and those that were compressed."""
    stage.save("base")
    stage.save("run", stage.walk(3))
    stage.compress("packed", stage.walk(4))
    context = client.get("/").context
    found = {
        kind: [(line.sim_code, line.steps) for line in getattr(context[kind], "all", context[kind])]
        for kind in ("saved", "bases", "recorded")
    }
    assert found == {"saved": [("run", 3)], "bases": [("base", 0)], "recorded": [("packed", 4)]}
    assert context["live"] is None


def test_a_town_that_has_begun_is_not_one_to_begin_with(stage, client):
    """Neither the one that runs, in which nothing has happened yet, nor one that went on from another's save."""
    for name, meta in (("base", {}), ("live", {}), ("later", stage.meta("later", 40))):
        stage.save(name, **meta)
    stage.announce("live")
    context = client.get("/").context
    assert context["live"]["sim_code"] == "live"
    assert [line.sim_code for line in context["bases"]] == ["base"]
    assert {line.sim_code for line in context["saved"].all} == {"later", "live"}
    page = client.get("/").content.decode()
    assert "/replay/later/" not in page
    assert 'data-open="later"' in page
    assert "“live” is open" in page


@pytest.mark.parametrize(("steps", "waking"), [(500, 400), (400, 0), (30, 0)])
def test_the_list_leads_to_where_the_town_wakes_up(stage, client, steps, waking):
    """A link of the list begins at 06:40 of the first day, if the recording reaches that far, else at its beginning."""
    stage.compress("long", stage.walk(steps))
    assert f"/demo/long/{waking}/3/" in client.get("/").content.decode()


def test_the_newest_comes_first(stage, client):
    """Users look for the simulation that they have just saved."""
    for number, name in enumerate(("first", "third", "second")):
        folder = stage.save(name, stage.walk(2))
        os.utime(folder / "reverie" / "meta.json", (number, number))
    assert [line.sim_code for line in client.get("/").context["saved"].all] == ["second", "third", "first"]


def test_the_list_says_what_runs(stage, client):
    """With what the engine does."""
    stage.save("run", stage.walk(3))
    stage.announce("run", 3)
    assert client.get("/").context["live"]["sim_code"] == "run"
    stage.announce("gone")
    assert client.get("/").context["live"] is None


def test_home_shows_what_runs_again_and_again(stage, client):
    """A page opened twice shows the same: it takes nothing away."""
    stage.save("run", stage.walk(3))
    stage.announce("run", 3)
    for _ in range(3):
        context = client.get("/simulator_home").context
        assert (context["mode"], context["sim_code"], context["step"]) == ("simulate", "run", 3)
        assert context["persona_init_pos"] == [["Ada Stone", 2, 1], ["Ben van Reed", 9, 1]]


@pytest.mark.parametrize("announced", [None, "gone", "../run", "", 5])
def test_without_an_engine_home_says_what_to_type(stage, client, announced):
    """Also when what is announced is no simulation here."""
    if announced is not None:
        stage.announce(announced)
    answer = client.get("/simulator_home")
    assert answer.status_code == 200
    assert "start_backend.html" in [template.name for template in answer.templates]


@pytest.mark.parametrize(
    "address",
    ["/simulator_home", "/path_tester", "/status", "/replay/run/0", "/demo/run/0/2", "/live/run", "/timeline/run"],
)
def test_a_slash_makes_no_difference(stage, client, address):
    """At the end of an address."""
    stage.save("run", stage.walk(1))
    stage.compress("run", stage.walk(1))
    assert client.get(address).status_code == client.get(f"{address}/").status_code == 200


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_page_speaks_the_readers_language(client, language):
    """As the browser asks for it, and as the reader chooses on the page."""
    answer = client.get("/", headers={"Accept-Language": language})
    assert f'<html lang="{language}"' in answer.content.decode()
    token = client.cookies["csrftoken"].value
    client.post("/i18n/setlang/", {"language": language, "next": "/", "csrfmiddlewaretoken": token})
    assert f'<html lang="{language}"' in client.get("/").content.decode()


def test_no_page_needs_a_database(stage, client):
    """Only admin/ has one: these tests have none at all, and the pages answer."""
    stage.save("run", stage.walk(2))
    assert client.get("/").status_code == 200
    assert client.get("/admin/").status_code == 302
    assert client.get("/admin")["Location"] == "/admin/"


def test_an_unknown_name_of_this_machine_is_told_how_to_be_known(client):
    """A user who opens the page from elsewhere reads which setting is missing."""
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "VILLE_HOSTS" in answer.content.decode()


def test_the_front_page_names_the_version(client):
    """As the package has it, in both languages."""
    assert f"The Ville, version {ville.__version__}" in client.get("/").content.decode()
    assert f"Вилль, версия {ville.__version__}" in client.get("/", headers={"accept-language": "ru"}).content.decode()


def test_ratings_of_everybody_stay_on_this_machine(stage, client):
    """Who acts from elsewhere gets those of the name that is given; a copy without key and answers can be rated."""
    folder = write_evaluation(stage.studies)
    (folder.root / "key.json").unlink()
    shutil.rmtree(folder.root / "answers", ignore_errors=True)
    far = {"REMOTE_ADDR": "192.168.1.9"}
    assert client.get("/rate_task/party/", {"rater": "Ada"}, **far).json()["cards"]
    assert client.get("/ratings_file/party/").status_code == 200
    assert client.get("/ratings_file/party/", **far).status_code == 403
    assert client.get("/ratings_file/party/", {"rater": "Ada"}, **far).status_code == 200


def test_a_recording_that_was_cut_is_damage_and_not_offered(stage, client):
    """Also one that was listed before; a whole one beside it still is."""
    stage.compress("whole", stage.walk(4))
    path = stage.compress("cut", stage.walk(4)) / "master_movement.json"
    assert len(client.get("/").context["recorded"].all) == 2
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    page = client.get("/")
    assert [line.sim_code for line in page.context["recorded"].all] == ["whole"]
    assert "/demo/cut/" not in page.content.decode()
    assert any("cut" in line for line in page.context["damage"])


def test_pages_of_what_runs_lead_to_where_it_is_live(stage, client):
    """Those of other runs to their first step."""
    stage.save("run", stage.walk(3))
    stage.save("other", stage.walk(3))
    stage.announce("run", 3)
    link = '<a class="kicker" href="{}" data-part="watch">{}</a>'
    assert link.format("/simulator_home", "Live") in client.get("/story/run/").content.decode()
    assert link.format("/replay/other/0/", "Watch") in client.get("/story/other/").content.decode()
