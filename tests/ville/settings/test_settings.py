"""Settings: one frozen value from five sources, and one clear line when a source is wrong."""

import argparse
import re
import runpy
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from new_home import new_home
from pydantic import ValidationError

from ville import home
from ville.assembly.model_choice import OFFLINE_ANNOUNCEMENT, announcement, chat_config, embedding_config
from ville.errors import BadSetting, MissingKey
from ville.jobs.ray.ray_pool import settings_to_send
from ville.persona.prompt_template.question import TEMPLATES
from ville.settings import FIELDS, LIMITS, WALLET, Secret, Settings, add_flags, load_settings, settable_by
from ville.settings.older_names import UTILS_FILE_NAMES
from ville.settings.presets import presets
from ville.settings.sources import NOT_OF_RUNS, QUESTION_KINDS, environment_source
from ville.simulation.re_embed import CLASSIC_EMBEDDER
from ville.storage.model_variables import KEY_NAMES, PREFIX


@pytest.fixture(autouse=True)
def empty_project(tmp_path, monkeypatch):
    """A project without .env and utils.py."""
    monkeypatch.setattr(home, "HOME", new_home(tmp_path))
    return tmp_path


def test_without_any_source_the_defaults_hold():
    """No configuration is a complete configuration."""
    assert load_settings(environment={}) == Settings()


@pytest.mark.parametrize("name", [name for name in presets() if presets()[name]])
def test_a_preset_is_weaker_than_any_setting(name, empty_project):
    """It sets what no source sets; the strongest source that names a preset chooses it."""
    changed = load_settings({"preset": name}, {})
    assert all(getattr(changed, setting) == value for setting, value in presets()[name].items())
    setting, value = next(iter(presets()[name].items()))
    other = {"questions": "situated", "policy_store": "public", "retrieval": "paper"}[setting]
    (empty_project / ".env").write_text(f"VILLE_{setting}={other}\nVILLE_PRESET={name}\n", "utf-8")
    assert getattr(load_settings(environment={}), setting) == other != value
    faithful = replace(Settings(), preset="faithful", **presets()["faithful"] | {setting: other})
    assert load_settings({"preset": "faithful", setting: other}, {}) == faithful


def test_a_utils_file_reads_the_environment_before_the_env_file(empty_project):
    """As the programs did that came with such files; of this process, or what is given in its place."""
    (empty_project / "utils.py").write_text('import os\nfast_model = os.getenv("MY_MODEL", "none")\n', "utf-8")
    assert load_settings({}, {}).fast_model == "none"
    (empty_project / ".env").write_text("MY_MODEL=small\n", "utf-8")
    assert load_settings({}, {}).fast_model == "small"
    assert load_settings({}, {"MY_MODEL": "large"}).fast_model == "large"


def test_earlier_sources_win(empty_project):
    """Flag beats environment beats .env beats utils.py beats default, name by name."""
    (empty_project / "utils.py").write_text("seed = 1\nmax_concurrency = 1\nautosave = 1\npatience = 1\n", "utf-8")
    (empty_project / ".env").write_text("VILLE_MAX_CONCURRENCY=2\nVILLE_AUTOSAVE=2\nVILLE_PATIENCE=2\n", "utf-8")
    found = load_settings({"patience": 4}, {"VILLE_AUTOSAVE": "3", "VILLE_PATIENCE": "3"})
    assert (found.seed, found.max_concurrency, found.autosave, found.patience) == (1, 2, 3, 4)


def test_the_older_name_of_a_setting_is_read_everywhere(empty_project):
    """A stronger source wins under either name; in the same source the present name wins."""
    (empty_project / "utils.py").write_text("lines = 1", "utf-8")
    assert load_settings(environment={}).max_concurrency == 1
    (empty_project / ".env").write_text("VILLE_LINES=2", "utf-8")
    assert load_settings(environment={}).max_concurrency == 2
    assert load_settings(environment={"VILLE_LINES": "3"}).max_concurrency == 3
    assert load_settings({"lines": 4}, {"VILLE_MAX_CONCURRENCY": "3"}).max_concurrency == 4
    assert load_settings({"max_concurrency": 5, "lines": 4}, {}).max_concurrency == 5


