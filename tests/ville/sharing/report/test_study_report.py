"""A report of a study says what its files say, escapes what users wrote, and tells nothing of the machine."""

import csv
import json
import re
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from study_files import BASE, GUESTS, STEPS, finish_party, job, write_party

from ville.cli.study_command import main
from ville.settings import load_settings
from ville.sharing.report.study_facts import StudyFacts, without_folders
from ville.sharing.report.study_report import report_text
from ville.storage.studies.registration import Registration, plan_digest, write_registration
from ville.storage.studies.study_folder import JobResult, StudyFolder
from ville.studies.confirming import CONFIRMATION, Confirmation

NASTY = "<script>alert(1)</script> & <b>bold</b>"
STUDY = f"""\
title: "{NASTY}"
base: {BASE}
steps: {STEPS}
seeds: 3
settings: {{model_file: /srv/secret-place/models/small.gguf}}
arms:
  plain: {{}}
  told:
    interventions:
      - {{step: 9, kind: whisper, who: Klaus Mueller, words: "{NASTY}"}}
measures: [guests, minutes]
"""
PLAN = {
    "hypotheses": [{"measure": "minutes", "arm": "told", "direction": "fewer"}],
    "primary": ["minutes"],
    "stop": NASTY,
    "eligible_models": [],
}
RECORD = {"version": "1.0.0+abc", "python": "CPython 3.0.0", "models": "openai:m-1,m-2", "host": "secret-host"}
FACTS = (
    *("3 generative agents", "Two conditions (plain, told)", "3 random seeds each, 6 runs", "m-1, m-2 (openai)"),
    *("240 calls", "registered on 2026-01-02", "one hypothesis", "code digest abc"),
)


