"""The pages of studies tell how far the runs have come, and what came of them; watchers are told less."""

import json
import os
import sqlite3
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest

from ville.storage.studies.study_calls import FILE, SCHEMA
from ville.storage.studies.study_folder import StudyAnswer

SECRETS = ('"fault"', '"cost"', "0.25", "are coming", "No such model", "runs.csv", "answers.csv")


@pytest.fixture
def party(stage):
    """Two arms of three seeds. One run has failed, one was running when its program was killed, one waits."""
    folder = stage.plan_study("party", {"plain": {1: 4.0, 2: 6.0, 3: 8.0}, "told": {1: 1.0, 2: None, 3: None}})
    for run, changes in (
        ("plain-s3", {"state": "failed", "fault": "No such model. Choose another one.", "result": None, "step": 2}),
        ("told-s2", {"state": "running", "step": 3}),
    ):
        folder.write_job(folder.job(run).model_copy(update=changes))
    stage.save("party-plain-s1", stage.walk(4))
    stage.save("mine", stage.walk(4))
    with closing(sqlite3.connect(folder.root / FILE)) as calls, calls:
        calls.executescript(SCHEMA)
        rows = [("", "here", 100, 0.25), ("", "here", 200, 0.25), ("1-ab", "here", 1000, 0.5)]
        calls.executemany("INSERT INTO calls (process, provider, tokens, cost) VALUES (?, ?, ?, ?)", rows)
    return folder


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 - drawn by the server under test


def states(answer):
    return {job["run"]: job["state"] for job in answer.json()["jobs"]}


def test_it_says_how_far_each_run_has_come(stage, client, party):
    """Nothing is written; what ran when its program was killed has stopped, until a program runs the study again."""
    before = stage.files()
    answer = client.get("/study_data/party/")
    told = answer.json()
    assert states(answer) == {
        "plain-s1": "done", "plain-s2": "done", "plain-s3": "failed", "told-s1": "done", "told-s2": "stopped",
        "told-s3": "waiting",
    }  # fmt: skip
    assert (told["state"], told["done"], told["steps_done"], told["steps"]) == ("stopped", 3, 4 + 4 + 2 + 4 + 3, 24)
    assert stage.files() == before
    with party.lock():
        answer = client.get("/study_data/party/")
        assert (answer.json()["state"], states(answer)["told-s2"]) == ("running", "running")


def test_what_running_jobs_have_used_is_counted(stage, client, party):
    """A call that is open while the study is run has not been charged yet; one that a killed program left may have
    been. Nothing is written beside the calls, and offline runs have none.
    """
    before = stage.files()
    with party.lock():
        running = client.get("/study_data/party/").json()["spent"]
    assert running == {"calls": 2, "tokens": 300, "cost": 0.5, "open": 1}
    assert client.get("/study_data/party/").json()["spent"] == {"calls": 3, "tokens": 1300, "cost": 1.0, "open": 0}
    assert stage.files() == before
    (party.root / FILE).unlink()
    assert client.get("/study_data/party/").json()["spent"] is None


