"""Impossible interventions are refused when they are planned, not when their step comes."""

import json

import pytest

import ville
from ville.api.town_session import TownSession
from ville.errors import BadIntervention, BadStudy
from ville.simulation.interventions.catalogue import kinds
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.intervention_file import planned_rows
from ville.simulation.interventions.prepare import check_planned
from ville.studies.reading.study_file import study_of

ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
NORA = {"kind": "visitor_in", "name": "Nora", "look": "visitor 3", "about": "a painter", "tile": [7, 5]}
DORA = {"kind": "resident_in", "name": "Dora Quill", "look": "visitor 1", "home": "the Town:Cleo's flat:main room"}
DORA |= {"age": 30} | dict.fromkeys(("innate", "learned", "currently", "lifestyle"), "calm")
CUT = {"kind": "rule", "rule": "cut", "who": ADA}
IMPOSSIBLE = [
    ({"kind": "whisper", "who": "Zoe", "words": "You sing"}, "who", "'Zoe'", ADA),
    ({"kind": "memory_add", "who": "Zoe", "words": "Zoe sings"}, "who", "'Zoe'", ADA),
    ({"kind": "memory_drop", "who": "Zoe", "node": "node_1"}, "who", "'Zoe'", ADA),
    ({"kind": "resident_out", "who": "Zoe"}, "who", "'Zoe'", ADA),
    ({"kind": "history", "rows": [[ADA, "You sing"], ["Zoe", "You sing"]]}, "rows", "'Zoe'", ADA),
    ({"kind": "trait", "who": ADA, "field": "age", "now": "old"}, "age", "'old'", "34"),
    ({"kind": "trait", "who": ADA, "field": "living_area", "now": "atlantis"}, "living_area", "'atlantis'", "arena"),
    ({"kind": "object", "where": "pianola", "state": "burning"}, "where", "'pianola'", "piano'"),
    ({"kind": "object", "where": "piano", "state": "burning", "until": 5}, "until", "step 5", "after step 5"),
    ({"kind": "event", "where": "atlantis", "words": "it rains"}, "where", "'atlantis'", "a place"),
    ({"kind": "talk", "who": ADA, "as": "a guest", "lines": [["Zoe", "Hi"]]}, "lines", "'Zoe'", "a guest"),
    ({"kind": "talk", "who": ADA, "as": ADA, "lines": [[ADA, "Hi"]]}, "as", ADA, "another role"),
    ({**CUT, "other": ADA}, "other", ADA, "another persona"),
    ({**CUT, "other": "Zoe"}, "other", "'Zoe'", BEN),
    ({"kind": "rule", "rule": "silence", "where": "hill cave"}, "where", "'hill cave'", "Hill Cafe"),
    ({"kind": "rule", "rule": "pin", "who": ADA, "recording": "nowhere"}, "recording", "'nowhere'", "base"),
    ({**NORA, "look": "visitor 99"}, "look", "'visitor 99'", "visitor_"),
    ({**NORA, "name": ADA}, "name", ADA, "another name"),
    ({**NORA, "tile": [0, 0]}, "tile", "0, 0", "another tile"),
    ({**NORA, "tile": "atlantis"}, "tile", "'atlantis'", "a place"),
    ({"kind": "visitor_walk", "name": "Zoe", "to": [7, 5]}, "name", "'Zoe'", "arrive first"),
    ({"kind": "visitor_say", "name": "Zoe", "to": ADA, "words": "Hi"}, "name", "'Zoe'", "arrive first"),
    ({"kind": "visitor_out", "name": "Zoe"}, "name", "'Zoe'", "arrive first"),
    ({**DORA, "look": "visitor 99"}, "look", "'visitor 99'", "visitor_"),
    ({**DORA, "home": "atlantis"}, "home", "'atlantis'", "Free homes"),
    ({**DORA, "home": "the Town:Hill Cafe:cafe"}, "home", "Hill Cafe", "Free homes"),
    ({**DORA, "name": BEN}, "name", BEN, "another name"),
]  # fmt: skip


