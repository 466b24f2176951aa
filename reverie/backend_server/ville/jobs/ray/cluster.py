"""A Ray cluster: one that is running, or one that is started here. Ray is imported only here."""

import os
from importlib import import_module
from typing import Any

from ville.errors import BadArgument, MissingPackage
from ville.home import SOURCES
from ville.machine import processors
from ville.plain_text import shortened

LONGEST_FAULT = 300
LOOPBACK = "127."
RayModule = Any
"""Ray, which may not be installed."""


def connected(workers: int = 0, address: str = "") -> RayModule:
    """Return Ray, connected to a cluster; `workers`: processors of one that is started here; 0: as many as there are.

    Raises MissingPackage and BadArgument.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # binds to 127.0.0.1 on all systems
    try:
        ray = import_module("ray")
    except ModuleNotFoundError:
        raise MissingPackage("--engine ray needs Ray. In the project folder, type: pip install .[ray]") from None
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
    there = {"runtime_env": {"env_vars": {"PYTHONPATH": path, "PYTHONUTF8": "1"}}}
    try:
        if address:
            host = address.rpartition(":")[0]
            here = {"_node_ip_address": host} if host.startswith(LOOPBACK) else {}
            ray.init(address, **here, **there, **quiet)
        else:
            ray.init("local", num_cpus=workers or processors(), include_dashboard=False, **there, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as fault:
        raise BadArgument(f"No Ray cluster answers at '{address}': {shortened(str(fault), LONGEST_FAULT)}") from None
    return ray


def last_line(fault: Exception) -> str:
    """Return what an error of Ray says at its end."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    return shortened(lines[-1] if lines else type(fault).__name__, LONGEST_FAULT)
