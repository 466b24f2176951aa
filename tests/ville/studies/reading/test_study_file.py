"""A study file is checked as a whole before anything runs."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ville.cli.study_command import main
from ville.errors import BadStudy
from ville.studies.reading.study_file import read_study

EXAMPLES = sorted((Path(__file__).resolve().parents[4] / "examples" / "studies").glob("*.yaml"))

FAULTY = """\
titel: Misspelt #!
base: bass #!
until: yesterday #!
seeds: [1, 2, 2, three] #! #!
settings:
  retreival: paper #!
  policy_store: public #!
models: {plann: big} #!
arms:
  plain: {}
  plain: {} #!
  two words: {} #!
  told:
    max_concurrency: 3 #!
    settings: {max_concurrency: 3} #!
    ablations: no_reflexion #!
    history: small/none.csv #!
questions:
  - of: everyone #!
measures:
  - conversation #!
  - nowhere.to_find:it #!
  - {news: "("} #!
budget: much #!
tries: 99 #!
"""

IN_TOWN = """\
base: base
steps: 100
seeds: 1
settings: {provider: nobody} #!
interventions:
  - {step: 5, kind: whisper, who: Ada Stone} #!
  - {step: 500, kind: whisper, who: Ada Stone, words: You sing} #!
  - {step: 5, kind: whisper, who: Nora, words: You sing} #!
  - {kind: whisper, who: Ada Stone, words: You sing} #!
questions:
  - {ask: "Who are you?", of: [Ada Stone, Nora]} #!
  - {ask: "Who are you?", when: 23:00} #!
  - {ask: "Who are you?", when: [start, 23:00, end, end]} #! #!
  - {ask: "Who are you?", when: []} #!
"""


TYPED = """\
base: base
steps: 100
seeds: 2
assign:
  told: 0.5
  nobody: 0 #!
  most: 1.5 #!
  many: lots #!
  rest: 1 #!
  ada: 1 #!
  two words: 1 #!
arms:
  plain: {}
  drawn:
    assign: {told: 3} #!
  none:
    assign: {} #!
questions:
  - {ask: "How are you?", answer: mood} #!
  - {ask: "How are you?", answer: {scale: [7, 1]}} #!
  - {ask: "How are you?", name: mood} #!
  - {ask: "How are you?", answer: number, name: ""} #!
  - {ask: "Is it late?", answer: {choice: [yes, no]}, name: late}
measures:
  - {news: sun, group: warned} #!
  - {of: moods, group: told} #!
  - {of: memories, group: told, about: Ada Stone} #!
"""
TWICE = """\
base: base
steps: 100
seeds: 1
questions:
  - {ask: "Is it late?", answer: number} #!
  - {ask: "Is it late?", role: a friend, answer: number}
