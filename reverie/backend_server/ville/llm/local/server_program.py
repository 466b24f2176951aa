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
    """Return the parameters of llama.cpp."""
    given = llama.CommonParams()
    given.model.path = plan.file
    for cores in (given.cpuparams, given.cpuparams_batch):
        setattr(cores, "n_threads", plan.threads)  # noqa: B010
    values: dict[str, object] = {
        "hostnames": ["127.0.0.1"],
        "port": 0,
        "api_keys": [key],
        "ui": False,
        "verbosity": WARNINGS,
        "n_parallel": plan.slots,
        "n_ctx": plan.slots * plan.context,
        "n_gpu_layers": ALL_LAYERS,
    }
    for name, value in (values | (_embedding(llama, plan) if plan.embeds else _answering(llama, plan))).items():
        setattr(given, name, value)
    return given


def _answering(llama: Any, plan: ServerPlan) -> dict[str, object]:
    """Return the parameters of a server that answers.

    The same question has the same answer, whatever else is asked at the same time or was asked before: attention
    computes each token by itself if its memory has 8 bits (Q8_0), and so do weights that are not repacked for batches.
    """
    eight_bits = llama.ggml_type.GGML_TYPE_Q8_0
    return {
        "flash_attn_type": llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED,
        "cache_type_k": eight_bits,
        "cache_type_v": eight_bits,
        "no_extra_bufts": True,
        "cache_ram_mib": plan.cache,
    }


def _embedding(llama: Any, plan: ServerPlan) -> dict[str, object]:
    """Return the parameters of a server that makes vectors, of one text at a time."""
    mean = {} if plan.pools else {"pooling_type": llama.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN}
    return {"embedding": True, "cache_prompt": False, "n_batch": plan.context, "n_ubatch": plan.context} | mean


if __name__ == "__main__":
    for name in ("SIGINT", "SIGHUP"):  # those of the engine's terminal: it saves first
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    main(ServerPlan.read(sys.argv[1]))
    sys.stderr.flush()
    os._exit(0)