def test_a_classic_utils_file_works_unchanged(empty_project):
    """Its names keep their meaning; names that are not settings are ignored."""
    classic = 'openai_api_key = "x"\nkey_owner = "Ada"\nmaze_assets_loc = "../assets"\ndebug = True\n'
    (empty_project / "utils.py").write_text(classic + 'env_matrix = f"{maze_assets_loc}/the_ville/matrix"\n', "utf-8")
    found = load_settings(environment={})
    assert (found.key_owner, found.debug) == ("Ada", True)
    assert found.assets == (empty_project / "../assets").resolve()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("seed = = 1\n", ["utils.py:1"]),
        ("def key():\n    return 'x'\nopenai_api_key = key()\n", ["utils.py:3: openai_api_key is computed"]),
        ("from elsewhere import openai_api_key\n", ["utils.py:1: openai_api_key is computed"]),
        ("key_type = 'opnai'\n", ["utils.py", "openai, azure, llama, gemini"]),
        ("KEY_TYPE = 'OpenAI'\n", ["utils.py", "'OpenAI'", "openai, azure, llama, gemini"]),
        ("key_type = ['llama']\n", ["utils.py", "openai, azure, llama, gemini"]),
        *(
            (f"key_type = {kind!r}\nopenai_api_base = 'https://{host}/v1'\n", [f"key_type = {kind!r}", f"of {whose}"])
            for kind, host, whose in (
                ("azure", "api.openai.com", "OpenAI"),
                ("llama", "api.openai.com", "OpenAI"),
                ("llama", "mine.openai.azure.com", "Azure"),
                ("openai", "mine.openai.azure.com", "Azure"),
            )
        ),
        ("fs_storage = ['a', 'b']\n", ["utils.py:1", "one path in quotes"]),
        ("retrieval = 'best'\n", ["utils.py:1", "retrieval = 'best'", "'person', 'paper' or 'released'"]),
        ("import os\nseed = True\n", ["utils.py:2", "seed = True", "whole number"]),
        ("seed = 1\nif 1:\n    seed = 'x'\n", ["utils.py: ", "seed = 'x'"]),
    ],
)
def test_a_wrong_utils_file_is_one_clear_line(empty_project, text, parts):
    """The message names the file, the line if there is only one, and what is expected."""
    (empty_project / "utils.py").write_text(text, "utf-8")
    with pytest.raises(BadSetting) as fault:
        load_settings(environment={})
    assert [part for part in parts if part not in str(fault.value)] == []
    assert "\n" not in str(fault.value)


WRONG = [
    ("seed", "one"),
    ("max_concurrency", "-1"),
    ("debug", "perhaps"),
    ("patience", "long"),
    ("max_cost", "-1"),
    ("max_calls", "0"),
    ("max_tokens", "1.5"),
    ("deadline", "0"),
    ("retry_for", "nan"),
    ("max_cost", "inf"),
    ("temperature", "warm"),
    ("temperature", "2.5"),
    ("temperature", "nan"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_names_setting_and_place(empty_project, name, value):
    """In the environment, in a line of .env, and given from Python."""
    with pytest.raises(BadSetting, match=f"{name} = '{value}' in the environment: expected "):
        load_settings(environment={f"VILLE_{name.upper()}": value})
    with pytest.raises(BadSetting, match=f"^{name} = '{value}': expected "):
        load_settings({name: value}, {})
    (empty_project / ".env").write_text(f"# limits\nexport VILLE_{name.upper()} = {value}\n", "utf-8")
    with pytest.raises(BadSetting, match=rf"{name} = '{value}' in .*\.env:2: expected "):
        load_settings(environment={})


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_settings_cannot_exist_with_a_wrong_value(name, value):
    """Also when they are made or changed by hand."""
    with pytest.raises(ValidationError):
        replace(Settings(), **{name: value})


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("VILLE_MAX_COTS=5", "Did you mean VILLE_MAX_COST?"),
        ("VILLE_STORAGE=x", "Did you mean VILLE_FS_STORAGE?"),
        ("VILLE_MAZE_ASSETS_LOC=x", "Did you mean VILLE_ASSETS?"),
        ("VILLE_LINE=4", "Did you mean VILLE_MAX_CONCURRENCY?"),
        ("VILLE_ZZZ=1", "docs/models.md"),
        ("MODEL_CONVRSE=advanced", "MODEL_CONVERSE"),
    ],
)
def test_an_unknown_setting_is_one_clear_line(empty_project, line, fix):
    """A misspelt limit would be no limit."""
    (empty_project / ".env").write_text(line, "utf-8")
    with pytest.raises(BadSetting) as caught:
        load_settings(environment={})
    assert line.partition("=")[0] in str(caught.value)
    assert fix in str(caught.value)
    assert str(empty_project / ".env") in str(caught.value)


