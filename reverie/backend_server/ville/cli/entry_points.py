"""Entry points of the command lines. Each function runs one and exits with its exit code."""

import sys
from importlib import import_module
from typing import NoReturn

from ville.console import leaving_at_once, run_shell


def prompt() -> NoReturn:
    """reverie.py"""
    _run("prompt")


def offline() -> NoReturn:
    """reverie_offline.py"""
    _run("offline")


def compare() -> NoReturn:
    """compare.py"""
    _run("compare")


def compress() -> NoReturn:
    """compress_sim_storage.py"""
    _run("compress")


def ledger() -> NoReturn:
    """ledger.py"""
    _run("ledger")


def measure() -> NoReturn:
    """measure.py"""
    _run("measure")


def metrics() -> NoReturn:
    """metrics.py"""
    _run("metrics")


def study() -> NoReturn:
    """study.py"""
    _run("study")


def validate() -> NoReturn:
    """validate_setup.py"""
    _run("validate")


def wallet() -> NoReturn:
    """wallet.py"""
    _run("wallet")


def _run(name: str) -> NoReturn:
    """Import a command line only when it is called, so that a missing package is reported in one line."""

    def main() -> int:
        try:
            with leaving_at_once():
                command = import_module(f"ville.cli.{name}")
            code: int = command.main()
        except ModuleNotFoundError as fault:
            sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
        return code

    run_shell(main)
