"""Compare two runs of the small town: nothing differs without a cause, and the first difference names it."""

import json
import shutil
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import pytest
from chat_server import Reply, completion
from default_answers import question_of
from sample_requests import KEY

import ville
from ville.analysis.comparison.steps import Unlike
from ville.api.town_session import TownSession
from ville.cli import compare_command as shell
from ville.storage.compressed.compression import compress
from ville.storage.steps.step_store import StepStore

ADA, CLEO = "Ada Stone", "Cleo Adams Moor"
WORDS = "You want to sing at the cafe"
TOLD_AT, STEPS = 400, 960
EVENING, TOLD_IN_BED, THOUGHT_OF = 1380, 1410, 1441
"""Steps on the way to the next morning's plan, whose questions say what a persona has in mind."""


@pytest.fixture(scope="module")
def town(tmp_path_factory, write_small_town):
    """The small town, with two runs by the rules that differ in one whisper."""
    town = write_small_town(tmp_path_factory.mktemp("compared"))
    run(town.settings, "plain")
    run(town.settings, "told", words=WORDS)
    compress(town.root / "storage/plain", town.root / "compressed_storage/replay")
    return town


@pytest.fixture
def compare(town):
    """Return the public function, on this town."""
    return partial(ville.compare, fs_storage=town.root / "storage", assets=town.root / "assets")


@pytest.fixture
def compare_shell(town, monkeypatch):
    """Return the command, on this town."""
    monkeypatch.setenv("VILLE_ASSETS", str(town.root / "assets"))
    return lambda *arguments: shell.main([*arguments, "--storage", str(town.root / "storage")])


def run(settings, name, *, words="", steps=STEPS):
    """Run the small town from its base, with a whisper before step TOLD_AT."""
    go_on(settings, "base", name, until=steps, whispers={TOLD_AT: words} if words else {})


def go_on(settings, origin, name, *, until, whispers=MappingProxyType({})):
    """Run the small town from another run, with whispers before their steps."""
    with TownSession(settings, origin, name) as town:
        town.plan([{"step": step, "kind": "whisper", "who": ADA, "words": words} for step, words in whispers.items()])
        town.run(steps=until - town.step)


@pytest.mark.slow
def test_a_run_equals_itself(compare):
    """No difference of any kind: in set-up, steps, memories, outcomes, or of its compressed form."""
    for other in ("plain", "replay"):
        found = compare("plain", other)
        assert found.is_equal
        assert (found.equal.first, found.equal.end) == (0, STEPS)
        assert found.set_up.count == 0
        assert found.memories == found.decisions == found.moves == found.prompts == found.spread == ()
        assert not any(found.people.values())
        assert not found.only_a.counts
        assert not found.only_b.counts
        assert all(measure.a == measure.b for measure in found.outcomes.measures)


@pytest.mark.slow
def test_runs_are_equal_until_the_first_intervention(compare):
    """Not a step longer; the memory of the whisper is the first difference, and one thing differs in the set-up."""
    found = compare("plain", "told")
    assert found.equal.until == TOLD_AT
    assert found.set_up.count == 1
    assert [(row.step, row.who, row.words) for row in found.set_up.only_b] == [(TOLD_AT, ADA, WORDS)]
    first = found.memories[0]
    assert (first.who, first.step) == (ADA, TOLD_AT)
    assert "sing at the cafe" in first.b
    assert (found.spread[0].who, found.spread[0].via, found.spread[0].words) == (ADA, "intervention", WORDS)
    assert all(each.step >= TOLD_AT for each in (*found.decisions, *found.moves))


def test_until_the_intervention_both_runs_are_equal(compare):
    """A run can be compared until a moment; then what comes later does not count."""
    found = compare(f"plain@{TOLD_AT}", f"told@{TOLD_AT}")
    assert found.is_equal
    assert (found.equal.end, found.set_up.count) == (TOLD_AT, 0)
    assert compare(f"plain@{TOLD_AT + 1}", "told").equal.until == TOLD_AT


def test_runs_of_different_people_can_be_compared(town, compare):
    """A resident of one run only differs from the first step on; the others are compared as ever."""
    base = town.root / "storage/two"
    shutil.copytree(town.root / "storage/base", base)
    shutil.rmtree(base / "personas" / CLEO)
    for file in ("reverie/meta.json", "environment/0.json"):
        values = json.loads((base / file).read_text())
        values.get("persona_names", []).remove(CLEO) if "meta" in file else values.pop(CLEO)
        (base / file).write_text(json.dumps(values))
    with TownSession(town.settings, "two", "pair") as session:
        session.run(steps=20)
    for sides in (("plain", "pair"), ("pair", "plain")):
        found = compare(*sides)
        assert [(span.first, span.last, span.how) for span in found.people[CLEO]] == [(0, 19, Unlike.ABSENT)]
        assert "people" in [each.what for each in found.set_up.differences]
        assert (*found.residents_a, *found.residents_b) == (CLEO,)
        assert CLEO not in {each.who for each in (*found.memories, *found.decisions, *found.moves, *found.spread)}
    assert not compare("base", "plain").is_equal


