"""Interventions of any door change the same files, and are applied once, whatever happens in between."""

import asyncio
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadArgument, BadIntervention, CannotWrite, CorruptFile, Refused, UnknownPersona
from ville.simulation.interventions.catalogue import kinds, parse_intervention
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.intervention_file import planned_rows, read_interventions, read_objects
from ville.simulation.interventions.planned import ENVELOPE
from ville.simulation.talks.whispers import whisper
from ville.storage.records.intervention_log import AHEAD_FILE, LOG, read_rows
from ville.yaml_lines import LONGEST

ADA = "Ada Stone"
API = Source(door="api")
ALIASES = "- &a0 [x]\n" + "".join(f"- &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(30))
"""Few lines that stand for more values than there is memory on earth."""
PLAN = [
    {"step": 3, "kind": "whisper", "who": ADA, "words": "You sing"},
    {"step": 3, "kind": "memory_add", "who": ADA, "words": "Ben Reed has a boat", "poignancy": 8},
    {"step": 5, "kind": "memory_drop", "who": ADA, "node": "node_1"},
    {"step": 6, "kind": "trait", "who": "Ben Reed", "field": "currently", "now": "Ben Reed builds a boat"},
    {"step": 8, "kind": "history", "rows": [["Ben Reed", "You dance"], [ADA, "You hum"]]},
]


@pytest.fixture
def plan_file(tmp_path):
    path = tmp_path / "plan.jsonl"
    path.write_text("\n".join(map(json.dumps, PLAN)), "utf-8")
    return path


@pytest.fixture
def log_of(small_town):
    return lambda name: read_rows(small_town.root / "storage" / name / "reverie" / LOG)


def core(rows):
    """Return rows without who sent them, when and how."""
    return [{key: row[key] for key in row if key not in ENVELOPE or key in {"n", "step"}} for row in rows]


def state(small_town, name):
    """Return all files but the log."""
    files = small_town.files(name)
    return {path: files[path] for path in files if not path.endswith(LOG)}


async def by_hand(simulation, run_for):
    """Apply the plan as it would be typed, between runs."""
    for row in PLAN:
        await run_for(simulation, row["step"] - simulation.clock.step)
        await simulation.intervene(parse_intervention({key: row[key] for key in row if key != "step"}), source=API)
    await run_for(simulation, 20 - simulation.clock.step)
    simulation.save()


async def test_the_same_interventions_by_hand_and_by_file_give_the_same_files(
    opened, run_for, small_town, plan_file, log_of
):
    """And so does the log of a run, given to a fresh fork; it tells the same."""
    typed = opened("typed")
    await by_hand(typed, run_for)
    for name, path in {"filed": plan_file, "again": small_town.root / "storage" / "typed" / "reverie" / LOG}.items():
        simulation = opened(name, interventions=path)
        await run_for(simulation, 20)
        simulation.save()
        assert state(small_town, name) == state(small_town, "typed")
        assert core(log_of(name)) == core(log_of("typed"))
    assert [row["step"] for row in log_of("typed")] == [3, 3, 5, 6, 8]
    assert log_of("typed")[3]["was"] == typed.persona("Ben Reed").scratch.as_read["currently"]


async def test_a_run_that_is_killed_applies_its_interventions_again(opened, run_for, small_town, plan_file):
    """Those of the log beyond the last save and those still planned, without being given the file again."""
    whole = opened("whole", interventions=plan_file)
    await run_for(whole, 20)
    whole.save()
    cut = opened("cut", interventions=plan_file)
    await run_for(cut, 7, autosave=4)  # saved at step 4, killed after step 6
    cut._lock.release()
    resumed = opened("cut", "cut")
    with pytest.raises(BadIntervention, match="is being run again up to step 6"):
        await whisper(resumed, ADA, ["You sing"])
    await run_for(resumed, 20 - resumed.clock.step)
    resumed.save()
    assert state(small_town, "cut") == state(small_town, "whole")


async def test_a_wrong_row_is_named_with_its_file_and_line(opened, small_town):
    """Of the log, if it is newer than the save, and of what is planned."""
    simulation = opened("new")
    await whisper(simulation, ADA, ["You sing", "You hum"])
    simulation._lock.release()
    reverie = small_town.root / "storage/new/reverie"
    rows = [json.loads(line) for line in (reverie / LOG).read_text("utf-8").splitlines()]
    rows[1]["words"] = 5
    (reverie / LOG).write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    with pytest.raises(CorruptFile, match=r"new/reverie/interventions\.jsonl:2: whisper: words is not text"):
        opened("new", "new")
    (reverie / LOG).unlink()
    (reverie / AHEAD_FILE).write_text(json.dumps({"rows": [{**rows[0], "step": 3}, {**rows[1], "step": 3}]}), "utf-8")
    with pytest.raises(CorruptFile, match=r"new/reverie/interventions_ahead\.json: row 2: whisper: words is not text"):
        opened("new", "new")


async def test_an_id_is_planned_once(opened):
    """The same row may come twice; two that differ are refused, and nothing is planned."""
    simulation = opened("new")
    row = {"step": 3, "id": "a", "kind": "whisper", "who": ADA, "words": "You sing"}
    simulation.intake.plan(planned_rows([row, row, {**row, "id": "b"}], simulation.clock, "plan"))
    assert [each.id for each in simulation.intake.ahead] == ["a", "b"]
    for change in ({"step": 4}, {"words": "You hum"}):
        with pytest.raises(BadIntervention, match="have the id 'a'"):
            simulation.intake.plan(planned_rows([row, row | change], simulation.clock, "plan"))
    assert [each.id for each in simulation.intake.ahead] == ["a", "b"]


async def test_leaving_without_saving_forgets_them(opened, run_for, log_of):
    """And a fork has those of the save only."""
    simulation = opened("new")
    await whisper(simulation, ADA, ["You sing"])
    simulation.save()
    await whisper(simulation, ADA, ["You hum"])
    forked = opened("fork", "new")
    assert len(log_of("fork")) == 1
    simulation.revert()
    assert [row["words"] for row in log_of("new")] == ["You sing"]
    await run_for(forked, 2)


async def test_interventions_land_between_two_steps(opened, run_for):
    """Sent at any time while a run goes on, in the order of arrival; the step in the log is the one they precede."""
    simulation = opened("new")

    async def send():
        for number in range(5):
            await simulation.intervene(
                parse_intervention({"kind": "whisper", "who": ADA, "words": f"Word {number}"}), source=API
            )
            await asyncio.sleep(0)

    reports, _ = await asyncio.gather(run_for(simulation, 30), send())
    rows = simulation.intake._log.rows
    assert [row["words"] for row in rows] == [f"Word {number}" for number in range(5)]
    assert [row["step"] for row in rows] == sorted(row["step"] for row in rows)
    assert len(reports) == 30
    assert rows[-1]["step"] < 30


async def test_a_request_is_taken_once(opened):
    """However often it is sent."""
    simulation = opened("new")
    sing = parse_intervention({"kind": "whisper", "who": ADA, "words": "You sing"})
    source = Source(door="page", id="click 1")
    assert await simulation.intervene(sing, source=source)
    assert await simulation.intervene(sing, source=source) == []
    assert len(simulation.intake._log.rows) == 1


async def test_what_cannot_be_done_leaves_nothing(opened, monkeypatch):
    """Unknown people, memories and places, and a model that fails: one line, and no row."""
    simulation = opened("new")
    wrong = [
        {"kind": "whisper", "who": "Zoe", "words": "Hello"},
        {"kind": "memory_drop", "who": ADA, "node": "node_900"},
        {"kind": "trait", "who": ADA, "field": "age", "now": "old"},
        {"kind": "trait", "who": ADA, "field": "living_area", "now": "the Town:Moon:crater"},
    ]
    for values in wrong:
        with pytest.raises((BadIntervention, UnknownPersona)):
            await simulation.intervene(parse_intervention(values), source=API)

    async def refuse(_request):
        raise Refused("No.")

    monkeypatch.setattr(type(simulation.models.chat), "complete", lambda _self, request: refuse(request))
    with pytest.raises(Refused):
        await whisper(simulation, ADA, ["You sing"])
    assert simulation.intake._log.rows == []
    assert simulation.intake.applied == 0


async def test_what_cannot_be_recorded_does_not_take_effect(opened, monkeypatch):
    """On a full disk: a row is in the log before anyone knows of it."""
    simulation = opened("new")
    applied = []
    monkeypatch.setattr(simulation.intake, "_apply", applied.append)
    sing = parse_intervention({"kind": "whisper", "who": ADA, "words": "You sing"})

    def full(_rows):
        raise CannotWrite("The disk is full.")

    monkeypatch.setattr(simulation.intake._log, "append", full)
    with pytest.raises(CannotWrite):
        await simulation.intervene(sing, source=API)
    assert (applied, simulation.intake._log.rows) == ([], [])


async def test_a_dropped_memory_is_never_retrieved(opened):
    """By no way, also after saving and opening again; it stays in the stream."""
    simulation = opened("new")
    await whisper(simulation, ADA, ["Ben Reed has a boat"])
    node = simulation.persona(ADA).mind.stream.newest("thought")[0]
    await simulation.intervene(
        parse_intervention({"kind": "memory_drop", "who": ADA, "node": node.node_id}), source=API
    )
    simulation.save()
    simulation._lock.release()
    for each in (simulation, opened("new", "new")):
        stream = each.persona(ADA).mind.stream
        assert stream[node.number].description == node.description
        assert node.number not in stream.retrievable("thought")
        assert not any(node in stream.with_keyword("thought", word) for word in node.keywords)
        with pytest.raises(BadIntervention, match="no longer has"):
            await each.intervene(
                parse_intervention({"kind": "memory_drop", "who": ADA, "node": node.node_id}), source=API
            )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"who": 5}, "whisper: who is not text. Correct it."),
        ({"words": " "}, "whisper: words is empty. Write something."),
        ({"sudo": 1}, "whisper: sudo is not a field of it. Leave it out."),
        ({"kind": "memory_add", "poignancy": 11}, "memory_add: poignancy is more than 10. Correct it."),
        ({"kind": "memory_add", "poignancy": "5"}, "memory_add: poignancy is not a whole number. Correct it."),
        ({"kind": "resident_out", "words": "x"}, "resident_out: words is not a field of it. Leave it out."),
        ({"kind": ["whisper"]}, "'['whisper']' is not a kind of intervention. Choose one of: event, "),
        ({"kind": None}, "kind is missing. Choose one of: event, "),
    ],
)
def test_a_wrong_field_is_named_in_plain_words(fields, message):
    """With what to do about it."""
    with pytest.raises(BadIntervention) as fault:
        parse_intervention({"kind": "whisper", "who": ADA, "words": "You sing", **fields})
    assert str(fault.value).startswith(message)