def test_an_unknown_setting_in_the_environment_is_refused_too():
    """But only if it has our prefix."""
    with pytest.raises(BadSetting, match=r"VILLE_MAX_COTS in the environment .* VILLE_MAX_COST\?"):
        load_settings(environment={"VILLE_MAX_COTS": "5", "MAX_COTS": "5"})


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("lins", r"mean max_concurrency\?"),
        ("max_cots", r"mean max_cost\?"),
        ("bind", ""),
        ("keys", "mean openai_api_key"),
    ],
)
def test_an_unknown_name_given_from_python_is_refused(name, fix):
    """With the nearest setting. Settings of the environment server have no effect on a run."""
    with pytest.raises(BadSetting, match=f"^{name} is not a setting.*{fix}"):
        load_settings({name: 3}, {})


def test_model_variables_of_other_programs_are_ignored():
    """MODEL_ is not a prefix of ours."""
    load_settings(environment={"MODEL_DIR": "/models"})


def test_a_path_may_begin_with_the_home_folder(empty_project, monkeypatch):
    """In a file as in a shell, ~ is the user's home."""
    monkeypatch.setenv("HOME", str(empty_project))
    monkeypatch.setenv("USERPROFILE", str(empty_project))
    (empty_project / ".env").write_text("VILLE_FS_STORAGE=~/towns\n", "utf-8")
    assert load_settings(environment={}).fs_storage == empty_project / "towns"


def test_relative_paths_count_from_where_utils_is(empty_project):
    """In a clone from reverie/backend_server, as in the released code."""
    assert load_settings({"fs_storage": "here"}, {}).fs_storage == (empty_project / "here").resolve()


def test_keys_are_found_under_the_names_of_their_providers(empty_project):
    """Each source may hold some of them; the stronger source wins, key by key."""
    (empty_project / "utils.py").write_text('openai_api_key = "u1"\nopenrouter_api_key = "u2"\n', "utf-8")
    (empty_project / ".env").write_text("OPENAI_API_KEY=d1\nGEMINI_API_KEY=d3\n", "utf-8")
    found = load_settings(environment={"OPENAI_API_KEY": "e1", "VILLE_API_KEY": "e4", "API_KEY": "another program's"})
    keys = {provider: key.reveal() for provider, key in found.keys.items()}
    assert keys == {"openai": "e1", "openrouter": "u2", "gemini": "d3", "compatible": "e4"}


@pytest.mark.parametrize("key", ["", "<Your OpenAI API Key>"])
def test_placeholders_are_not_keys(empty_project, key):
    """An example file that is copied and not filled in gives the offline rules, not an error."""
    (empty_project / "utils.py").write_text(f"openai_api_key = {key!r}\n", "utf-8")
    assert load_settings(environment={"OPENAI_API_KEY": ""}).keys == {}


def test_a_key_is_never_shown():
    """Neither by the settings nor by the key itself."""
    found = load_settings(environment={"OPENAI_API_KEY": "very secret"})
    for shown in (repr(found), str(found), f"{found.keys}", repr(Secret("very secret")), str(Secret("very secret"))):
        assert "very secret" not in shown


