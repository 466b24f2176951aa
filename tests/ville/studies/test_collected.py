"""Tables of a study over time are read of its saved runs: the same numbers as everywhere else, at any hour."""

import csv
import io

import pytest
from handmade_runs import ADA, BEN, CLEO, talk, thought, write_run
from inline_engine import InlineEngine
from repository import ROOT

from ville.analysis.collect_plan import MEASURES, PAIR, TOWN, collected_measure
from ville.analysis.collected_run import CollectedRun, RunPart
from ville.analysis.comparison.compared_run import find_run
from ville.analysis.measures import acquaintances, density, talks
from ville.errors import BadArgument, BadStudy
from ville.studies.collecting import columns_of

NOON = 720
PLAIN = """\
base: base
steps: 120
seeds: 1
arms:
  plain: {}
  told:
    interventions: [{step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}]
measures: [conversations, density at the end, {news: zebra, name: know}]
"""
COLLECT = """\
collect:
  every: 10 minutes
  persona: [place, activity, talks now, memories, thoughts, conversations, people known, {news: zebra, name: knows it}]
  pair: [talked, knows, likes, dislikes]
  town: [people, people who talk now, memories, conversations, density, {news: zebra, name: know}]
"""
FAULTY = """\
base: base
steps: 60
seeds: 1
collect:
  every: often #!
  persona: [plaice] #!
  pair:
    - knows
    - knows #!
    - {news: zebra} #!
  town: [density, {news: "("}, {news: zebra, name: density}] #! #!
  street: [length] #!
"""