HOSTILE = ["\x00<script>alert(1)</script>", "\x1b[2J", "\ud800", "x" * 100_000]
FIELDS = ["who", "words", "where", "to", "rows", "tile", "name", "x"]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.sampled_from(HOSTILE),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(st.sampled_from(FIELDS), values),
    st.sampled_from(sorted(kinds())),
)
def test_no_value_breaks_the_reader(fields, kind):
    """Random fields of any type are refused in one short line, or make an intervention of clean text."""
    message, found = "", {}
    try:
        found = parse_intervention({**fields, "kind": kind}).as_json()
    except BadIntervention as fault:
        message = str(fault)
    assert bool(message) != bool(found)
    assert "\n" not in message
    assert not any(words in message for words in ("Input should", "Value error", "codec"))
    assert len(message) < 600
    assert not any(bad in json.dumps(found) for bad in ("\\u0000", "\\u001b", "\\ud800"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- kind: whisper\n  who: Ada Stone\n  words: Hi\n", "intervention 1: give either a step or a time"),
        ("- kind: whisper\n  step: -1\n  who: Ada Stone\n  words: Hi\n", "not a whole number"),
        ("- kind: whisper\n  time: noon\n  who: Ada Stone\n  words: Hi\n", "'noon' is not a time"),
        ("- kind: wisper\n  step: 1\n", "'wisper' is not a kind"),
        ("- whisper\n", "not an object"),
        ("kind: whisper\n", "not a list"),
        ("- {kind: [", "not YAML"),
        (ALIASES, "more than 1,000,000 values, aliases included"),
        (f"- {{kind: whisper, step: {[0] * 500}}}\n", "not a whole number"),
        (f"- {{kind: whisper, time: {[0] * 500}}}\n", "is not a time"),
        ('{"kind": "whisper"\n', "not JSON"),
        ("- kind: whisper\n  step: 1\n  who: Zoe\n  words: Hi\n", "No persona is called 'Zoe'"),
    ],
)
def test_a_bad_file_is_refused_in_one_line_before_anything_is_created(opened, small_town, tmp_path, text, message):
    path = tmp_path / "plan.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises((BadArgument, CorruptFile), match=message) as raised:
        opened("new", interventions=path)
    assert len(str(raised.value)) < 500
    assert not (small_town.root / "storage" / "new").exists()


def test_a_file_that_takes_minutes_to_read_is_refused_at_once(tmp_path, monkeypatch):
    """Many more interventions than that are JSON lines."""
    monkeypatch.setattr(yaml, "compose", None)  # nothing is parsed
    path, row = tmp_path / "plan.yaml", "- {step: 5, kind: whisper, who: Ada Stone, words: You sing}\n"
    path.write_text(row * (LONGEST // len(row) + 1), "utf-8")
    with pytest.raises(CorruptFile, match=f"at most {LONGEST:,} are read"):
        read_objects(path)


def test_times_are_read_as_after_run_until(opened, tmp_path):
    """With or without quotes, and with a date."""
    clock = opened("new").clock
    path = tmp_path / "plan.yaml"
    row = "- {{kind: whisper, who: Ada Stone, words: Hi, time: {}}}\n"
    times = ["18:00", '"18:00"', '"18:00:30"', f'"{clock.start:%B %d, %Y}, 18:00:00"']
    path.write_text("".join(map(row.format, times)), "utf-8")
    steps = [each.step for each in read_interventions(path, clock)]
    assert steps[0] == steps[1] == steps[3] == 18 * 60
    assert steps[2] == 18 * 60 + 1
