"""The town bench finds what a model was made to do, and nothing where it is like the reference; others can check it."""

import io
import json
import re
import zipfile

import pytest
import yaml
from chat_server import ChatServer
from inline_engine import InlineEngine
from ruled_provider import RuledProvider, silent_about

from ville.cli.bench_command import main
from ville.cli.study_command import main as study
from ville.llm.gateway import OFFLINE_RULES
from ville.studies.batch import run_study
from ville.studies.bundle.bundle_archive import write_archive
from ville.studies.reading.study_file import study_of
from ville.studies.study_estimate import asked_until

HISTORY = """\
Name,Whisper
Ada Stone,"You are giving a party for Valentine's Day at Hill Cafe, on February 14th, 2023, from 5pm to 7pm; You \
invite each person you meet; Ben Reed has been your good friend for years; \
Cleo Adams Moor has been your good friend for years"
Ben Reed,"Ada Stone has been your good friend for years"
Cleo Adams Moor,"Ada Stone has been your good friend for years"
"""
DEFINITION = r"""
version: 7
seeds: 2
noon: "08:00"
towns:
  3: {base: morning-plain-s1, resident: Ada Stone, until: "08:30"}
settings: {embedder: hashing}
measures:
  - {measure: {news: '\bparty\b', about: Ada Stone, name: know of the party}, why: how far it spreads}
  - {measure: {news: '\bparty\b', about: Ada Stone, by: "{resident}", name: "hear from {resident}"}, why: who tells}
  - {measure: conversations, why: whether people talk}
  - {measure: different activities, why: whether days vary}
  - {measure: kept, why: whether plans are kept}
primary: {town: know of the party, resident: "hear from {resident}"}
"""
MEASURES = ("know of the party", "hear from Ada Stone", "conversations", "different activities", "kept")


class BenchDesk:
    """Benches of a small town whose three people meet at the cafe at eight, with a server whose answers are known."""

    def __init__(self, root, patch):
        self.root, self.patch = root, patch
        (root / "assets/small/history.csv").write_text(HISTORY, "utf-8")
        (root / "bench.yaml").write_text(DEFINITION, "utf-8")
        for path in (root / "storage/base/personas").glob("*/bootstrap_memory/scratch.json"):
            scratch = json.loads(path.read_text("utf-8"))
            plan = f"{scratch['first_name']} works at Hill Cafe from 8am to 12pm."
            path.write_text(json.dumps({**scratch, "daily_plan_req": plan}), "utf-8")
        self._live_morning(
            {"fs_storage": "storage", "assets": "assets", "fs_studies": "studies", "fs_temp_storage": "temp"}
        )

    def _live_morning(self, folders):
        """Live the hours until ten to eight once, by the rules, with the history."""
        for name, folder in folders.items():
            self.patch.setenv(f"VILLE_{name.upper()}", str(self.root / folder))
        self.patch.setattr("ville.studies.batch.engine_named", lambda *_: InlineEngine())
        morning = {"base": "base", "history": "small/history.csv", "until": "07:50", "seeds": 1}
        run_study(study_of(morning, "morning"), {})

    def bench(self, server, model, out, *arguments):
        """Run a bench with a model that answers as the rules do, but the one called silent; return its provider."""
        with pytest.MonkeyPatch.context() as patch:
            provider = RuledProvider(patch, {"silent": silent_about("party")})
            server.chat = provider.chat
            for name, value in {"provider": "compatible", "base_url": server.url, "retry_for": "1"}.items():
                patch.setenv(f"VILLE_{name.upper()}", value)
            own = ["--definition", str(self.root / "bench.yaml"), "--out", str(self.root / out)]
            provider.code = main(["--model", model, *own, *arguments])
        return provider

    def result(self, out):
        return json.loads((self.root / out / "result.json").read_text("utf-8"))

    def bundle(self, out):
        (path,) = (self.root / out).glob("*.zip")
        return path


@pytest.fixture(scope="module")
def benches(write_small_town, tmp_path_factory):
    """A desk with two benches: of a model that is like the rules, and of one that never passes on the news."""
    with pytest.MonkeyPatch.context() as patch, ChatServer() as server:
        desk = BenchDesk(write_small_town(tmp_path_factory.mktemp("bench")).root, patch)
        desk.like = desk.bench(server, OFFLINE_RULES, "like")
        desk.silent = desk.bench(server, "silent", "silent")
        yield desk


def effects(desk, out, arm):
    """Return the differences of an arm, by measure: mean, and lowest and highest of the interval."""
    rows = desk.result(out)["arms"][arm]["effects"]
    return {row["measure"]: (row["difference"], row["low"], row["high"]) for row in rows}


def test_a_model_like_the_reference_shows_no_effect(benches):
    """In the town and as a single resident, every number is that of the rules; and it was asked."""
    assert benches.like.code == 0
    assert benches.like.asked > 0
    for arm in ("town", "resident"):
        assert effects(benches, "like", arm) == dict.fromkeys(MEASURES, (0.0, None, None))