@pytest.mark.parametrize("sides", [("plain", "longer"), ("longer", "plain")])
def test_what_comes_after_the_shorter_run_is_no_difference(town, compare, compare_shell, capsys, sides):
    """A run that went on from where another one ended: neither memories, outcomes nor interventions differ."""
    if not (town.root / "storage/longer").exists():
        with TownSession(town.settings, "plain", "longer") as session:
            session.plan([{"step": STEPS + 5, "kind": "whisper", "who": ADA, "words": WORDS}])
            session.run(steps=360)
    found = compare(*sides)
    assert found.is_equal
    assert found.equal.end == STEPS
    assert found.memories == found.decisions == found.moves == found.spread == ()
    assert not any((found.only_a.counts, found.only_b.counts, found.set_up.only_a, found.set_up.only_b))
    assert all(measure.a == measure.b for measure in found.outcomes.measures)
    assert {found.a.steps, found.b.steps} == {STEPS, STEPS + 360}
    assert compare_shell(*sides) == 0
    printed = capsys.readouterr().out
    assert "all memories until the shorter one ends" in printed
    letter, other = ("A", "B") if sides[0] == "plain" else ("B", "A")
    assert f"{letter} ends at {found.equal.end_time}; the rest of {other} is not compared" in printed


def test_the_digest_of_a_moment_does_not_know_what_comes_later(compare):
    """It is that of another run with the same memories until then, and not that of the whole run."""

    def digest(name):
        return compare(name, name).a.citation.rpartition(" ")[2]

    assert digest(f"plain@{TOLD_AT}") == digest(f"told@{TOLD_AT}") != digest("plain")
    assert digest("plain") == digest("replay") != digest("told")


@pytest.mark.slow
def test_no_first_difference_looks_the_same_on_both_sides(compare, town):
    """Two memories with the same words tell what else differs."""
    twin = town.root / "storage/twin"
    shutil.copytree(town.root / "storage/plain", twin)
    nodes = twin / "personas" / ADA / "bootstrap_memory/associative_memory/nodes.json"
    values = json.loads(nodes.read_text())
    last = max(values, key=lambda name: values[name]["node_count"])
    values[last]["poignancy"] += 1
    nodes.write_text(json.dumps(values))
    found = compare("plain", "twin")
    assert [each.who for each in found.memories] == [ADA]
    firsts = (*found.memories, *found.decisions, *found.moves, *compare("plain", "told").memories)
    assert all(each.a != each.b for each in firsts)


def test_the_order_of_keywords_is_no_difference(compare, town):
    """They are a set: the original engine saves them in another order each time."""
    shutil.copytree(town.root / "storage/plain", town.root / "storage/reordered")
    for nodes in (town.root / "storage/reordered/personas").glob("*/bootstrap_memory/associative_memory/nodes.json"):
        values = json.loads(nodes.read_text())
        for node in values.values():
            node["keywords"].reverse()
        nodes.write_text(json.dumps(values))
    found = compare("plain", "reordered")
    assert found.is_equal
    assert found.a.citation.rpartition(" ")[2] == found.b.citation.rpartition(" ")[2]


@pytest.mark.slow
def test_comparing_is_symmetric(compare):
    """B against A has the same differences, with the sides exchanged."""
    one, other = compare("plain", "told"), compare("told", "plain")
    assert one.equal == other.equal
    assert one.people == other.people
    assert (one.only_a, one.only_b) == (other.only_b, other.only_a)
    assert (one.set_up.only_a, one.set_up.only_b) == (other.set_up.only_b, other.set_up.only_a)
    for mine, theirs in ((one.memories, other.memories), (one.decisions, other.decisions), (one.moves, other.moves)):
        assert [(each.step, each.who, each.a, each.b) for each in mine] == [
            (each.step, each.who, each.b, each.a) for each in theirs
        ]


def test_steps_tell_who_differs(compare, town):
    """A persona differs in exactly those steps in which the two movement files show something else of it."""
    found = compare("plain", "told")
    unlike = {
        (name, step)
        for name, spans in found.people.items()
        for span in spans
        for step in range(span.first, span.last + 1)
    }
    movement = {
        name: [StepStore(town.root / "storage" / name).read_movement(step)["persona"] for step in range(STEPS)]
        for name in ("plain", "told")
    }
    fields = ("movement", "description", "chat")
    assert unlike == {
        (name, step)
        for step, (mine, other) in enumerate(zip(movement["plain"], movement["told"], strict=True))
        for name in mine
        if any(mine[name][field] != other[name][field] for field in fields)
    }