"""


def faults(desk, text):
    """Return line and words of each fault."""
    with pytest.raises(BadStudy) as raised:
        desk.read(text)
    return [(fault.line, str(fault).removeprefix(f"study.yaml:{fault.line}: ")) for fault in raised.value.faults]


def planted(text):
    """Return the lines that have faults, once for each."""
    return [number for number, line in enumerate(text.splitlines(), 1) for _ in range(line.count("#!"))]


def test_every_fault_has_a_line_and_a_mend(desk):
    """Twenty faults are twenty lines, in the order of the file; nothing is run, and no study exists."""
    found = faults(desk, FAULTY)
    assert len(found) == 20
    assert [line for line, _ in found] == planted(FAULTY)
    assert all(re.search(r"[;.?] \w", words) for _, words in found)
    assert not (desk.root / "studies").exists()


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("titel", "title"), ("bass", "base"), ("retreival", "retrieval"), ("plann", "plan"),
     ("no_reflexion", "no_reflection"), ("'conversation'", "conversations")],
)  # fmt: skip
def test_a_misspelt_name_is_told_with_the_one_that_was_meant(desk, wrong, meant):
    """Keys, simulations, settings, questions, ablations and measures."""
    (said,) = [words for _, words in faults(desk, FAULTY) if wrong in words]
    assert f"did you mean '{meant}'?" in said


def test_what_the_town_cannot_do_is_found_before_it_is_tried(desk):
    """Interventions that are malformed, too late or about no one, and questions to no one or after the end."""
    assert [line for line, _ in faults(desk, IN_TOWN)] == planted(IN_TOWN)


@pytest.mark.parametrize("text", [TYPED, TWICE])
def test_typed_questions_and_groups_that_make_no_sense_are_refused(desk, text):
    """Each in a line; `yes` and `no` are choices, as they are written."""
    found = faults(desk, text)
    assert [line for line, _ in found] == planted(text)
    assert all(re.search(r"[;.?] \w", words) for _, words in found)


@pytest.mark.parametrize(
    "setting", ["base_url", "embedding_base_url", "api_version", "prices", "openai_api_key", "api_key", "re_embed"]
)
@pytest.mark.parametrize("place", ["{}", "arms: {{one: {{{}}}}}"])
def test_a_study_file_leads_to_no_other_server_or_file(desk, setting, place):
    """Study files are shared: keys and texts of those who run them go only where their own settings say."""
    given = place.format(f"settings: {{provider: openai, {setting}: 'https://elsewhere.example/v1'}}")
    text = f"base: base\nsteps: 5\nseeds: 1\n{given}\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-1")
        (said,) = faults(desk, text)
    assert f"'{setting}'" in said[1]
    assert "elsewhere" not in said[1]


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("seed: 3", "each run has a seed of its own; write `seeds`, beside `settings` of the study"),
        ("wallet: 3", "a study file cannot set 'wallet'; put VILLE_WALLET into your own .env"),
        ("autosav: 3", "'autosav' is not a setting; did you mean 'autosave'?"),
        ("foo: 3", "'foo' is not a setting; docs/models.md lists all settings"),
    ],
)
def test_a_setting_that_is_not_taken_says_why(desk, setting, says):
    """And not with a list of all the others."""
    (said,) = faults(desk, f"base: base\nsteps: 5\nseeds: 1\nsettings: {{{setting}}}\n")
    assert said[1] == says


REPEATED = "".join(f"  - &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]\n" for n in range(40))


@pytest.mark.parametrize(
    "text",
    ["", "- a list", "a: [", "a: b: c", "\t", "!!python/name:os.system", "title: &a [*a]", "title: &a {b: [*a]}",
     f"interventions:\n{REPEATED}", "[" * 5000],
)  # fmt: skip
def test_what_is_not_a_study_is_refused_in_lines(desk, text):
    """Whatever the file contains."""
    assert faults(desk, text)


@pytest.mark.parametrize(
    ("line", "longest"),
    [("title: {}", "t" * 200), ("measures: [{{news: zebra, name: {}}}]", "m" * 100)],
)
def test_names_have_room_in_tables_and_pages(desk, line, longest):
    """A title and a measure may be so long and not longer; no measure is called as another column."""
    text = "base: base\nsteps: 5\nseeds: 1\n"
    assert desk.read(text + line.format(longest))
    assert [place for place, _ in faults(desk, text + line.format(f"{longest}x"))] == [4]
    for column in ("run", "state", "cost") if "measures" in line else ():
        ((place, words),) = faults(desk, text + line.format(column))
        assert (place, f"'{column}'" in words) == (4, True)


def test_arms_begin_with_what_the_whole_study_has(desk):
    """Settings of an arm are stronger; interventions are added; equal ones are the same in all arms."""
    study = desk.read("""
base: base
steps: 10
seeds: 2
settings: {retrieval: paper, autosave: 5}
interventions: [{step: 1, kind: whisper, who: Ada Stone, words: You sing}]
arms:
  one: {}
  two:
    settings: {retrieval: released}
    interventions: [{step: 2, kind: whisper, who: Ada Stone, words: You sing}]
