"""Laws of the public pools: whatever is in them, a run can begin; what is valid is used, and what is new given back."""

import json
import shutil
from dataclasses import replace

import pytest
from short_runs import different, went

from ville.assembly.run import open_at
from ville.storage.exchange.public_pool import PublicFolder

ADA, BEN = "Ada Stone", "Ben Reed"
STEPS = 600
VECTOR = [0.1] * 1536
TASK = {"duration": 60, "decomp": [["tea (boiling water)", 20], ["tea (drinking)", 40]], "embedding": VECTOR}
BUNDLE = {
    "new_address": "the Town:Hill Cafe:cafe:table", "act_pron": "🧠💡->☕", "act_event": [ADA, "is", "drinking"],
    "act_game_object": "table", "act_obj_desp": "set", "act_obj_pron": "☕", "act_obj_event": ["table", "is", "set"],
}  # fmt: skip
POLICIES, ACTIONS = f"policy_pool/{ADA}.json", f"sub_task_pool/{ADA}.json"


@pytest.fixture
def settings(small_town):
    """With the questions of the paper, which ask for the steps of all long activities."""
    return replace(small_town.settings, fsync=False, policy_store="public", questions="paper")


@pytest.fixture
def public(settings):
    """Write files of the pools; return their folder."""
    root = settings.fs_storage / "public"

    def write(files):
        for name, value in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(value if isinstance(value, str) else json.dumps(value, indent=4), "utf-8")
        return root

    return write


def texts(root):
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.rglob("*.json")}


POOLS = {
    "as it should be": ({POLICIES: {"tea": TASK}, ACTIONS: {"tea (drinking)": BUNDLE}}, {"tea"}),
    "mixed sizes": ({POLICIES: {"tea": TASK, "cake": TASK | {"embedding": [0.2] * 384}}}, {"tea", "cake"}),
    "no vectors": ({POLICIES: {"tea": TASK | {"embedding": None}}, "embedding_pool.json": {"tea": None}}, {"tea"}),
    "not numbers": ({POLICIES: {"tea": TASK | {"embedding": ["a", float("nan")]}}}, {"tea"}),
    "empty decompositions": ({POLICIES: {"tea": TASK | {"decomp": []}, "cake": TASK}}, {"cake"}),
    "no minutes": ({POLICIES: {"tea": TASK | {"decomp": [["a", 0]]}, "cake": TASK | {"decomp": [["b", "c"]]}}}, set()),
    "other shapes": ({POLICIES: {"tea": 7, "cake": {"decomp": 3}, "": None}, ACTIONS: {"x": [], "y": {}}}, set()),
    "names with dots": ({"policy_pool/A. B. Stone.json": {"tea": TASK}, POLICIES: {"tea": TASK}}, {"tea"}),
    "cut in half": ({POLICIES: json.dumps({"tea": TASK}, indent=4)[:900]}, None),
    "a list": ({POLICIES: [1, 2]}, None),
    "large": ({"embedding_pool.json": {str(n): VECTOR for n in range(3400)}, POLICIES: {"tea": TASK}}, {"tea"}),
}  # fmt: skip


@pytest.mark.parametrize(
    "kind", [*(kind for kind in POOLS if kind != "large"), pytest.param("large", marks=pytest.mark.slow)]
)
async def test_a_run_begins_with_what_is_valid_in_any_pool(settings, public, kind):
    """Valid entries stay in the pool as they were. A file that cannot be read is set aside, and a line says so."""
    files, known = POOLS[kind]
    root = public(files)
    before = texts(root)
    simulation = await open_at(settings, "base", "run")
    assert {*simulation.persona(ADA).mind.policy.subtasks} == (known or set())
    assert [BEN in name for name in before] == [False] * len(before)
    assert any("cannot be read" in note for note in simulation.notes) == (known is None)
    await simulation.close()
    await went(settings, "run", "run", STEPS)
    kept = json.loads((root / POLICIES).read_text("utf-8"))
    if known is None:
        assert (root / f"{POLICIES}.torn").read_text("utf-8") == before[POLICIES]
    else:
        entries = json.loads(before[POLICIES], parse_constant=lambda _: None)
        assert {task: kept[task] for task in entries} == entries
    assert all(text.startswith("{\n    ") for text in texts(root).values())
    assert json.loads((root / f"policy_pool/{BEN}.json").read_text("utf-8"))


async def test_places_and_emoji_of_aga_are_understood(settings, public):
    public({POLICIES: {"tea": TASK}, ACTIONS: {"tea (drinking)": BUNDLE, "dozing": BUNDLE}})
    simulation = await open_at(settings, "base", "run")
    policy = simulation.persona(ADA).mind.policy
    await simulation.close()
    _, drinking = policy.subtasks["tea"].answer
    assert [*vars(drinking.place).values()] == ["Hill Cafe", "cafe", "table", "☕", "set"]
    assert [*policy.places] == ["dozing"]


@pytest.mark.slow
async def test_a_run_of_a_pool_goes_on_and_branches_without_it(settings):
    """It has copied what it read, so a branch and a replay need no pool. A later run begins with what others gave."""
    cold = await went(settings, "base", "cold", STEPS)
    warm = await went(settings, "base", "warm", STEPS, autosave=200)
    assert pool_of(cold) != pool_of(warm)
    shutil.rmtree(settings.fs_storage / "public")
    branch = await went(settings, "warm@333", "branch", STEPS - 333)
    assert different(branch, warm) == []
    shutil.rmtree(settings.fs_storage / "public")
    again = await went(settings, "base", "again", STEPS)
    assert different(again, cold) == []


def pool_of(files):
    return json.loads(files["reverie/run.json"])["policy_pool"]


@pytest.mark.slow
async def test_a_simulation_that_is_resumed_with_pools_reads_them_once(settings):
    """Moments before have nothing of them; from any moment after, the same follows."""
    await went(settings, "base", "giver", STEPS)
    plain = replace(settings, policy_store="none")
    await went(plain, "base", "whole", 200)
    whole = await went(settings, "whole", "whole", STEPS - 200, autosave=100)
    for step in (100, 250, 599):
        branch = await went(plain, f"whole@{step}", f"branch_{step}", 0)
        assert ("reverie/lifestyle_policy.json" in branch) == (step > 200)
    later = await went(settings, "branch_250", "branch_250", STEPS - 250)
    assert different(later, whole) == []


def test_what_others_write_meanwhile_stays(settings, public):
    """Pools are merged; the same is not written twice."""
    root = public({POLICIES: {"tea": TASK}})
    one, other = PublicFolder(settings.fs_storage), PublicFolder(settings.fs_storage)
    mine, theirs = one.read([ADA]), other.read([ADA])
    mine.personas[ADA].subtasks["mine"] = mine.personas[ADA].subtasks["tea"] = TASK | {"duration": 5}
    theirs.personas[ADA].subtasks["theirs"] = TASK
    one.add(mine)
    other.add(theirs)
    kept = json.loads((root / POLICIES).read_text("utf-8"))
    assert (kept["tea"], {*kept}) == (TASK, {"tea", "mine", "theirs"})
    assert one.notes == []
