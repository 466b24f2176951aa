"""Laws of the settings of an older project: in .env they say what they said there, and no secret is shown."""

import os
import stat

import pytest

from ville.settings import load_settings
from ville.settings.combine import combined
from ville.settings.load import _checked
from ville.settings.sources import environment_source, utils_file_constants, utils_file_source
from ville.storage.folders import read_env_file

KEY = "sk-of-the-old-project"
CLASSIC = f"""
openai_api_key = "{KEY}"
key_owner = "Ada"
maze_assets_loc = "../../environment/frontend_server/static_dirs/assets"
fs_storage = "../../environment/frontend_server/storage"
collision_block_id = "32125"
debug = True
"""
UPDATE = f"""
use_openrouter = True
openrouter_api_key = "{KEY}"
openrouter_chat_model = "openai/gpt-4o-mini"
openrouter_gpt4_model = "openai/gpt-4o"
"""
AZURE = f"""
key_type = "azure"
openai_api_key = "{KEY}"
openai_api_base = "https://name.openai.azure.com"
openai_api_version = "2024-02-01"
fast_model = advanced_model = "my deployment's name"
use_policy = True
use_relationship = False
"""
LLAMA = f"""
key_type = "llama"
openai_api_key = "{KEY}"
openai_api_base = "http://localhost:8000/v1"
fast_model = "llama"
"""
GEMINI = f"""
import google.generativeai as genai
key_type = "gemini"
genai.configure(api_key="{KEY}")
"""


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch):
    monkeypatch.delenv("VILLE_PROVIDER")
    monkeypatch.delenv("VILLE_EMBEDDER")


def meant(source):
    """Return the settings of a source, without folders and what is not used."""
    settings = combined([_checked(source)])
    return {
        name: value
        for name, value in settings.items()
        if name not in {"fs_storage", "assets", "key_owner", "collision_block_id"}
    }


@pytest.mark.parametrize(
    "text", [CLASSIC, UPDATE, AZURE, LLAMA, GEMINI], ids=["2023", "2026", "azure", "llama", "gemini"]
)
def test_they_say_the_same_in_our_file(projects, text):
    """Keys stay with their servers. Only the owner can read the file, and neither plan nor end shows a key."""
    utils = projects.old / "reverie/backend_server/utils.py"
    utils.write_text(text, "utf-8")
    code, said = projects.migrate("--yes", "--settings")
    assert code == 0, said
    file = projects.ours / ".env"
    here = environment_source(read_env_file(file), str(file))
    there = utils_file_source(utils_file_constants(utils, {}), str(utils))
    keys = {name: (key.reveal(), key.servers) for name, key in meant(here)["keys"].items()}
    assert keys == {name: (key.reveal(), key.servers) for name, key in meant(there)["keys"].items()}
    assert meant(here) == meant(there)
    assert KEY not in said
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR


def test_what_is_set_here_stays(projects):
    """Where a provider is chosen here, the old one does not come; other settings are added once, to the lines there."""
    file = projects.ours / ".env"
    file.write_text("# mine\nVILLE_PROVIDER=offline\n", "utf-8")
    for _ in range(2):
        code, said = projects.migrate("--yes", "--settings")
        assert code == 0, said
        assert file.read_text("utf-8") == "# mine\nVILLE_PROVIDER=offline\nVILLE_DEBUG=true\n"
    assert "stay: OPENAI_API_KEY" in said
    assert load_settings().provider == "offline"


@pytest.mark.parametrize("words", [["--yes"], ["--dry-run", "--settings"]])
def test_without_consent_they_stay_there(projects, words):
    """--yes alone is no consent: with a key, a town costs money."""
    assert projects.migrate(*words)[0] == 0
    assert not (projects.ours / ".env").exists()


@pytest.mark.parametrize("text", ["openai_api_key = ask()", "def (", 'key_type = "none of them"', "seed = 'seven'"])
def test_a_file_that_cannot_be_read_is_told(projects, text):
    """And nothing of it comes: a wrong value in .env would keep everything from starting."""
    (projects.old / "reverie/backend_server/utils.py").write_text(text, "utf-8")
    code, said = projects.migrate("--yes", "--settings")
    assert (code, (projects.ours / ".env").exists()) == (1, False), said