def test_a_model_can_be_named_for_a_kind_of_question_or_for_one(empty_project):
    """MODEL_PLAN is for all questions of planning, MODEL_PLAN_DAY_PLAN for one of them."""
    (empty_project / "utils.py").write_text('MODEL_CONVERSE = "big"\n', "utf-8")
    (empty_project / ".env").write_text("MODEL_PLAN=small\nMODEL_PLAN_DAY_PLAN=advanced\n", "utf-8")
    found = load_settings(environment={"MODEL_PLAN": "tiny", "VILLE_MODEL_REACT": "fast", "MODEL_PATH": "/models"})
    assert found.models == {"plan": "tiny", "plan/day_plan": "advanced", "react": "fast", "converse": "big"}


def test_an_unknown_kind_of_question_is_one_clear_line():
    """The message lists the kinds that exist."""
    with pytest.raises(BadSetting, match=r"MODEL_PLNA in the environment .* MODEL_DAY, MODEL_PLAN, MODEL_REACT"):
        load_settings(environment={"VILLE_MODEL_PLNA": "small"})


def test_every_folder_of_questions_is_a_kind():
    """A model can be named for each; those of the paper have the same kinds."""
    assert set(QUESTION_KINDS) == {folder.name for folder in TEMPLATES.iterdir() if folder.is_dir()} - {"paper"}


def test_every_name_with_our_prefix_is_read_by_one_of_the_servers():
    """Settings, keys, models, and the settings of the environment server."""
    server = (EXAMPLES / "environment/frontend_server/frontend_server/settings.py").read_text("utf-8")
    theirs = set(re.findall(rf"{PREFIX}([A-Z_]+)", server))
    assert {name.upper() for name in NOT_OF_RUNS} - {"HOME"} == theirs - {name.upper() for name in FIELDS}
    names = {*theirs, *(set(FIELDS) - {"keys", "models"}), *KEY_NAMES, "model_plan", "model_plan_day_plan"}
    environment_source({f"{PREFIX}{name.upper()}": "x" for name in names}, "the environment")


def test_there_is_no_limit_unless_it_is_set():
    """An amount may have a dollar sign."""
    assert Settings().max_cost is None
    found = load_settings({"max_cost": "$2.50"}, {"VILLE_MAX_CALLS": "100"})
    assert (found.max_cost, found.max_calls, found.max_tokens) == (2.5, 100, None)


@pytest.mark.parametrize(
    ("text", "line"), [("VILLE_SEED=1\nVILLE_AUTOSAVE\n", 2), ("VILLE_SEED='1\n", 1), ("# keys\n\n= 3\n", 3)]
)
def test_an_unfinished_env_file_is_one_clear_line(empty_project, text, line):
    """A line of .env that sets nothing is reported with its number, never skipped."""
    (empty_project / ".env").write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=rf"\.env:{line}: "):
        load_settings(environment={})


EXAMPLES = Path(__file__).resolve().parents[3]
DERIVED = {"env_matrix", "env_visuals"}
"""Classic names that follow from other settings here; scripts of users may still import them."""
CLASSIC = DERIVED | {
    "use_openrouter", "openrouter_api_key", "openrouter_chat_model", "openrouter_gpt4_model", "openai_api_key",
    "key_owner", "maze_assets_loc", "fs_storage", "fs_temp_storage", "collision_block_id", "debug",
}  # fmt: skip


def test_the_example_has_every_classic_name():
    """Scripts that were written for the classic utils.py run with a copy of it."""
    assert set(runpy.run_path(str(EXAMPLES / "utils.example.py"))) >= CLASSIC


def test_the_example_files_set_nothing_that_costs(empty_project):
    """Copied as they are, they load, hold no key, and keep the defaults."""
    shutil.copy(EXAMPLES / "utils.example.py", empty_project / "utils.py")
    shutil.copy(EXAMPLES / ".env.example", empty_project / ".env")
    found = load_settings(environment={})
    assert (found.keys, found.provider, found.use_openrouter, found.debug) == ({}, "", False, False)
    assert found.fs_storage == (empty_project / "../../environment/frontend_server/storage").resolve()