@pytest.mark.slow
def test_prompts_of_the_rules_are_known_by_asking_them_again(compare):
    """They keep no ledger: steps are computed again, and the first question that differs has the whisper in a line."""
    found = compare("plain", "told")
    assert found.prompts_from == "traces"
    first = found.prompts[0]
    assert (first.who, first.asked_by) == (ADA, "both")
    assert "sing at the cafe" in "".join(span.words for line in first.lines for span in line if span.of == "b")
    assert compare("plain", "told", trace=False).prompts == ()


def test_the_first_prompt_that_differs_names_the_listener_and_the_words(town, server, compare):
    """With a model: the ledgers tell which question of Ada changed, and in which line the whisper stands."""
    straight = server.chat

    def chat(request):
        thought = {
            "text": "Ada Stone wants to sing at the cafe.",
            "subject": ADA,
            "predicate": "wants",
            "object": "to sing",
        }
        whispered = question_of(request.body) == "talk_whispered"
        return Reply(completion(json.dumps(thought | {"poignancy": 5}), request)) if whispered else straight(request)

    server.chat = chat
    settings = replace(town.settings, provider="openai", base_url=server.url, keys={"openai": KEY})
    run(settings, "until_evening", steps=EVENING)
    told = {"until": THOUGHT_OF, "whispers": {TOLD_IN_BED: WORDS}}
    go_on(settings, "until_evening", "asked", until=THOUGHT_OF)
    go_on(settings, "until_evening", "asked_and_told", **told)
    found = compare("asked", "asked_and_told")
    assert (found.equal.until, found.prompts_from) == (TOLD_IN_BED, "ledgers")
    first = found.prompts[0]
    assert (first.who, first.asked_by) == (ADA, "both")
    added = ["".join(span.words for span in line if span.of != "a") for line in first.lines]
    assert any("sing at the cafe" in line for line in added)
    assert found.outcomes.cost_a is not None
    assert found.outcomes.cost_a.calls > 0
    go_on(settings, f"asked@{TOLD_IN_BED}", "branched", **told)
    assert compare("asked", "branched").prompts == found.prompts  # the ledger of its origin has what it asked before
    (town.root / "storage/asked").rename(town.root / "storage/moved")
    assert (
        compare("moved", "branched").prompts == found.prompts
    )  # a question without a record is not one that only the other asked


def test_repeats_that_do_not_differ_do_not_exceed_the_noise(town):
    """Both sides the same runs: no difference, and p is 1. With so few runs nothing could exceed the noise."""
    for seed in (1, 2):
        run(replace(town.settings, seed=seed), f"run_{seed}", steps=30)
    found = ville.compare_sides(["run_1", "run_2"], ["run_1", "run_2"], fs_storage=town.root / "storage")
    assert found.too_few
    assert all((each.difference.estimate.mean, each.difference.p) == (0, 1) for each in found.measures)


def test_runs_that_begin_alike_have_one_origin(town, compare):
    """A beginning with the same set-up, as studies share them, is no other origin. One with another seed is."""
    for seed in (3, 4):
        run(replace(town.settings, seed=seed), f"shared_{seed}", steps=5)
    for name, origin, seed in (("arm_3", "shared_3", 3), ("arm_4", "base", 4), ("arm_5", "shared_3", 5)):
        with TownSession(replace(town.settings, seed=seed), origin, name) as session:
            session.run(steps=10 - session.step)
    assert [each.what for each in compare("arm_3", "arm_4").set_up.differences] == ["seed"]
    assert [each.what for each in compare("arm_3", "shared_3").set_up.differences] == []
    assert [each.what for each in compare("arm_4", "arm_5").set_up.differences] == ["origin", "seed"]
    sides = partial(ville.compare_sides, fs_storage=town.root / "storage")
    assert sides(["arm_3", "arm_4"], ["arm_4", "arm_3"]).warnings == ()
    assert "different origins: base, shared_3" in sides(["arm_4", "arm_5"], ["arm_3"]).warnings[0]


def test_the_shell_says_what_is_wrong_in_one_line(compare_shell, capsys, tmp_path):
    """Unknown names, a single name, a news pattern that cannot be read, a file that cannot be written."""
    wrong = (["base", "nobody"], ["base"], ["base", "base", "--news", "("], ["base", "base", "--json", str(tmp_path)])
    for arguments in wrong:
        assert compare_shell(*arguments) == 1
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1), arguments


@pytest.mark.slow
def test_the_shell_prints_what_it_writes(town, compare_shell, capsys, tmp_path):
    """The text names listener and whisper; the file has everything; the simulations stay as they are."""

    def times():
        """Return the times of all files; locks come and go beside the simulations."""
        return {path: path.stat().st_mtime_ns for path in town.root.rglob("*") if path != town.root / "storage"}

    before = times()
    assert compare_shell("plain", "told", "--json", str(tmp_path / "found.json")) == 0
    assert f"whisper to {ADA}: {WORDS}" in capsys.readouterr().out
    assert json.loads((tmp_path / "found.json").read_text())["equal"]["until"] == TOLD_AT
    assert times() == before