""")
    one, two = study.arms
    assert one.settings == {"retrieval": "paper", "autosave": 5}
    assert two.settings == {"retrieval": "released", "autosave": 5}
    assert [row["step"] for row in two.rows["base"]] == [1, 2]
    assert two.rows["base"][:1] == one.rows["base"]
    assert study.seeds == (1, 2)


MODEL = {"provider": "compatible", "base_url": "http://127.0.0.1:9/v1", "api_key": "sk-1", "fast_model": "m"}
PRICES = "m = { input = 1.0, output = 1.0 }\n"
SWAP = "interventions: [{step: 5, kind: rule, rule: swap, who: Ada Stone, model: dear}]"
IN_DOLLARS = {"a budget": ("", "budget: $1"), "max_cost": ("VILLE_MAX_COST", ""), "a wallet": ("VILLE_WALLET", "")}


@pytest.mark.parametrize(("limit", "budget"), IN_DOLLARS.values(), ids=IN_DOLLARS)
def test_what_is_limited_in_dollars_has_a_price(desk, monkeypatch, limit, budget):
    """Also the model of a single person, by an intervention of an arm or of all, if there is a limit."""
    prices = desk.root / "prices.toml"
    prices.write_text(PRICES, "utf-8")
    limited = replace(desk, given={**desk.given, **MODEL, "prices": prices})
    if limit:
        monkeypatch.setenv(limit, "1")
    begin = f"base: base\nsteps: 10\nseeds: 1\n{budget}\n"
    for text in (f"{begin}{SWAP}\n", f"{begin}arms: {{one: {{}}, two: {{{SWAP}}}}}\n"):
        assert any("price of dear is unknown" in words for _, words in faults(limited, text))
        for free in ("offline", "m"):
            limited.read(text.replace("dear", free))
    if limit:
        monkeypatch.delenv(limit)
    assert limited.read(f"base: base\nsteps: 10\nseeds: 1\n{SWAP}\n").arms


def test_nobody_has_a_model_where_rules_answer(desk):
    """It is found before the step at which the run would fail."""
    found = faults(desk, f"base: base\nsteps: 10\nseeds: 1\n{SWAP} #!\n")
    assert found == [(4, words) for _, words in found if "no persona can have dear" in words]


@pytest.mark.parametrize("more", [(), ("--estimate",)])
def test_code_of_a_study_is_announced_before_it_is_imported(desk, capsys, monkeypatch, more):
    """A user who was sent the file can still stop."""
    (desk.root / "theirs.py").write_text("print('imported')\ndef count(run): return 1\n", "utf-8")
    monkeypatch.delitem(sys.modules, "theirs", raising=False)
    desk.write("base: base\nsteps: 1\nseeds: 1\nmeasures: [conversations, theirs:count, {news: 'a:b', name: n}]\n")
    for name, value in desk.given.items():
        monkeypatch.setenv(f"VILLE_{name.upper()}", str(value))
    assert main(["run", str(desk.file), *more]) == 0
    said = capsys.readouterr().out.splitlines()
    (told,) = [line for line in said if "brings measures that are code" in line]
    assert "code: theirs:count." in told
    assert said.index(told) < said.index("imported")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_have_no_faults(file):
    """They can be run as they are."""
    assert read_study(file).title


@pytest.mark.parametrize(
    "arms", ["{one: {}, two: {}}", "{one: {settings: {autosave: 20}}, old: {settings: {retrieval: released}}, two: {}}"]
)
def test_arms_that_do_not_differ_are_refused(desk, arms):
    """In one line, at the second, that names both. What the whole study has anyway is no difference."""
    text = f"base: base\nsteps: 10\nseeds: 1\nsettings: {{autosave: 20}}\narms: {arms}\n"
    ((line, words),) = faults(desk, text)
    assert line == 5
    assert "'one' and 'two' do not differ" in words
    assert desk.read(text.replace("two: {}", "two: {settings: {retrieval: paper}}"))
