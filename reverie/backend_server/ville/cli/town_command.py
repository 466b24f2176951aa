"""Runs the map builder, which lies beside the environment server."""

import sys
from importlib import import_module

from ville.home import SHIPPED


def main(arguments: list[str] | None = None) -> int:
    sys.path.insert(0, str(SHIPPED / "environment"))
    code: int = import_module("build_town").main(sys.argv[1:] if arguments is None else arguments)
    return code