def test_the_example_files_name_only_settings_that_exist():
    """Also in lines that are commented out."""
    env = re.findall(r"^#?([A-Z][A-Z_0-9]+)=", (EXAMPLES / ".env.example").read_text("utf-8"), re.MULTILINE)
    utils = re.findall(r"^(?:# )?([A-Za-z_0-9]+) = ", (EXAMPLES / "utils.example.py").read_text("utf-8"), re.MULTILINE)
    names = {name.lower().removeprefix(PREFIX.lower()) for name in [*env, *utils]}
    models = {name for name in names if name.startswith("model_") and name not in FIELDS}
    assert names - models <= {*FIELDS, *UTILS_FILE_NAMES, *KEY_NAMES, *NOT_OF_RUNS, *DERIVED}
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
def test_a_misspelt_key_name_gets_a_hint(empty_project, name, right, place):
    """One line with the right name, and no error: the name may belong to another program."""
    if place != "the environment":
        (empty_project / place).write_text(f"{name}='k'\n", "utf-8")
    found = load_settings(environment={name: "k"} if place == "the environment" else {})
    assert found.keys == {}
    said = announcement(found)
    assert re.search(rf"{name} in .*{right}\b", said)
    assert "\n" not in said


@pytest.mark.parametrize(
    "name", ["GOOGLE_MAPS_API_KEY", "OPENAI_API_BASE", "OPENAI_ORG_ID", "AWS_SECRET_KEY", "KEY", "API_KEY", "SSH_KEY"]
)
def test_other_keys_get_no_hint(name):
    """Nor is there a hint where no model is wanted, or one is configured."""
    assert announcement(load_settings(environment={name: "k"})) == OFFLINE_ANNOUNCEMENT
    assert "OPENAI_KEY" not in announcement(load_settings(environment={"OPENAI_KEY": "k", "VILLE_PROVIDER": "offline"}))
    assert "OPENAI_KEY" not in announcement(load_settings(environment={"OPENAI_KEY": "k", "GEMINI_API_KEY": "k"}))


def test_a_missing_key_mentions_a_misspelt_one():
    """Of the chosen provider only."""
    with pytest.raises(MissingKey, match=r"OPENAI_KEY in the environment .*OPENAI_API_KEY") as caught:
        announcement(load_settings({"provider": "openai"}, {"OPENAI_KEY": "k", "GEMINI_KEY": "k"}))
    assert "GEMINI" not in str(caught.value)


