"""Serve a model file until no engine uses it: `python -m ville.llm.local.server_program PLAN`, started by an engine.

A program of its own, so that llama.cpp cannot take an engine with it when it fails. If another one serves the same file
already, it ends at once.
"""

import importlib
import os
import secrets
import signal
import sys
import time
from typing import Any

from ville.llm.local.server_folder import ServerAddress, ServerFolder, holding
from ville.llm.local.server_plan import ServerPlan

PAUSE = 0.5
"""Seconds between two looks for engines."""
WARNINGS = 2
"""Level of what llama.cpp says: errors and warnings."""
ALL_LAYERS = -1


def main(plan: ServerPlan) -> None:
    folder = ServerFolder(plan)
    with holding(folder.serving) as alone:
        if alone:
            folder.withdraw()
            address, server = _started(plan)
            folder.announce(address)
            while folder.is_used:
                time.sleep(PAUSE)
            folder.withdraw()
            del server


def _started(plan: ServerPlan) -> tuple[ServerAddress, Any]:
    """Load the model, and return the address of its server, and the server."""
    llama: Any = importlib.import_module("xllamacpp")
    key = secrets.token_hex(16)
    server = llama.Server(_parameters(llama, plan, key))
    return ServerAddress(f"{server.listening_address}/v1", key), server


def _parameters(llama: Any, plan: ServerPlan, key: str) -> Any:
    """Return the parameters of llama.cpp.

    The same question has the same answer, whatever else is asked at the same time or was asked before: attention
    computes each token by itself if its memory has 8 bits (Q8_0), and so do weights that are not repacked for batches.
    """
    given = llama.CommonParams()
    given.model.path = plan.file
    given.hostnames, given.port, given.api_keys = ["127.0.0.1"], 0, [key]
    given.ui = given.warmup = given.endpoint_slots = False
    given.verbosity = WARNINGS
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = plan.threads
    given.n_parallel, given.n_ctx = plan.slots, plan.slots * plan.context
    given.n_gpu_layers = ALL_LAYERS
    if plan.embeds:
        given.embedding, given.cache_prompt = True, False
        given.n_batch = given.n_ubatch = plan.context
        if not plan.pools:
            given.pooling_type = llama.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        return given
    given.flash_attn_type = llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    given.cache_type_k = given.cache_type_v = llama.ggml_type.GGML_TYPE_Q8_0
    given.no_extra_bufts = True
    given.cache_ram_mib = plan.cache
    return given


if __name__ == "__main__":
    for name in ("SIGINT", "SIGHUP"):  # those of the engine's terminal: it saves first
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    main(ServerPlan.read(sys.argv[1]))
    sys.stderr.flush()
    os._exit(0)