@pytest.mark.usefixtures("party")
def test_what_has_not_changed_is_not_sent_again(client):
    """The page asks every two seconds."""
    tag = client.get("/study_data/party/").headers["ETag"]
    assert client.get("/study_data/party/", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.usefixtures("party")
def test_results_are_those_of_the_runs_that_are_done(client):
    """Each is a dot; it leads to its run if the simulation is still there. Answers are by question and person."""
    found = client.get("/study_results/party/").json()
    (guests,) = found["measures"]
    (base,) = guests["bases"]
    assert [arm["estimate"]["mean"] for arm in base["arms"]] == [5, 1]
    assert base["arms"][1]["difference"]["mean"] == 1 - 4
    root = parsed(guests["svg"])
    assert sum(each.get("class") == "dot" for each in root.iter()) == 3
    assert [each.get("href") for each in root.iter() if each.tag.endswith("}a")] == ["/replay/party-plain-s1/0/"]
    (question,) = found["questions"]
    (person,) = question["people"]
    assert [(said["arm"], said["seed"]) for said in person["said"]] == [("plain", 1), ("plain", 2), ("told", 1)]


def test_typed_answers_have_their_form_and_groups_a_caution(client, afar, party):
    """An answer that is not usable is marked; words never are. Who was drawn is for those who may act."""
    assert 'data-part="interference"' not in client.get("/study/party/").content.decode()
    job = party.job("plain-s1")
    asked = {"when": "end", "who": "Ada Stone"}
    answers = [
        StudyAnswer(ask="How well?", answer="7", value=7.0, form="scale 1 to 7", **asked),
        StudyAnswer(ask="How far?", answer="far", form="number of miles", **asked),
        StudyAnswer(ask="Or not?", answer="or", value="or", form="choice: or / not", **asked),
        StudyAnswer(ask="Why?", answer="So.", **asked),
    ]
    result = job.result.model_copy(update={"answers": answers})
    party.write_job(job.model_copy(update={"result": result, "groups": {"told": ["Ada Stone"], "rest": ["Ben Reed"]}}))
    party.write_table("groups.csv", "run,group\n")
    found = {each["ask"]: each for each in client.get("/study_results/party/").json()["questions"]}
    shown = {ask: (each["form"], each["people"][0]["said"][0]["usable"]) for ask, each in found.items()}
    wanted = {
        "How well?": ("1–7", True),
        "How far?": ("miles", False),
        "Or not?": ("or / not", True),
        "Why?": ("", True),
    }
    assert shown.items() >= wanted.items()
    assert 'data-part="interference"' in client.get("/study/party/").content.decode()
    assert client.get("/study_file/party/groups.csv/").content == b"run,group\n"
    assert afar().get("/study_file/party/groups.csv/").status_code == 403


@pytest.mark.usefixtures("party")
def test_figures_and_tables_can_be_saved(client):
    """A figure as it is shown, with its title and no links; what is neither is refused."""
    figure = client.get("/study_file/party/guests.svg/")
    assert (figure.headers["Content-Type"], b"<a " in figure.content) == ("image/svg+xml", False)
    assert parsed(figure.content).tag.endswith("svg")
    assert client.get("/study_file/party/runs.csv/").content == b"run,cost\n"
    statistics = client.get("/study_file/party/statistics.csv/")
    assert statistics.content.decode().startswith("measure,base,arm,runs,mean,")
    assert client.get("/study_file/party/differences.tex/").content.startswith(rb"\begin{tabular}")
    refused = [
        client.get(f"/study_file/party/{name}/").status_code for name in ("none.svg", "study.json", "timings.csv")
    ]
    assert refused == [404, 400, 404]


@pytest.mark.usefixtures("party")
def test_watchers_see_measures_but_neither_cost_nor_faults_nor_answers(afar):
    """Nor the tables, which have them."""
    watcher = afar()
    for address in ("/study_data/party/", "/study_results/party/", "/study/party/"):
        answer = watcher.get(address)
        assert answer.status_code == 200
        assert not [secret for secret in SECRETS if secret in answer.content.decode()]
    assert len(watcher.get("/study_results/party/").json()["measures"]) == 1
    for file in ("guests.svg", "statistics.csv", "differences.tex"):
        assert watcher.get(f"/study_file/party/{file}/").status_code == 200
    for table in ("runs.csv", "answers.csv"):
        assert watcher.get(f"/study_file/party/{table}/").status_code == 403


def test_the_report_of_validity_is_shown_to_those_who_may_act(client, afar, party):
    """As text, whatever is in its file, and not to watchers, because it quotes what people said."""
    assert 'data-section="validity"' not in client.get("/study/party/").content.decode()
    finding = {"colour": "red", "title": "Do people <b>agree</b>?", "shown": "70% [60%, 80%]", "says": "They do."}
    unsure = {"colour": "amber", "title": "Unsure", "says": "Perhaps.", "doubt": "The interval reaches into red."}
    odd = [unsure, 3, {"colour": "pink", "title": "Pink"}, {"colour": "green", "title": None}]
    party.write_validity(json.dumps({"findings": [finding, *odd]}))
    page = client.get("/study/party/").content.decode()
    assert "✖ red<" in page
    assert "▲ amber, not certain<" in page
    assert "Perhaps. The interval reaches into red." in page
    assert "Do people &lt;b&gt;agree&lt;/b&gt;?" in page
    assert "70% [60%, 80%]" in page
    assert "Pink" not in page
    assert "They do." not in afar().get("/study/party/").content.decode()
    for broken in ("{", "[]", '{"findings": 7}'):
        party.write_validity(broken)
        assert client.get("/study/party/").status_code == 200


def test_damage_is_told_in_a_line_and_the_rest_is_shown(stage, client, party):
    """A run that is damaged is left out; a study whose file is damaged is left out of lists."""
    with closing(sqlite3.connect(party.root / "jobs.sqlite3")) as database, database:
        for run, text in (("plain-s2", "{"), ("told-s3", json.dumps({"v": 1, "run": 3}))):
            database.execute("UPDATE jobs SET job = ? WHERE run = ?", (text, run))
    stage.put("studies/broken/study.json", "nonsense")
    told = client.get("/study_data/party/").json()
    assert len(told["jobs"]) == 4
    assert ["plain-s2" in line or "told-s3" in line for line in told["damage"]] == [True, True]
    page = client.get("/study/")
    assert [study["name"] for study in page.context["studies"]] == ["party"]
    assert any("broken" in line for line in page.context["damage"])
    assert any("broken" in line for line in client.get("/").context["damage"])
    for address in ("/study/broken/", "/study_data/broken/", "/study_results/broken/"):
        assert client.get(address).status_code == 422


@pytest.mark.parametrize("keep", ["tables", "memories", "compressed"])
def test_a_page_says_what_is_not_kept_and_leads_nowhere(client, party, keep):
    """Not to a replay that has no steps."""
    assert 'data-part="kept"' not in client.get("/study/party/").content.decode()
    party.write_jobs(job.model_copy(update={"kept": keep}) for job in party.jobs())
    page = client.get("/study/party/").content.decode()
    assert page.count('data-part="kept"') == 1
    assert {job["link"] for job in client.get("/study_data/party/").json()["jobs"] if job["state"] == "done"} == {""}


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
def test_nothing_from_elsewhere_is_shown(stage, client, party):
    """Names that lead out of the folder, and links, are not followed."""
    older = party.root / "jobs"
    older.mkdir()
    for place in (stage.root / "studies/secret.json", older / "plain-s1.json"):
        place.write_text(json.dumps(party.job("plain-s1").as_json()))
    note = json.loads((party.root / "study.json").read_text())
    stage.put("studies/party/study.json", {**note, "runs": ["../../secret", "../plain-s1", "told-s1"]})
    assert states(client.get("/study_data/party/")) == {"told-s1": "done"}
    (older / "plain-s1.json").rename(stage.root / "elsewhere")
    (older / "plain-s1.json").symlink_to(stage.root / "elsewhere")
    assert len(client.get("/study_data/party/").json()["damage"]) == 1
    older.rename(stage.root / "folder")
    older.symlink_to(stage.root / "folder")
    assert client.get("/study_data/party/").status_code == 422
    older.unlink()
    (party.root / "jobs.sqlite3").rename(stage.root / "jobs.sqlite3")
    (party.root / "jobs.sqlite3").symlink_to(stage.root / "jobs.sqlite3")
    told = client.get("/study_data/party/").json()
    assert (told["jobs"], len(told["damage"])) == ([], 1)
    party.root.rename(stage.root / "party")
    party.root.symlink_to(stage.root / "party")
    assert client.get("/study/party/").status_code == 404


def test_the_front_page_lists_studies_and_not_their_runs(stage, client):
    """Without studies, it only has a link to where one begins."""
    assert client.get("/").content.count(b"/study/") == 1
    stage.plan_study("party", {"plain": {1: 4.0}})
    stage.save("party-plain-s1", stage.walk(4))
    stage.save("mine", stage.walk(4))
    page = client.get("/")
    assert b"/study/party/" in page.content
    assert [line.sim_code for line in page.context["saved"].all] == ["mine"]


@pytest.mark.usefixtures("party")
def test_figures_speak_the_language_of_the_reader(client):
    """With its decimal sign."""
    client.cookies["django_language"] = "ru"
    assert "зерн" in client.get("/study_file/party/guests.svg/").content.decode()
    assert "5,0" in client.get("/study_file/party/guests.svg/").content.decode()


@pytest.mark.usefixtures("party")
def test_studies_are_begun_by_those_who_may_act(client, afar):
    """Others see no buttons, and no form of a new study, which offers towns that no study has made."""
    pages = ("/study/party/", "/study/", "/compare/party-plain-s1/mine/")
    for page, mark in zip(pages, ('data-part="go-on"', "/new_study/", 'data-part="repeat"'), strict=True):
        assert mark in client.get(page).content.decode()
        assert mark not in afar().get(page).content.decode()
    assert afar().get("/new_study/").status_code == 403
    shown = client.get("/new_study/").content.decode()
    told = json.loads(shown.split('id="page"')[1].split(">", 1)[1].split("</script>")[0])
    towns = [town["name"] for town in told["towns"]["saved"]]
    assert "mine" in towns
    assert not [town for town in towns if town.startswith("party-")]
    assert told["taken"] == ["party"]


def test_what_the_engine_finds_is_told_in_the_language_of_the_reader(stage, client):
    """Faults, notes, and why a request was refused, as far as they are known; the rest stays as it is."""
    engine = stage.listen(None)
    russian = {"headers": {"Accept-Language": "ru"}}
    rules = "No language model is configured: personas follow offline rules instead."
    faults = [{"says": "Ada is asleep.", "line": 3, "path": ["arms"]}, {"says": "Unheard of.", "line": 0, "path": []}]
    answers = [
        ({"request": "check_study", "name": "party", "study": {}}, {"text": "", "faults": faults, "notes": [rules]}),
        ({"request": "stop_study", "name": "party"}, {"reason": "The study party is not being run."}),
    ]
    told = []
    for number, (asked, answer) in enumerate(answers):
        key = {"id": str(number), "request": asked["request"]}
        sent = client.tell("/engine/", asked | key).json()["number"]
        engine.acknowledge(engine.read(sent), key | {"result": "done"} | answer)
        told.append(client.get(f"/engine/{sent}/", **russian).json()["ack"])
    assert [each["says"] for each in told[0]["faults"]] == ["Ada спит.", "Unheard of."]
    assert told[0]["notes"] == ["Языковая модель не настроена: жители следуют правилам."]
    assert told[1]["reason"] == "Исследование party сейчас не идёт."


def test_what_the_engine_finds_wrong_names_no_folder(stage, client):
    """The file of the study stays as it is."""
    engine = stage.listen(None)
    asked = {"id": "1", "request": "check_study", "name": "party", "study": {}}
    number = client.tell("/engine/", asked).json()["number"]
    faults = [{"says": "/srv/assets/history.csv is missing.", "line": 3, "path": ["history"]}]
    told = {"text": "base: /srv/x", "faults": faults, "notes": [], "estimate": None}
    engine.acknowledge(engine.read(number), {"id": "1", "request": "check_study", "result": "done", **told})
    ack = client.get(f"/engine/{number}/").json()["ack"]
    assert ack["faults"] == [{"says": "history.csv is missing.", "line": 3, "path": ["history"]}]
    assert ack["text"] == told["text"]


def test_many_runs_are_sent_by_seeds_and_a_reason_once(stage, client):
    """A hundred runs at a time; reasons that differ by the name of their run are one; what is told of all stays."""
    folder = stage.plan_study("many", {arm: dict.fromkeys(range(1, 61)) for arm in ("plain", "told")})
    fault = "{} is at step 9, but its run ends at 4."
    folder.write_jobs(
        job.model_copy(update={"state": "failed", "fault": fault.format(job.simulation)})
        for job in folder.jobs()
        if job.seed % 2
    )
    parts = [client.get(f"/study_data/many/?page={page}").json() for page in (0, 1, 7)]
    assert [(part["page"], part["seeds"]) for part in parts] == [
        (0, [*range(1, 51)]), (1, [*range(51, 61)]), (1, [*range(51, 61)]),
    ]  # fmt: skip
    assert [len(part["jobs"]) for part in parts] == [100, 20, 20]
    assert {each["run"] for part in parts for each in part["jobs"]} == {job.run for job in folder.jobs()}
    for part in parts:
        (reason,) = part["failures"]
        assert (reason["fault"], reason["count"], len(reason["runs"])) == (fault.format("…"), 60, 4)
        assert (part["pages"], part["runs"], part["has_failed"]) == (2, 120, True)
    assert client.get("/study_data/many/?page=-1").status_code == 400
    folder.write_job(folder.job("told-s60").model_copy(update={"state": "done"}))
    assert client.get("/study_data/many/").json()["version"] != parts[0]["version"]
