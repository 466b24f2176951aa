"""A bundle gives the same tables anywhere, without a call; a changed byte is found and named, others are refused."""

import json
import re
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import pytest

from ville.errors import BadArgument, BadBundle, ReverieError
from ville.llm.accounting.ledger import INTERVIEWS, CallRecord, CallResult, Ledger, Spend
from ville.llm.accounting.ledger_schema import OF_STUDY
from ville.llm.accounting.ledgers import spend_of_study
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage
from ville.settings import load_settings
from ville.sharing.report.study_facts import StudyFacts
from ville.sharing.report.study_report import report_text
from ville.storage.files import pretty
from ville.studies.bundle.bundle_archive import BundleArchive, write_archive
from ville.studies.bundle.bundle_check import verify_bundle
from ville.studies.bundle.bundle_files import check_clean, write_bundle
from ville.studies.bundle.crate import CRATE, SUMS

STUDY = """\
title: Zebras
base: base
steps: 90
seeds: 1
arms:
  plain: {}
  told:
    interventions:
      - {step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}
questions:
  - {ask: "What have you heard of the zebra?", of: [Ada Stone]}
measures: [conversations, different activities, {news: zebra, name: know}]
"""
BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
ASKED = "What have you heard of the zebra?"
KINDS = re.compile(r"(plain|told)-s\d|shared-[\w-]+|Ada Stone|Ben Reed|Cleo Park")


