"""The checks of validate_setup.py: each problem is reported once, with its fix, and what works is reported, too."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import faults
import pytest
from chat_server import ChatServer
from scripts import run_to_end
from waiting import PATIENCE

from ville.assembly.model_check import check_models
from ville.cli.validate_command import check_files
from ville.settings import Secret, Settings

HOUSE = Path(__file__).resolve().parents[3]
KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def server():
    """Return a server that requires a key and has three models."""
    with ChatServer(key=KEY, models=("small", "big", "vectors")) as server:
        yield server


@pytest.fixture
def settings(server, tmp_path):
    return Settings(
        fs_storage=tmp_path,
        provider="openai",
        base_url=server.url,
        keys={"openai": Secret(KEY)},
        fast_model="small",
        advanced_model="big",
        embedding_model="vectors",
        deadline=PATIENCE,
    )


async def found(settings):
    return {finding.what: (finding.verdict, finding.says) async for finding in check_models(settings)}


async def test_with_the_right_key_everything_is_ok(settings):
    """Each model answers, and the vectors have a size."""
    findings = await found(settings)
    assert findings.pop("prices")[0] == "note"  # models without a price
    assert [verdict for verdict, _ in findings.values()] == ["ok"] * 5
    assert "answers in the required form" in findings["model big"][1]
    assert "32 numbers by openai:vectors" in findings["memories"][1]


async def test_a_wrong_key_is_reported_once_and_never_shown(settings):
    """The first finding describes it, the others refer to that one."""
    findings = await found(replace(settings, keys={"openai": Secret("sk-wrong-0123456789abcdef")}))
    assert findings["model small"][0] == "FAIL"
    assert "does not accept the API key" in findings["model small"][1]
    assert findings["model big"] == findings["memories"] == ("FAIL", "for the same reason")
    assert "sk-wrong" not in str(findings)


async def test_an_unknown_model_is_named(settings):
    """Only its finding fails."""
    findings = await found(replace(settings, advanced_model="bgi"))
    assert findings["model bgi"][0] == "FAIL"
    assert "no model 'bgi'" in findings["model bgi"][1]
    assert findings["model small"][0] == findings["memories"][0] == "ok"


async def test_an_unreachable_host_is_reported_with_its_address(settings):
    """No server listens there."""
    with ChatServer() as gone:
        pass
    findings = await found(replace(settings, base_url=gone.url))
    assert findings["model small"][0] == "FAIL"
    assert f"({gone.url}) cannot be reached" in findings["model small"][1]


async def test_a_server_without_embeddings_fails_only_for_these(server, settings):
    """The models are fine; the message says how to set the embedder."""
    server.embeds = False
    findings = await found(settings)
    assert findings["model small"][0] == findings["model big"][0] == "ok"
    assert findings["memories"][0] == "FAIL"
    assert "Set embedder to hashing" in findings["memories"][1]


async def test_a_model_that_never_keeps_the_form_is_a_note(server, settings):
    """It can be used, but personas would live on fallbacks."""
    server.then(faults.PROSE, faults.PROSE, faults.PROSE)
    findings = await found(settings)
    assert findings["model small"][0] == "note"
    assert findings["model big"][0] == "ok"


async def test_stored_vectors_of_another_embedder_are_named(small_town):
    """A simulation of the released code cannot be compared with vectors made here; one without memories can."""
    settings = replace(small_town.settings, provider="offline")
    assert (await found(settings))["stored vectors"][0] == "ok"
    persona = next(small_town.root.glob("storage/base/personas/*"))
    vectors = persona / "bootstrap_memory/associative_memory/embeddings.json"
    vectors.write_text(json.dumps({"tea": [0.5] * 1536}), "utf-8")
    verdict, says = (await found(settings))["stored vectors"]
    assert verdict == "note"
    assert "base (openai:text-embedding-ada-002)" in says
    assert "they get those of hashing-512, too" in says


async def test_a_missing_key_is_reported_before_any_call(server, settings):
    """Without a key, no server is called."""
    findings = await found(replace(settings, keys={}))
    assert findings["minds"][0] == "FAIL"
    assert "OPENAI_API_KEY" in findings["minds"][1]
    assert not server.requests


def test_files_are_checked_without_a_model(small_town):
    """Storage, prompts and maps, each with a finding of its own."""
    assert [finding.verdict for finding in check_files(small_town.settings)] == ["ok"] * 4
    lost = replace(small_town.settings, fs_storage=small_town.root / "elsewhere", assets=small_town.root / "nowhere")
    says = {finding.what: finding.says for finding in check_files(lost) if finding.verdict == "FAIL"}
    assert set(says) == {"storage", "maps"}
    assert "fs_storage" in says["storage"]


@pytest.mark.parametrize("folder", [".", "reverie/backend_server"])
def test_it_runs_from_both_folders(server, settings, folder):
    """One line for each check, and exit code 1 if one fails."""
    environment = {
        **os.environ,
        "PYTHONUTF8": "1",
        "VILLE_PROVIDER": "openai",
        "VILLE_EMBEDDER": "openai",
        "VILLE_BASE_URL": settings.base_url,
        "OPENAI_API_KEY": KEY,
        "VILLE_FAST_MODEL": "small",
        "VILLE_ADVANCED_MODEL": "big",
        "VILLE_EMBEDDING_MODEL": "vectors",
    }
    command = [sys.executable, "validate_setup.py"]
    ran = run_to_end(command, HOUSE / folder, environment)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "Everything is ready."
    assert KEY not in ran.out
    assert run_to_end(command, HOUSE / folder, environment | {"VILLE_FAST_MODEL": "smal"}).code == 1
    assert len(server.chats) == 4