def test_a_model_that_never_passes_on_news_shows_it(benches):
    """Others hear of the party from Ada by the rules, and no one where she, or everyone, is silent."""
    assert benches.silent.code == 0
    for arm in ("town", "resident"):
        rows = {row["measure"]: row for row in benches.result("silent")["arms"][arm]["effects"]}
        know, hear = (rows[name] for name in MEASURES[:2])
        assert (know["mean"], hear["mean"], know["pairs"]) == (1, 0, 2)
        assert know["difference"] == hear["difference"] <= -1


def test_the_reference_can_be_another_model(benches):
    """Where everyone is silent, and Ada alone is not from eight on, others hear of the party from her again."""
    with ChatServer() as server:
        other = benches.bench(server, "other", "against", "--against", "silent", "--only", "resident", "--yes")
    assert other.code == 0
    found = benches.result("against")
    rows = {row["measure"]: row for row in found["arms"]["resident"]["effects"]}
    assert all(rows[name]["difference"] >= 1 for name in MEASURES[:2])
    assert "other (served: other) against silent, n = 2" in found["arms"]["resident"]["line"]


def test_only_the_single_resident_is_asked(benches):
    """And only from noon on."""
    name = benches.bundle("silent").stem
    with zipfile.ZipFile(benches.bundle("silent")) as bundle:
        calls = [json.loads(line) for line in bundle.read(f"ledgers/{name}-resident-s1.jsonl").splitlines()]
    assert {call["persona"] for call in calls} == {"Ada Stone"}
    assert min(call["step"] for call in calls) >= 480


def test_the_quoted_line_says_bench_model_served_seeds_and_effect(benches):
    """So that it can be understood without anything else."""
    found = benches.result("silent")
    line = found["arms"]["resident"]["line"]
    for part in (
        found["bench"],
        "silent (served: silent)",
        "n = 2",
        "Ada Stone alone from 08:00",
        "hear from Ada Stone -",
    ):
        assert part in line
    assert found["bench"] == f"7/{found['digest'][:8]}"
    assert found["arms"]["town"]["answers"]["corrected"]["mean"] == 0


def test_others_verify_the_bundle_without_a_call(benches, capsys):
    """With nothing but the archive."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FS_STORAGE", "FS_STUDIES", "ASSETS"):
            patch.setenv(f"VILLE_{name}", str(benches.root / "elsewhere"))
        asked = benches.silent.asked
        assert study(["verify", str(benches.bundle("silent"))]) == 0
    assert ": equal (6 runs measured again" in capsys.readouterr().out
    assert benches.silent.asked == asked


def test_results_of_one_bench_are_set_side_by_side(benches, capsys):
    """By arm and measure, a line for each model."""
    assert main(["--compare", str(benches.bundle("like")), str(benches.bundle("silent"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index("resident: hear from Ada Stone")
    assert lines[place + 1].split() == ["offline", "rules", "n", "2", "+0", "(all", "the", "same)"]
    assert lines[place + 2].split()[:3] == ["silent", "n", "2"]


def test_results_of_one_model_are_told_apart_and_the_same_bundle_is_refused(benches, tmp_path, capsys):
    """By the name of the bundle; of two with one name, by its digest, too."""
    first = benches.bundle("silent")
    other, same, copy = tmp_path / "other.zip", tmp_path / first.name, tmp_path / "copy.zip"
    changed_bundle(first, other, lambda each: each.update(budget={"calls": 9}))
    changed_bundle(first, same, lambda each: each.update(budget={"calls": 8}))
    copy.write_bytes(first.read_bytes())
    assert main(["--compare", *map(str, (first, other, same))]) == 0
    said = capsys.readouterr().out
    assert "silent (other.zip)" in said
    assert len(set(re.findall(rf"silent \({re.escape(first.name)}, [0-9a-f]{{8}}\)", said))) == 2
    for again, told in ((first, f"{first.name}: "), (copy, f"{first.name} and copy.zip: ")):
        assert main(["--compare", str(first), str(again)]) == 1
        assert capsys.readouterr().err == f"{told}this is the same bundle twice. Name each bundle once.\n"


def changed_bundle(bundle, to, change):
    """Write a bundle whose study file was changed, as a forger would."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    study_file = yaml.safe_load(files["study/study.yaml"])
    change(study_file)
    files["study/study.yaml"] = yaml.safe_dump(study_file, sort_keys=False).encode()
    write_archive(to, files.items())
    return to