@pytest.fixture(scope="module")
def desk_and_study(write_small_town, make_desk, tmp_path_factory):
    """A study that was run to its end before it collected anything, and its desk."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("collected")).root)
    desk.run(PLAIN)
    return desk, desk.run(PLAIN + COLLECT, engine=InlineEngine())


def rows_of(desk, table):
    return list(csv.DictReader(io.StringIO(desk.table(f"collected/{table}.csv"), newline="")))


def by_moment(table, run, measure, *, whose=()):
    """Return the values of a measure in a run by step, those of one persona or pair if `whose` says so."""
    named = [row for row in table if (row["run"], row["measure"]) == (run, measure)]
    return {int(row["step"]): row["value"] for row in named if set(whose) <= set(row.values())}


def test_what_is_collected_at_the_end_is_what_is_measured(desk_and_study):
    """Nothing runs again for it, and the last row of a run has the number that runs.csv has."""
    _, study = desk_and_study
    town = study.collected("town")
    for run in study.runs:
        for collected, measured in {
            "conversations": "conversations",
            "density": "density at the end",
            "know": "know",
        }.items():
            found = by_moment(town, run["run"], collected)
            assert list(found) == [*range(0, 120, 10), 120]
            assert found[120] == pytest.approx(run[measured])
            assert list(found.values()) == sorted(found.values())


def test_hours_before_a_branch_are_those_of_the_beginning_that_it_shares(desk_and_study):
    """Two arms are the same until they part, places and activities included, and each moment is that of the run."""
    desk, study = desk_and_study
    persona = study.collected("persona")
    arms = [[row for row in persona if row["arm"] == arm and row["step"] < 60] for arm in ("plain", "told")]
    assert len(arms[0]) == 6 * 3 * 8
    assert [{**row, "run": "", "arm": ""} for row in arms[0]] == [{**row, "run": "", "arm": ""} for row in arms[1]]
    assert all(row["value"] for row in arms[0] if row["measure"] in {"place", "activity"})
    run = find_run(desk.root / "storage", desk.root / "temp", study.simulation("told", 1))
    for step in (60, 90, 110):
        shown = {
            name: f"{by_moment(persona, 'told-s1', 'activity', whose=[name])[step]} @ "
            f"{by_moment(persona, 'told-s1', 'place', whose=[name])[step]}"
            for name in run.people
        }
        assert shown == run.doings(run.meta.time_of(step))
    knows = by_moment(persona, "told-s1", "knows it", whose=["Ada Stone"])
    assert (knows[50], knows[60], knows[120]) == (0, 1, 1)


def test_pairs_and_talks_are_those_of_the_measures_at_every_hour(small_town):
    """Whoever talked, knows and likes, by then; talks with visitors count for the town, as in the measures."""
    lines = ((ADA, "Hello."), (BEN, "Hello."))
    run = write_run(
        small_town.root / "storage" / "base",
        {
            ADA: [thought(f"{CLEO} is kind", 10), talk(BEN, NOON, *lines), talk(BEN, NOON + 60, *lines)],
            BEN: [talk(ADA, NOON, *lines), thought(f"{CLEO} is nice", NOON + 90)],
            CLEO: [thought(f"{ADA} is kind", NOON + 30), talk("Zoe Guest", NOON + 120, ("Zoe Guest", "Hello."))],
        },
        relationships={ADA: {BEN: {"relationship": "Ben is my friend", "feeling": "warmth"}}},
    )
    plan = {PAIR: ("talked", "knows", "likes"), TOWN: ("conversations", "pairs who talked", "density")}
    for moment in CollectedRun([RunPart(0, run)]).moments(30):
        found = {
            name: dict(collected_measure(table, name).of(moment)) for table, names in plan.items() for name in names
        }
        counted, known = talks(run.until(moment.step + 1)), acquaintances(run, moment.time)
        assert found["conversations"] == {(): counted.total()}
        assert found["pairs who talked"] == {(): len(counted)}
        assert found["density"] == {(): pytest.approx(density(run, known))}
        assert {frozenset(pair) for pair in found["knows"] if pair[::-1] in found["knows"]} == known
        both = counted[frozenset({ADA, BEN})]
        assert found["talked"] == ({(ADA, BEN): both, (BEN, ADA): both} if both else {})
        assert found["likes"] == ({(ADA, BEN): 1} if moment.step >= NOON + 60 else {})
    assert both == 2
    assert counted.total() == 3


def test_the_files_have_the_same_as_the_table(desk_and_study, monkeypatch):
    """Parquet too. They are written once, again if something else is collected, and what is not is removed."""
    desk, study = desk_and_study
    root = study.folder / "collected"
    for table in MEASURES:
        found = study.collected(table)
        assert found.columns == columns_of(table)
        assert [row["run"] for row in rows_of(desk, table)] == [row["run"] for row in found]
        frame = pytest.importorskip("pandas").read_parquet(root / f"{table}.parquet")
        numbers = frame["number" if table == "persona" else "value"].dropna()
        assert list(numbers) == [row["value"] for row in found if isinstance(row["value"], float)]
        assert list(frame["time"]) == [row["time"] for row in found]
        assert len(found.to_frame()) == len(frame)
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    with monkeypatch.context() as patch:
        patch.setattr("ville.studies.collecting.find_run", None)
        desk.run(PLAIN + COLLECT)
    assert {path.name: path.read_bytes() for path in root.iterdir()} == before
    desk.run(PLAIN + "collect: {every: 1 day, town: [density]}\n")
    assert sorted(path.name for path in root.iterdir()) == ["made.json", "town.csv", "town.parquet"]
    assert [row["step"] for row in study.collected("town")] == [0, 120, 0, 120]
    for table, said in {"persona": "collect: {persona", "prson": "did you mean 'persona'"}.items():
        with pytest.raises(BadArgument, match=said):
            study.collected(table)


def test_bad_names_have_their_line_and_all_good_ones(desk):
    with pytest.raises(BadStudy) as raised:
        desk.read(FAULTY)
    planted = [n for n, line in enumerate(FAULTY.splitlines(), 1) for _ in range(line.count("#!"))]
    assert [fault.line for fault in raised.value.faults] == planted
    assert ", ".join(MEASURES["persona"]) in str(raised.value)


def test_the_document_has_every_measure():
    text = (ROOT / "docs" / "studies.md").read_text("utf-8")
    assert all(f"`{name}`" in text for table in MEASURES.values() for name in table)
