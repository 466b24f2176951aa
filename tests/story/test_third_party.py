"""A server that is not ours, with a model that talks nonsense: whatever it answers, the town goes on.

Set LLAMA_PYTHON to the interpreter of an environment of its own, with
`llama/bin/pip install "llama-cpp-python[server]==0.3.36" gguf==0.19.0` (it is compiled, which takes minutes).
"""

import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from ville.llm.accounting.ledger import Ledger

TINY_MODEL = Path(__file__).resolve().parents[1] / "servers" / "tiny_model.py"
STEPS = 60 * 9
"""A night and the first hours of the day."""
DAY = 1440


@pytest.fixture(scope="module")
def llama(tmp_path_factory, free_port):
    """The address of a llama.cpp server."""
    python = os.environ.get("LLAMA_PYTHON")
    if not python:
        pytest.skip(f"LLAMA_PYTHON is not set, so nothing is tried against a server of others: see {Path(__file__)}")
    model = tmp_path_factory.mktemp("llama") / "tiny.gguf"
    subprocess.run([python, TINY_MODEL, model], check=True)
    port = free_port()
    command = [python, "-m", "llama_cpp.server", "--model", model, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", "8192", "--embedding", "true"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        url = f"http://127.0.0.1:{port}/v1"
        try:
            _wait_for(url, server)
            yield url
        finally:
            server.kill()


def _wait_for(url, server):
    for _ in range(240):
        assert server.poll() is None, "the llama.cpp server did not start"
        try:
            with urllib.request.urlopen(f"{url}/models"):  # noqa: S310 - our own loopback
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("the llama.cpp server did not answer in two minutes")


@pytest.mark.slow
def test_nonsense_never_stops_the_town(storage, llama):
    """Every day has its minutes, everybody is in a place they know, and every call is accounted for."""
    storage.settings.update(
        VILLE_PROVIDER="llamacpp", VILLE_BASE_URL=llama, VILLE_FAST_MODEL="tiny", VILLE_EMBEDDER="llamacpp",
        VILLE_EMBEDDING_MODEL="tiny", VILLE_ANSWER_TOKENS="200", VILLE_DEADLINE="60", VILLE_MAX_FALLBACKS="0",
    )  # fmt: skip
    code, out = storage.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, "Traceback" in out) == (0, False), out
    for folder in (storage.folder("new") / "personas").iterdir():
        scratch = _memory(folder, "scratch")
        assert sum(minutes for _, minutes in scratch["f_daily_schedule"]) == DAY
        world, sector, arena, _ = scratch["act_address"].split(":")
        assert arena in _memory(folder, "spatial_memory")[world][sector]
    ledger = Ledger.read(storage.folder("new") / "reverie")
    outcomes = dict(ledger.connection.execute("SELECT outcome, count(*) FROM calls GROUP BY 1").fetchall())
    assert outcomes["answered"] > 20
    assert ledger.spend.tokens > 0
    assert ledger.spend.unpriced == 0
    ledger.close()


def _memory(folder, name):
    return json.loads((folder / "bootstrap_memory" / f"{name}.json").read_text("utf-8"))
