"""Settings: one frozen object from five sources, and one clear line when a source is wrong."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from ville.assembly.providers import OFFLINE_ANNOUNCEMENT, announcement
from ville.errors import BadSetting, MissingKey
from ville.settings import SPECS, Secret, Settings, load_settings, paths
from ville.settings.key_names import KEY_NAMES
from ville.settings.load import _prefixed
from ville.settings.model import ENVIRONMENT_SERVER_ONLY, PREFIX, QUESTION_KINDS


@pytest.fixture(autouse=True)
def empty_project(tmp_path, monkeypatch):
    """A house without .env and utils.py."""
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "BACKEND", tmp_path)
    return tmp_path


def test_without_any_source_the_defaults_hold():
    """Nothing configured is a complete configuration."""
    assert load_settings(environment={}) == Settings()


def test_earlier_sources_win(empty_project):
    """Flag beats environment beats .env beats utils.py beats default, name by name."""
    (empty_project / "utils.py").write_text("seed = 1\nlines = 1\nautosave = 1\npatience = 1\n", "utf-8")
    (empty_project / ".env").write_text("VILLE_LINES=2\nVILLE_AUTOSAVE=2\nVILLE_PATIENCE=2\n", "utf-8")
    found = load_settings({"patience": 4}, {"VILLE_AUTOSAVE": "3", "VILLE_PATIENCE": "3"})
    assert (found.seed, found.lines, found.autosave, found.patience) == (1, 2, 3, 4)


def test_an_old_utils_file_works_unchanged(empty_project):
    """The classic names keep their meaning; what this house does not need is ignored."""
    classic = 'openai_api_key = "x"\nkey_owner = "Ada"\nmaze_assets_loc = "../assets"\ndebug = True\n'
    (empty_project / "utils.py").write_text(classic + 'env_matrix = f"{maze_assets_loc}/the_ville/matrix"\n', "utf-8")
    found = load_settings(environment={})
    assert (found.key_owner, found.debug) == ("Ada", True)
    assert found.assets == (empty_project / "../assets").resolve()


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("seed = = 1\n", "utils.py:1"),
        ("def key():\n    return 'x'\nopenai_api_key = key()\n", "utils.py:3: openai_api_key is computed"),
        ("from elsewhere import openai_api_key\n", "utils.py:1: openai_api_key is computed"),
        ("key_type = 'opnai'\n", "openai, azure, llama, gemini"),
        ("retrieval = 'best'\n", "paper, released"),
    ],
)
def test_a_broken_utils_file_is_one_clear_line(empty_project, text, mend):
    """A mistake in utils.py names the file and what to do, on one line."""
    (empty_project / "utils.py").write_text(text, "utf-8")
    with pytest.raises(BadSetting) as fault:
        load_settings(environment={})
    assert mend in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", "one"),
        ("lines", "-1"),
        ("debug", "perhaps"),
        ("patience", "long"),
        ("max_cost", "-1"),
        ("max_calls", "0"),
        ("max_tokens", "1.5"),
        ("lines", "0"),
        ("deadline", "0"),
        ("retry_for", "nan"),
    ],
)
def test_a_wrong_value_names_setting_and_place(name, value):
    """The message tells which setting is wrong and where it was set."""
    with pytest.raises(BadSetting, match=f"{name} = '{value}' in the environment"):
        load_settings(environment={f"VILLE_{name.upper()}": value})


@pytest.mark.parametrize(
    ("line", "mend"),
    [
        ("VILLE_MAX_COTS=5", "did you mean VILLE_MAX_COST?"),
        ("VILLE_STORAGE=x", "did you mean VILLE_FS_STORAGE?"),
        ("VILLE_MAZE_ASSETS_LOC=x", "did you mean VILLE_ASSETS?"),
        ("VILLE_ZZZ=1", "docs/models.md"),
        ("MODEL_CONVRSE=advanced", "MODEL_CONVERSE"),
    ],
)
def test_a_setting_that_there_is_not_is_one_clear_line(empty_project, line, mend):
    """A limit that is misspelt would be no limit. What is not ours in the environment is nobody's business."""
    (empty_project / ".env").write_text(line, "utf-8")
    with pytest.raises(BadSetting) as caught:
        load_settings(environment={})
    assert line.partition("=")[0] in str(caught.value)
    assert mend in str(caught.value)
    assert str(empty_project / ".env") in str(caught.value)


def test_in_the_environment_a_setting_that_there_is_not_is_refused_too():
    """Only what bears our prefix."""
    with pytest.raises(BadSetting, match=r"VILLE_MAX_COTS in the environment .* VILLE_MAX_COST\?"):
        load_settings(environment={"VILLE_MAX_COTS": "5", "MAX_COTS": "5"})


def test_a_model_of_the_environment_may_be_anybodys():
    """MODEL_ is no prefix of ours."""
    load_settings(environment={"MODEL_DIR": "/models"})