def test_an_openai_key_beside_an_address_is_for_that_server():
    """OPENAI_BASE_URL often names a server of the user's own: neither key nor text goes to OpenAI then."""
    given = {"OPENAI_API_KEY": "mine", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    found = load_settings(environment=given)
    assert (found.base_url, found.keys) == (given["OPENAI_BASE_URL"], {"compatible": Secret("mine")})
    itself = load_settings(environment=given | {"OPENAI_BASE_URL": "https://api.openai.com/v1"})
    assert (itself.base_url, itself.keys) == ("", {"openai": Secret("mine")})


def test_it_is_said_that_an_address_gets_no_key_of_a_provider():
    """Who has only OPENAI_API_KEY beside the address learns the name of the right one, before the server refuses."""
    given = {"OPENAI_API_KEY": "mine", "VILLE_BASE_URL": "https://chat.test/v1", "VILLE_FAST_MODEL": "m"}
    said = announcement(load_settings(environment=given))
    assert "No key is sent to it: OPENAI_API_KEY is for OpenAI." in said
    assert "VILLE_API_KEY" in said
    assert "mine" not in said
    for enough in ({"VILLE_API_KEY": "k"}, {"VILLE_PROVIDER": "openai"}, {"VILLE_EMBEDDER": "openai"}):
        assert "No key" not in announcement(load_settings(environment=given | enough))


def test_flags_follow_from_the_settings():
    """A switch takes no value, one that is on can be turned off, and older names are read; others are not set."""
    parser = argparse.ArgumentParser()
    add_flags(parser, ("seed", "re_embed", "impressions", "max_concurrency"))
    nothing = {"seed": None, "re_embed": None, "impressions": None, "max_concurrency": None}
    assert vars(parser.parse_args([])) == nothing
    given = ["--re-embed", "--no-impressions", "--lines", "3"]
    assert vars(parser.parse_args(given)) == nothing | {"re_embed": True, "impressions": False, "max_concurrency": "3"}
    assert vars(parser.parse_args(["--max-concurrency", "4"]))["max_concurrency"] == "4"
    assert FIELDS["seed"].description in re.sub(r"\s+", " ", parser.format_help())


def test_requests_and_study_files_set_nothing_secret_and_lead_nowhere():
    """Neither keys nor addresses, files, folders or the wallet."""
    for who in ("request", "study"):
        allowed = settable_by(who)
        assert {"fast_model", "retrieval", "autosave"} <= set(allowed)
        for name in allowed:
            assert FIELDS[name].repr, name
            assert not isinstance(getattr(Settings(), name), Path | Mapping), name
            assert not any(word in name for word in ("key", "url", "wallet", "prices")), name
    assert set(LIMITS) <= set(settable_by("request"))
    assert not set(LIMITS) & set(settable_by("study"))  # a study has one budget for all runs
    assert not set(WALLET) & set(settings_to_send({}))


AGA = """
import os
key_type = {kind!r}
llama_model = "llama3:latest"
DEFAULT_OPENAI_CHAT_MODEL = "gpt-3.5-turbo"
DEFAULT_AZURE_CHAT_MODEL = os.getenv("AZURE_OPENAI_CHAT_DEPLOYMENT_NAME", "my-deployment")
DEFAULT_LLAMA_CHAT_MODEL = llama_model
DEFAULT_GEMINI_CHAT_MODEL = "gemini-1.5-flash-latest"
openai_api_key = google_api_key = None
if key_type == "gemini":
    google_api_key = "key-of-google"
else:
    openai_api_key = "key-of-the-others"
    openai_api_base = {address!r}
use_policy = True
use_relationship = True
"""


@pytest.mark.parametrize(
    ("kind", "address", "model"),
    [
        ("openai", "https://api.openai.com/v1", "gpt-3.5-turbo"),
        ("azure", "https://mine.openai.azure.com", "my-deployment"),
        ("llama", "http://localhost:11434/v1", "llama3:latest"),
        ("gemini", "", "gemini-1.5-flash-latest"),
    ],
)
def test_the_models_that_aga_names_are_used(empty_project, kind, address, model):
    """The one of its provider answers everything; another provider has its own, and a present setting counts more."""
    (empty_project / "utils.py").write_text(AGA.format(kind=kind, address=address), "utf-8")
    assert chat_config(load_settings({}, {})).models.names == [model]
    assert chat_config(load_settings({"fast_model": "mine"}, {})).models.names == ["mine", model]
    elsewhere = load_settings({"provider": "openrouter"}, {"OPENROUTER_API_KEY": "sk-or"})
    assert model not in chat_config(elsewhere).models.names


def test_the_switches_of_aga_are_read(empty_project):
    """Policy and social memory are on there unless they are switched off."""
    aga = AGA.format(kind="gemini", address="")
    (empty_project / "utils.py").write_text(aga, "utf-8")
    found = load_settings({}, {})
    assert (found.policy_store, found.social_memory) == ("public", True)
    assert load_settings({"disable_policy": True}, {}).policy_store == "none"
    (empty_project / "utils.py").write_text(aga.replace("= True", "= False"), "utf-8")
    found = load_settings({"preset": "aga"}, {})
    assert (found.policy_store, found.impressions, found.social_memory) == ("none", False, False)


def test_an_openai_key_beside_openrouter_is_for_embeddings(empty_project):
    """As the update of 2026 says. Its own model, whose vectors its simulations have; unless another one is named."""
    text = 'use_openrouter = True\nopenrouter_api_key = "sk-or"\nopenai_api_key = "{}"\n'
    (empty_project / "utils.py").write_text(text.format("sk-1"), "utf-8")
    found = embedding_config(load_settings({}, {}))
    assert (found.name, found.endpoint.key) == (CLASSIC_EMBEDDER, "sk-1")
    assert embedding_config(load_settings({"embedder": "hashing"}, {})) is None
    assert embedding_config(load_settings({"embedding_model": "m"}, {})).name == "openrouter:m"
    assert embedding_config(load_settings({"provider": "ollama", "fast_model": "m"}, {})) is None
    (empty_project / "utils.py").write_text(text.format("<Your OpenAI API Key or leave empty>"), "utf-8")
    assert embedding_config(load_settings({}, {})).name == "openrouter:openai/text-embedding-3-small"