class _Page(HTMLParser):
    """Elements and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def party(tmp_path):
    """A study with a plan; its minutes are the guests of each run, ten times."""
    (tmp_path / "storage").mkdir()
    folder = write_party(tmp_path)
    finish_party(folder)
    folder.write_note(folder.note().model_copy(update={"title": NASTY, "measures": ["guests", "minutes"]}), STUDY)
    for each in folder.jobs():
        measured = {"guests": 10.0 + each.seed, "minutes": 10.0 * GUESTS[each.arm][each.seed]}
        result = JobResult(measures=measured, calls=40, tokens=900, cost=0.1)
        done = {"state": "done", "result": result, "provenance": RECORD, "fault": "", "seconds": 9.0}
        folder.write_job(each.model_copy(update=done))
    plan = Registration(digest=plan_digest(PLAN), registered="2026-01-02", plan=PLAN)
    write_registration(folder.root / "registration.json", plan)
    return folder


@pytest.fixture
def given(tmp_path):
    return {"fs_storage": str(tmp_path / "storage"), "fs_studies": str(tmp_path / "studies")}


def page_of(folder, given):
    return _Page(report_text(StudyFacts(folder, load_settings(given))))


def test_what_users_wrote_is_text_and_nothing_of_the_machine_is_told(party, given):
    """No script, no handler, no inline style; neither the host nor folders, but the name of a file."""
    text = report_text(StudyFacts(party, load_settings(given)))
    page = _Page(text)
    assert not {"script", "b", "iframe", "object"} & {*page.tags}
    assert "script-src 'none'" in text
    assert not [name for name in page.attributes if name.startswith("on") or name == "style"]
    assert page.text.count("<script>alert(1)</script>") > 3
    assert not re.search(r"secret-host|secret-place", text)
    assert "…/small.gguf" in page.text


def test_what_was_foreseen_comes_first_with_its_numbers(party, given):
    """The primary measure before the exploratory one; mean, difference and outcome are those of the runs."""
    page = page_of(party, given)
    same = "guests : told − plain = 0.0 (all 3 pairs show the same)"
    assert page.text.index("minutes : told − plain = −53.3 [") < page.text.index(same)
    assert "too few runs to say (primary)" in page.text
    assert "too few runs to say (exploratory)" in page.text
    assert "minutes: told fewer than plain primary" in page.text
    assert "120.0 [" in page.text
    assert "in all 6 of 6 240 5,400 0.60 54" in page.text
    assert "Too few to say." in page.text
    assert "Not finished." not in page.text
    note = Confirmation(of="first", model="m-9", digest="d", begun="2026-01-03").as_json()
    (party.root / CONFIRMATION).write_text(json.dumps(note), "utf-8")
    assert "ran it again with m-9, to confirm first" in page_of(party, given).text


def test_a_study_that_is_not_finished_says_so(party, given):
    """Numbers are of the runs that are done; without any, nothing was measured. Faults are not told."""
    party.write_job(job("told", 3, state="failed", fault="<i>No such model at secret-host.</i>"))
    page = page_of(party, given)
    assert "Not finished. 5 of 6 runs are done" in page.text
    assert "1 run has failed" in page.text
    assert "secret-host" not in page.text
    for each in party.jobs():
        party.write_job(job(each.arm, each.seed))
    page = page_of(party, given)
    assert "No run is done yet" in page.text
    assert "svg" not in page.tags


@pytest.mark.usefixtures("party")
def test_methods_are_made_of_facts_and_each_work_that_is_cited_is_in_the_references(given, tmp_path):
    """And the folder has the digests of its files; the same study gives the same bytes."""
    flags = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", value)]
    out = tmp_path / "made" / "paper.html"
    command = ["report", "party", "--out", str(out), "--folder", *flags]
    assert main(command) == 0
    first = {path.name: path.read_bytes() for path in (out.parent / "paper").rglob("*.*")}
    assert main(command) == 1
    assert main([*command, "--replace"]) == 0
    assert {path.name: path.read_bytes() for path in (out.parent / "paper").rglob("*.*")} == first
    methods, references = first["methods.txt"].decode(), first["references.bib"].decode()
    for fact in FACTS:
        assert fact in methods, fact
    cited = {f"{name.lower()}{year}" for name, year in re.findall(r"(\w+)(?: et al\.)?, (\d{4})[;)]", methods)}
    assert cited == {*re.findall(r"@\w+\{(\w+),", references)} - {"theville"}
    sums = dict(reversed(line.split("  ")) for line in first["sha256sums.txt"].decode().splitlines())
    assert sums == {
        path.relative_to(out.parent / "paper").as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in (out.parent / "paper").rglob("*.*")
        if path.name != "sha256sums.txt"
    }
    assert [row["plan"] for row in csv.DictReader(first["statistics.csv"].decode().splitlines()) if row["plan"]]
    assert "host" not in json.loads(first["provenance.json"])["runs"]["told-s1"]


def test_of_a_path_only_the_name_of_the_file_is_told():
    """Addresses, names of questions, patterns and fractions are no paths."""
    for text in ("https://a.example/b/c", "talk/interview", r"'\bcancelled\b'", "and/or/not", "the_ville/a.csv"):
        assert without_folders(text) == text
    for text in ("/srv/me/a/x.gguf", "~/x.gguf", "D:\\models\\me\\x.gguf"):
        assert without_folders(f"file: {text} # mine") == "file: …/x.gguf # mine"


def test_validity_and_audit_are_in_it_if_they_were_made(party, given):
    """Their texts are text, and the figure of the audit is a picture, in which nothing can run."""
    assert "Not checked." in page_of(party, given).text
    check = {"title": NASTY, "colour": "amber", "shown": "3 [1, 5]", "says": "So so.", "todo": "Take care."}
    party.write_validity(json.dumps({"findings": [check], "runs": ["party-plain-s1"]}))
    audit = StudyFolder(party.root.parent, "party-audit")
    audit.create()
    audit.write_table("audit.txt", f"It survives 3 of 4. {NASTY}\n")
    audit.write_figures({"audit.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"})
    page = page_of(party, given)
    assert "with care" in page.text
    assert f"{NASTY} 3 [1, 5] So so. To do: Take care." in page.text
    assert f"It survives 3 of 4. {NASTY}" in page.text
    assert "script" not in page.tags
    assert "img" in page.tags
    party.write_validity("[broken")
    assert "Not checked." in page_of(party, given).text