@pytest.fixture(scope="module")
def bundled(write_small_town, make_desk, tmp_path_factory):
    """A desk with a study that was run, its bundle, and the files in it. One run has interviews; it has a report."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("bundle")).root)
    desk.run(STUDY)
    job = desk.folder().job("told-s1")
    with_calls(desk.root / "storage" / job.simulation / "reverie")
    used = job.result.model_copy(update={"calls": 1, "tokens": 12, "cost": 0.5})
    desk.folder().write_job(job.model_copy(update={"result": used}))
    desk.run(STUDY)
    (desk.folder().root / "report.html").write_text(report_text(StudyFacts(desk.folder(), load_settings(desk.given))))
    out = desk.root / "study.zip"
    write_bundle(desk.folder(), load_settings(desk.given), out)
    return desk, out, contents(out)


def with_calls(reverie: Path) -> None:
    """Note three interviews in a run: one is for the question of the study, two are private, also with its words."""
    ledger = Ledger.open(reverie, INTERVIEWS)
    for words, purpose in ((ASKED, OF_STUDY), (f"{ASKED} It is a secret.", ""), (ASKED, "")):
        ledger.purpose = purpose
        request = ChatRequest("talk/interview", {}, (ChatMessage("user", words),), {}, "Ada Stone", 90)
        number = ledger.begin(CallRecord.of(request), MostUsage("m", Usage(9, 0, 9, 1.0)), BEGAN)
        ledger.finish(number, CallResult(0.1, Usage(8, 0, 4, 0.5), "{}"))
    ledger.close()


def contents(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def faults(tmp_path, files: Mapping[str, bytes]) -> list[str]:
    """Return what is found in an archive of these files."""
    path = tmp_path / "changed.zip"
    write_archive(path, files.items())
    return verify_bundle(path).faults


def test_a_bundle_is_equal_elsewhere_and_has_the_same_bytes_again(bundled, tmp_path):
    """Without the study, its simulations, or a setting."""
    desk, out, files = bundled
    again = tmp_path / "again.zip"
    report = write_bundle(desk.folder(), load_settings(desk.given), again)
    assert again.read_bytes() == out.read_bytes()
    assert report.digest == sha256(out.read_bytes()).hexdigest()
    verdict = verify_bundle(again)
    assert (verdict.faults, verdict.notes) == ([], [])
    assert (verdict.study, verdict.runs, verdict.tables, verdict.figures) == ("study", 2, 4, 3)
    assert verdict.files == len(files)


def test_a_bundle_tells_nothing_of_the_machine_and_no_private_interview(bundled):
    """No folder, no name of a machine, no times of work; of interviews only those of the study."""
    desk, _, files = bundled
    everything = b"\n".join(files.values()).decode()
    assert str(desk.root) not in everything
    day = desk.folder().job("told-s1").ended[:10]
    rest = b"\n".join(content for name, content in files.items() if name not in {CRATE, "report.html"}).decode()
    assert len(day) == len("2026-01-01")
    assert day not in rest
    assert BEGAN.isoformat(timespec="milliseconds") not in rest
    assert not re.search(r'"(host|key_owner)"', everything)
    assert files["ledgers/study-told-s1.jsonl"].decode().count(ASKED) == 1
    assert "secret" not in everything


def test_private_interviews_are_no_cost_of_a_study(bundled):
    """A run has used as much as it and its own questions did; whatever else was asked of it."""
    desk = bundled[0]
    reverie = desk.root / "storage/study-told-s1/reverie"
    assert spend_of_study(reverie) == Spend(1, 12, 0.5)
    more = STUDY.replace("measures:", "  - {ask: 'Who are you?', of: [Ada Stone]}\nmeasures:")
    kept = [desk.folder().job(run) for run in ("plain-s1", "told-s1")]
    desk.run(more)
    again = desk.folder().job("told-s1").result
    assert {each.ask for each in again.answers} == {ASKED, "Who are you?"}
    assert (again.calls, again.tokens, again.cost) == (1, 12, 0.5)
    assert desk.folder().job("plain-s1").result.calls == 0
    for job in kept:
        desk.folder().write_job(job)
    desk.run(STUDY)


def test_a_bundle_is_a_research_object(bundled):
    """RO-Crate 1.1: a descriptor, a root with name, description, date and licence, and every file with its digest."""
    files = bundled[2]
    crate = json.loads(files[CRATE])
    entities = {each["@id"]: each for each in crate["@graph"]}
    assert len(entities) == len(crate["@graph"])
    assert entities[CRATE]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert (entities[CRATE]["@type"], entities[CRATE]["about"]) == ("CreativeWork", {"@id": "./"})
    root = entities["./"]
    assert root["@type"] == "Dataset"
    assert all(root[key] for key in ("name", "description", "license"))
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", root["datePublished"])
    listed = {unquote(part["@id"]): entities[part["@id"]] for part in root["hasPart"]}
    assert listed.keys() == files.keys() - {CRATE, SUMS}
    assert all(each["sha256"] == sha256(files[name]).hexdigest() for name, each in listed.items())
    assert all(each["contentSize"] == str(len(files[name])) for name, each in listed.items())
    identifiers = [each["@id"] for value in root.values() if isinstance(value, list) for each in value]
    assert all(not re.search(r"[\s\\]", each) for each in identifiers)


def test_a_changed_byte_of_any_kind_of_file_is_found_and_named(bundled, tmp_path):
    """Also if the archive was made anew around it."""
    files = bundled[2]
    kinds = {KINDS.sub("X", name): name for name in files}
    for name in kinds.values():
        changed = bytearray(files[name])
        changed[len(changed) // 2] ^= 1
        found = faults(tmp_path, {**files, name: bytes(changed)})
        assert any(line.startswith(name) for line in found), (name, found)


def found_in(path: Path) -> list[str]:
    """Return what is found in an archive, or why it is refused."""
    try:
        return verify_bundle(path).faults
    except BadBundle as fault:
        return str(fault).splitlines()


def test_a_changed_byte_of_the_archive_is_found(bundled, tmp_path):
    """Wherever it lies: in contents, headers, directory or comment."""
    whole = bundled[1].read_bytes()
    path = tmp_path / "flipped.zip"
    for place in (*range(10, len(whole), len(whole) // 9), len(whole) - 1, len(whole) - 72, len(whole) - 90):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert found_in(path), place


def test_a_changed_bit_of_a_directory_is_told_in_lines(tmp_path):
    """Also one of an offset, which then lies where no file has a byte."""
    path = tmp_path / "small.zip"
    write_archive(path, [("a.txt", b"hello"), ("b/c.txt", b"there")])
    whole = path.read_bytes()
    start = whole.index(b"PK\x01\x02")
    for place in range(start, len(whole)):
        for bit in (0, 7):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << bit)]) + whole[place + 1 :])
            assert told_of(path), (place, bit)


def told_of(path: Path) -> list[str]:
    """Return what an archive says when all of it is read."""
    try:
        archive = BundleArchive(path)
    except BadBundle as fault:
        return [str(fault)]
    found = list(archive.faults())
    for name in archive.names:
        with suppress(BadBundle):
            archive.read(name)
    archive.close()
    return found


def resealed(files: Mapping[str, bytes], **changed: bytes) -> dict[str, bytes]:
    """Return files in which some were changed with all digests, as a careful forger would."""
    new = {**files, **changed}
    crate = json.loads(new[CRATE])
    for each in crate["@graph"]:
        if each.get("@type") == "File":
            content = new[unquote(each["@id"])]
            each |= {"sha256": sha256(content).hexdigest(), "contentSize": str(len(content))}
    new[CRATE] = (pretty(crate) + "\n").encode()
    lines = (f"{sha256(content).hexdigest()}  {name}\n" for name, content in new.items() if name != SUMS)
    return {**new, SUMS: "".join(lines).encode()}


def test_a_number_that_the_runs_do_not_give_is_named_with_both_values(bundled, tmp_path):
    """Also if all digests were made to fit: in a table by row and column, in a result, and by a forged memory."""
    files = bundled[2]
    table = files["tables/runs.csv"].decode().replace("told,1,done,", "told,1,done,9", 1)
    found = faults(tmp_path, resealed(files, **{"tables/runs.csv": table.encode()}))
    value = re.search(r"told,1,done,(\d+)", files["tables/runs.csv"].decode())[1]
    assert found == [
        f"tables/runs.csv, row 2 (told-s1), column 'conversations': the bundle says '9{value}', computed is '{value}'"
    ]
    name = "study/jobs/told-s1.json"
    forged = files[name].replace(b'"know": 1.0', b'"know": 3.0')
    assert forged != files[name]
    assert faults(tmp_path, resealed(files, **{name: forged})) == [
        "study/jobs/told-s1.json, 'know': the bundle says '3.0', computed is '1.0'"
    ]


def archive_of(tmp_path, name: str, content: bytes = b"x", mode: int = 0o100644) -> Path:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
    path = tmp_path / "hostile.zip"
    path.write_bytes(buffer.getvalue())
    return path


def test_hostile_and_foreign_archives_are_refused_with_one_line(tmp_path):
    """Before a byte is unpacked."""
    hostile = [
        archive_of(tmp_path, name).rename(tmp_path / f"{number}.zip")
        for number, name in enumerate(("../x", "/etc/x", "a/../../x", "C:\\x", "a/.hidden", "con:x", "a//b"))
    ]
    hostile.append(archive_of(tmp_path, "bomb.json", bytes(30_000_000)).rename(tmp_path / "bomb.zip"))
    hostile.append(archive_of(tmp_path, "link", b"/etc/passwd", 0o120777).rename(tmp_path / "link.zip"))
    hostile.append(archive_of(tmp_path, "letter.txt", b"Dear all").rename(tmp_path / "foreign.zip"))
    hostile.append(archive_of(tmp_path, CRATE, b'{"@graph": []}').rename(tmp_path / "crate.zip"))
    text = tmp_path / "text.zip"
    text.write_text("no archive", "utf-8")
    for path in (*hostile, text, tmp_path / "nothing.zip"):
        with pytest.raises(BadBundle) as refused:
            verify_bundle(path)
        assert "\n" not in str(refused.value), path


def test_code_of_others_is_not_run(bundled, tmp_path):
    """A measure that is a function is left out of the check, which says so."""
    files = bundled[2]
    study = files["study/study.yaml"].replace(b"measures: [", b"measures: ['os:getcwd', ")
    path = tmp_path / "code.zip"
    write_archive(path, resealed(files, **{"study/study.yaml": study}).items())
    verdict = verify_bundle(path)
    assert (verdict.faults, len(verdict.notes)) == ([], 1)
    assert "os:getcwd" in verdict.notes[0]
    last = list(verdict.lines())[-1]
    assert "equal, but 1 of 4 measures is code and was not computed" in last


def test_a_run_that_failed_is_named_with_its_fault(bundled, tmp_path):
    """In the bundle, and when it is written; a path of this machine in the fault is told without its folders."""
    desk, out = bundled[0], tmp_path / "failed.zip"
    folder = desk.folder()
    job = folder.job("told-s1")
    fault = f"{desk.root}/storage/study-told-s1/meta.json is damaged."
    folder.write_job(job.model_copy(update={"state": "failed", "fault": fault, "result": None}))
    report = write_bundle(folder, load_settings(desk.given), out)
    folder.write_job(job)
    assert report.failed == [f"told-s1: {fault}"]
    bundled_job = json.loads(contents(out)["study/jobs/told-s1.json"])
    assert (bundled_job["state"], bundled_job["fault"]) == ("failed", "storage/study-told-s1/meta.json is damaged.")


def test_only_what_is_finished_and_clean_is_bundled(bundled, tmp_path):
    """A run that is not done, or a path of this machine in a file, is an error, and nothing is written."""
    desk, _, _ = bundled
    folder, out = desk.folder(), tmp_path / "no.zip"
    job = folder.job("plain-s1")
    settings = load_settings(desk.given)
    for broken in ({"state": "stopped"}, {"provenance": {**job.provenance, "settings": {"x": f"{desk.root}/storage"}}}):
        folder.write_job(job.model_copy(update=broken))
        with pytest.raises(ReverieError):
            write_bundle(folder, settings, out)
    folder.write_job(job)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadArgument), folder.lock():
        write_bundle(folder, settings, out)


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        ("at /hut/notes.txt", True),
        ('{"a": "x\\n/hut"}', True),
        ("file:///hut/x", True),
        ("//hut//x", True),
        ("</hut>", False),
        ("a/hut and /huts", False),
        ("/srv/real//./store\\x", True),
        ("/srv/linked/store/x", True),
        ("\\\\srv\\\\linked\\\\store", True),
        ("/srv/linked/storehouse", False),
        ("/srv/Zo\\u00eb/studies", True),
        ("file:///srv/Zo%C3%AB/studies", True),
    ],
)
def test_paths_of_this_machine_are_found_in_any_form(path, is_found, monkeypatch):
    """The home folder too, by either name of a linked folder, with more slashes, in JSON and in an address."""
    real = {"/srv/linked/store": "/srv/real/store"}
    monkeypatch.setattr(Path, "home", lambda: Path("/hut"))
    monkeypatch.setattr(Path, "resolve", lambda self, **_: Path(real.get(str(self), str(self))))
    settings = replace(load_settings({}), fs_storage=Path("/srv/linked/store"), fs_studies=Path("/srv/Zoë/studies"))
    if is_found:
        with pytest.raises(BadArgument, match="of this machine"):
            check_clean("x.json", path.encode(), settings)
    else:
        check_clean("x.json", path.encode(), settings)


def test_another_version_compares_what_both_have(bundled, tmp_path):
    """Columns of its own, and how it sets figures, are no differences; a number is one."""
    files = bundled[2]
    jobs = {name: content for name, content in files.items() if name.startswith("study/jobs/")}
    older = {name: re.sub(rb'"version": "[^"]+"', b'"version": "0.9"', content) for name, content in jobs.items()}
    older["tables/answers.csv"] = files["tables/answers.csv"].replace(b",role,", b",part,")
    older["figures/know.svg"] = files["figures/know.svg"].replace(b"#222222", b"#000000")
    path = tmp_path / "older.zip"
    write_archive(path, resealed(files, **older).items())
    verdict = verify_bundle(path)
    assert verdict.faults == []
    assert [line.partition(" ")[0] for line in verdict.notes] == ["Run", "figures/know.svg:"]
    table = files["tables/runs.csv"].replace(b"told,1,done,", b"told,1,done,9")
    assert len(faults(tmp_path, resealed(files, **older, **{"tables/runs.csv": table}))) == 1