def test_a_folder_may_lie_at_home(empty_project, monkeypatch):
    """A path that begins with ~ is somebody's home, in a file as in a shell."""
    monkeypatch.setenv("HOME", str(empty_project))
    monkeypatch.setenv("USERPROFILE", str(empty_project))
    (empty_project / ".env").write_text("VILLE_FS_STORAGE=~/towns\n", "utf-8")
    assert load_settings(environment={}).fs_storage == empty_project / "towns"


def test_every_setting_says_what_it_is_for():
    """Each knob has a sentence, and relative paths count from the backend's folder."""
    assert all(spec.sentence for spec in SPECS.values())
    assert load_settings({"fs_storage": "here"}).fs_storage == Path(paths.BACKEND, "here").resolve()


def test_keys_are_found_under_their_providers_own_names(empty_project):
    """Each source may hold some of them; the earlier source wins, key by key."""
    (empty_project / "utils.py").write_text('openai_api_key = "u1"\nopenrouter_api_key = "u2"\n', "utf-8")
    (empty_project / ".env").write_text("OPENAI_API_KEY=d1\nGEMINI_API_KEY=d3\n", "utf-8")
    found = load_settings(environment={"OPENAI_API_KEY": "e1", "VILLE_API_KEY": "e4", "API_KEY": "another program's"})
    keys = {provider: key.reveal() for provider, key in found.keys.items()}
    assert keys == {"openai": "e1", "openrouter": "u2", "gemini": "d3", "compatible": "e4"}


@pytest.mark.parametrize("key", ["", "<Your OpenAI API Key>"])
def test_what_the_example_leaves_open_is_no_key(empty_project, key):
    """Whoever copies the example and fills in nothing has the offline mind, not an error."""
    (empty_project / "utils.py").write_text(f"openai_api_key = {key!r}\n", "utf-8")
    assert load_settings(environment={"OPENAI_API_KEY": ""}).keys == {}


def test_a_key_is_never_shown():
    """Neither the settings nor the key itself print it."""
    found = load_settings(environment={"OPENAI_API_KEY": "very secret"})
    for shown in (repr(found), str(found), f"{found.keys}", repr(Secret("very secret")), str(Secret("very secret"))):
        assert "very secret" not in shown


def test_a_model_can_be_named_for_a_kind_of_questions_or_for_one(empty_project):
    """MODEL_PLAN is for all that planning asks, MODEL_PLAN_DAY_PLAN for one question; others' names are theirs."""
    (empty_project / "utils.py").write_text('MODEL_CONVERSE = "big"\n', "utf-8")
    (empty_project / ".env").write_text("MODEL_PLAN=small\nMODEL_PLAN_DAY_PLAN=advanced\n", "utf-8")
    found = load_settings(environment={"MODEL_PLAN": "tiny", "VILLE_MODEL_REACT": "fast", "MODEL_PATH": "/models"})
    assert found.models == {"plan": "tiny", "plan/day_plan": "advanced", "react": "fast", "converse": "big"}


def test_a_kind_of_questions_that_there_is_not_is_one_clear_line():
    """A misspelt name is said, with those there are."""
    with pytest.raises(BadSetting, match=r"MODEL_PLNA in the environment .* MODEL_PLAN, MODEL_REACT"):
        load_settings(environment={"VILLE_MODEL_PLNA": "small"})


def test_no_name_that_is_ours_sets_nothing():
    """Knobs, keys, models, and what the environment server reads."""
    stage = (EXAMPLES / "environment/frontend_server/frontend_server/settings.py").read_text("utf-8")
    theirs = set(re.findall(rf'"{PREFIX}([A-Z_]+)"', stage))
    assert {name.upper() for name in ENVIRONMENT_SERVER_ONLY} == theirs - {name.upper() for name in SPECS}
    names = {*theirs, *(set(SPECS) - {"keys", "models"}), *KEY_NAMES, "model_plan", "model_plan_day_plan"}
    _prefixed({f"{PREFIX}{name.upper()}": "x" for name in names}, "the environment")


def test_the_budget_is_none_unless_it_is_set():
    """No limit by default; an amount may carry its dollar sign."""
    assert Settings().max_cost is None
    found = load_settings({"max_cost": "$2.50"}, {"VILLE_MAX_CALLS": "100"})
    assert (found.max_cost, found.max_calls, found.max_tokens) == (2.5, 100, None)


@pytest.mark.parametrize(
    ("text", "line"), [("VILLE_SEED=1\nVILLE_AUTOSAVE\n", 2), ("VILLE_SEED='1\n", 1), ("# keys\n\n= 3\n", 3)]
)
def test_a_half_written_env_file_is_one_clear_line(empty_project, text, line):
    """A line of .env that sets nothing is said with its number, never passed over."""
    (empty_project / ".env").write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=rf"\.env:{line}: "):
        load_settings(environment={})