def test_results_of_other_benches_are_refused_by_name_of_what_differs(benches, tmp_path, capsys):
    """Other conditions; a study that is not the one of its conditions; a reference that came out otherwise; and what is
    no bench at all.
    """
    like, silent = benches.bundle("like"), benches.bundle("silent")

    def later(study_file):
        study_file["until"] = study_file["bench"]["conditions"]["until"] = "09:00"
        label = study_file["title"].partition(": ")[2]
        study_file["title"] = f"Town bench 7/0: {label}"

    cases = {
        "until '08:30' and '09:00'": changed_bundle(silent, tmp_path / "later.zip", later),
        "'measures' was changed": changed_bundle(silent, tmp_path / "m.zip", lambda each: each["measures"].pop()),
        "is not the bundle of a town bench": changed_bundle(
            silent, tmp_path / "no.zip", lambda each: each.pop("bench")
        ),
    }
    for said, other in cases.items():
        assert main(["--compare", str(like), str(other)]) == 1
        assert said in capsys.readouterr().err
    with zipfile.ZipFile(silent) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["tables/runs.csv"] = files["tables/runs.csv"].replace(b"reference,1,done,", b"reference,1,done,9")
    write_archive(tmp_path / "forged.zip", files.items())
    assert main(["--compare", str(like), str(tmp_path / "forged.zip")]) == 1
    assert re.search(r"the reference of seed 1, 'know of the party', '(.)' and '9\1'", capsys.readouterr().err)


def test_a_limit_holds_over_the_whole_bench_and_it_goes_on(benches, capsys):
    """Nothing is asked beyond it, nor asked again with a larger one; an arm that was left out comes later."""
    with ChatServer() as server:
        arguments = ("--only", "resident", "--until", "08:29", "--seeds", "1")
        first = benches.bench(server, "silent", "limited", *arguments, "--max-calls", "2")
        assert first.code not in {0, 1}
        assert 0 < first.asked <= 2
        assert "Then type the same command." in capsys.readouterr().out
        rest = benches.bench(server, "silent", "limited", *arguments)
        assert rest.code == 0
        whole = sum(row["calls"] for row in [benches.result("limited")["arms"]["resident"]["answers"]])
        assert first.asked + rest.asked == whole
        again = benches.bench(server, "silent", "limited", *arguments)
        assert (again.code, again.asked) == (0, 0)
        town = benches.bench(server, "silent", "limited", *arguments[2:])
        assert (town.code, town.asked) == (0, benches.result("limited")["arms"]["town"]["answers"]["calls"])


@pytest.mark.parametrize("file", ["report.html", "result.json"])
def test_files_of_others_are_not_replaced(benches, file, capsys):
    """Nothing is asked, and nothing written."""
    (benches.root / "mine").mkdir(exist_ok=True)
    (benches.root / "mine" / file).write_text("mine", "utf-8")
    with ChatServer() as server:
        refused = benches.bench(server, "silent", "mine", "--until", "08:28")
    assert (refused.code, refused.asked) == (1, 0)
    assert file in capsys.readouterr().err
    assert {path.read_text("utf-8") for path in (benches.root / "mine").iterdir()} == {"mine"}
    (benches.root / "mine" / file).unlink()


def test_a_model_that_may_cost_money_is_not_asked_unless_one_agrees(benches, monkeypatch, capsys):
    """A server with a key has a price, also if it is not known; then dollars cannot be limited."""
    monkeypatch.setenv("VILLE_API_KEY", "sk-of-a-test")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with ChatServer() as server:
        for arguments, said in (((), "Nothing was run."), (("--yes", "--max-cost", "1"), "price of dear is unknown")):
            refused = benches.bench(server, "dear", "dear", *arguments)
            told = capsys.readouterr()
            assert (refused.code, refused.asked, said in told.out + told.err) == (1, 0, True)
    assert not (benches.root / "dear").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "m", "--people", "4"], "no town of 4 people"),
        (["--model", "m", "--resident", "Ada Stoner"], "did you mean 'Ada Stone'?"),
        (["--model", "offline"], "one model against the rules"),
        (["--model", "m", "--against", "m"], "one model against the rules"),
        (["--model", "m"], "no provider that could answer as m"),
        (["--model", "m", "--until", "banana"], "'banana'"),
        (["--model", "m", "--until", "07:55"], "Runs until 07:55 end before the resident is asked"),
        ([], "--model"),
    ],
)
def test_what_is_no_bench_is_refused_in_one_line(benches, arguments, said, capsys):
    """Before anything is written."""
    own = ["--definition", str(benches.root / "bench.yaml"), "--out", str(benches.root / "refused")]
    assert main([*arguments, *own]) == 1
    told = capsys.readouterr().err.strip()
    assert said in told
    assert "\n" not in told
    assert not (benches.root / "refused").exists()


def test_whom_a_rule_gives_to_the_rules_costs_nothing_from_then_on():
    """The estimate of a run counts each persona up to there."""

    class Job:
        until_step = 100
        rows = (
            {"rule": "swap", "who": "Ben", "model": "offline", "step": 40},
            {"rule": "swap", "who": "Ada", "model": "m"},
        )

    assert asked_until(Job, ["Ada", "Ben"]) == {"Ada": 100, "Ben": 40}