@pytest.fixture
def check(opened):
    """Check a plan for a fork of the small town."""
    simulation = opened("new")
    around = Circumstances.of(simulation.target())
    return lambda *rows: check_planned(planned_rows(rows, simulation.clock, "plan"), around)


def test_what_cannot_happen_is_refused_before_it_runs(check):
    """Every kind, in one line with kind, field, value, and what would be right."""
    for row, *words in IMPOSSIBLE:
        with pytest.raises(BadIntervention) as refused:
            check({"step": 5, **row})
        said = str(refused.value)
        assert all(each in said for each in (row["kind"], *words)), (row, said)
        assert "\n" not in said
    assert {row["kind"] for row, *_ in IMPOSSIBLE} == set(kinds())


def test_who_moves_in_may_be_named_afterwards_and_who_moved_away_may_not(check):
    """In the order of the steps, whatever that of the rows is."""
    leaves, comes = {"step": 5, "kind": "resident_out", "who": "Cleo"}, {"step": 6, **DORA}
    told = {"kind": "whisper", "words": "You sing"}
    check(leaves, comes, {"step": 6, "who": "Dora", **told})
    check({"step": 7, "who": "Dora", **told}, comes, leaves)
    check({"step": 9, "kind": "visitor_out", "name": "Nora"}, {"step": 5, **NORA})
    for wrong in ([{"step": 4, "who": "Dora", **told}, leaves, comes], [leaves, {"step": 6, "who": CLEO, **told}]):
        with pytest.raises(BadIntervention, match="whisper: who: "):
            check(*wrong)
    with pytest.raises(BadIntervention, match="Free homes are: none"):
        check(comes)


def test_every_door_refuses_it(opened, small_town, tmp_path):
    """A file of a new simulation, which then does not exist; a plan of an open one; a study."""
    row = {"step": 5, **CUT, "other": ADA}
    file = tmp_path / "plan.jsonl"
    file.write_text(json.dumps(row), "utf-8")
    settings = {"fs_storage": small_town.settings.fs_storage, "assets": small_town.settings.assets}
    with pytest.raises(BadIntervention, match="rule: other"):
        opened("new", interventions=file)
    assert not (small_town.settings.fs_storage / "new").exists()
    with TownSession(small_town.settings, "base", "new") as town, pytest.raises(BadIntervention, match="rule: other"):
        town.plan([row])
    study = {"base": "base", "steps": 10, "seeds": 1}
    whispered = {"step": 7, "kind": "whisper", "who": "Dora", "words": "You sing"}
    coming = [{"step": 5, "kind": "resident_out", "who": "Cleo"}, {"step": 6, **DORA}]
    named = {"arms": {"one": {"interventions": [whispered]}}}
    assert study_of({**study, **named, "interventions": coming}, "named", settings)
    for wrong in ({"interventions": [row]}, named):
        with pytest.raises(BadStudy, match="rule: other|whisper: who"):
            study_of({**study, **wrong}, "wrong", settings)


def test_everything_that_is_listed_can_be_named(small_town):
    """Places, objects and looks of the API are what interventions take; visitors come to a place by its name."""
    settings = {"fs_storage": small_town.settings.fs_storage, "assets": small_town.settings.assets}
    with TownSession(small_town.settings, "base", "new") as town:
        plan = [{"step": 5, "kind": "event", "where": where, "words": "it rains"} for where in town.places()]
        plan += [{"step": 5, "kind": "object", "where": where, "state": "wet"} for where in town.objects()]
        plan += [{"step": 5, **NORA, "look": look, "id": look} for look in ville.looks(**settings)]
        assert town.plan(plan) == len(plan)
        assert {"the Town:Hill Cafe:cafe", "the Town:Green"} <= {*town.places()}
        assert "the Town:Hill Cafe:cafe:piano" in town.objects()
        town.plan(
            [
                {"step": 0, **NORA, "tile": "hill cafe"},
                {"step": 1, "kind": "visitor_walk", "name": "Nora", "to": "piano"},
            ]
        )
        town.run(steps=2)
        rows = [json.loads(line) for line in (town.folder / "reverie/interventions.jsonl").read_text().splitlines()]
        assert [len(rows[0]["tile"]), rows[1]["to"]] == [2, [9, 9]]