EXAMPLES = Path(__file__).resolve().parents[3]
FOLLOWING = {"env_matrix", "env_visuals"}
"""Classic names of what follows from other settings here; people's own scripts may still import them."""
CLASSIC = FOLLOWING | {
    "use_openrouter", "openrouter_api_key", "openrouter_chat_model", "openrouter_gpt4_model", "openai_api_key",
    "key_owner", "maze_assets_loc", "fs_storage", "fs_temp_storage", "collision_block_id", "debug",
}  # fmt: skip


def test_the_example_has_every_classic_name():
    """Whoever copies it can run scripts that were written for the classic utils.py."""
    assert set(runpy.run_path(str(EXAMPLES / "utils.example.py"))) >= CLASSIC


def test_the_example_files_set_nothing_that_costs(empty_project):
    """Copied as they are, they load, hold no key, and keep the defaults."""
    shutil.copy(EXAMPLES / "utils.example.py", empty_project / "utils.py")
    shutil.copy(EXAMPLES / ".env.example", empty_project / ".env")
    found = load_settings(environment={})
    assert (found.keys, found.provider, found.use_openrouter, found.debug) == ({}, "", False, False)
    assert found.fs_storage == (empty_project / "../../environment/frontend_server/storage").resolve()


def test_the_example_files_name_only_settings_that_there_are():
    """Also those behind a remark sign: a knob, a key, a kind of questions, or the environment server's own."""
    env = re.findall(r"^#?([A-Z][A-Z_0-9]+)=", (EXAMPLES / ".env.example").read_text("utf-8"), re.MULTILINE)
    utils = re.findall(r"^(?:# )?([A-Za-z_0-9]+) = ", (EXAMPLES / "utils.example.py").read_text("utf-8"), re.MULTILINE)
    classic = {spec.classic for spec in SPECS.values()}
    names = {name.lower().removeprefix(PREFIX.lower()) for name in [*env, *utils]}
    models = {name for name in names if name.startswith("model_")}
    stage = (EXAMPLES / "environment/frontend_server/frontend_server/settings.py").read_text("utf-8")
    theirs = {name.lower() for name in re.findall(rf"{PREFIX}([A-Z_]+)", stage)}
    assert names - models <= set(SPECS) | classic | set(KEY_NAMES) | theirs | FOLLOWING
    assert {name.removeprefix("model_").partition("_")[0] for name in models} <= set(QUESTION_KINDS)


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("openai_key", "OPENAI_API_KEY"),
        ("OPENAI_APIKEY", "OPENAI_API_KEY"),
        ("OPNEAI_API_KEY", "OPENAI_API_KEY"),
        ("OPENROUTER_KEY", "OPENROUTER_API_KEY"),
        ("gemini_token", "GEMINI_API_KEY"),
        ("AZURE_OPENAI_KEY", "AZURE_OPENAI_API_KEY"),
    ],
)
@pytest.mark.parametrize("place", ["utils.py", ".env", "the environment"])
def test_a_key_that_is_called_wrongly_gets_a_hint(empty_project, name, right, place):
    """One line that says which name is meant; no error, for the name may be another program's."""
    if place != "the environment":
        (empty_project / place).write_text(f"{name}='k'\n", "utf-8")
    found = load_settings(environment={name: "k"} if place == "the environment" else {})
    assert found.keys == {}
    said = announcement(found)
    assert f"{name.lower() if place == 'utils.py' else name} in " in said
    assert f"Did you mean {right}?" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "name", ["GOOGLE_MAPS_API_KEY", "OPENAI_API_BASE", "OPENAI_ORG_ID", "AWS_SECRET_KEY", "KEY", "API_KEY", "SSH_KEY"]
)
def test_the_keys_of_others_get_none(name):
    """Nor does anybody who has said that no model is wanted, or has one."""
    assert announcement(load_settings(environment={name: "k"})) == OFFLINE_ANNOUNCEMENT
    assert "you mean" not in announcement(load_settings(environment={"OPENAI_KEY": "k", "VILLE_PROVIDER": "offline"}))
    assert "you mean" not in announcement(load_settings(environment={"OPENAI_KEY": "k", "GEMINI_API_KEY": "k"}))


def test_a_missing_key_tells_of_one_that_is_called_wrongly():
    """Where a provider was chosen, its key alone is meant."""
    with pytest.raises(MissingKey, match="OPENAI_KEY in the environment is not read: is OPENAI_API_KEY meant"):
        announcement(load_settings({"provider": "openai"}, {"OPENAI_KEY": "k", "GEMINI_KEY": "k"}))


@pytest.mark.usefixtures("empty_project")
def test_an_openai_key_beside_an_address_is_for_that_server():
    """OPENAI_BASE_URL is how many name a server of their own: neither key nor text goes to OpenAI then."""
    given = {"OPENAI_API_KEY": "mine", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    found = load_settings(environment=given)
    assert (found.base_url, found.keys) == (given["OPENAI_BASE_URL"], {"compatible": Secret("mine")})
    itself = load_settings(environment=given | {"OPENAI_BASE_URL": "https://api.openai.com/v1"})
    assert (itself.base_url, itself.keys) == ("", {"openai": Secret("mine")})
