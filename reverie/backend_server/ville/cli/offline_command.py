"""Run a simulation without a browser and without a prompt, and print a summary at the end; or question its people."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ville.cli.older_flags import add_older_flags
from ville.command_lines import typed
from ville.console import leaving_at_once
from ville.settings import FLAGS as COMMON_FLAGS
from ville.settings import add_flags
from ville.settings.older_names import SWITCHES

FLAGS = (*COMMON_FLAGS, "autosave")
ENGINES = ("local", "ray")
BASE = "base_the_ville_isabella_maria_klaus"
"""Simulation to fork or to question if no origin is given."""
EPILOG = (
    "Exit codes: 0, the run is complete; 1, an error, printed in one line; 130 after Ctrl-C, or 128 plus the number of "
    "another signal: the step was finished and everything saved. "
    f"Example: {typed('offline')} -o base_the_ville_n25 -t one_day -s 8640 --seed 1"
)


def main(arguments: Sequence[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags = {flag: getattr(choice, flag) for flag in (*FLAGS, *SWITCHES)}
    if choice.question is not None or choice.call is not None:
        with leaving_at_once():
            from ville.prompt.questioning import run_questioning  # noqa: PLC0415 - --help need not load the engine
        return run_questioning(choice, flags, choice.origin or BASE)
    with leaving_at_once():
        from ville.prompt.offline_session import run_offline  # noqa: PLC0415 - as above
    return run_offline(choice, flags, BASE)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG)
    parser.add_argument(
        "-o", "--origin", metavar="BASE", help=f"simulation to fork, resume or question (default: {BASE})"
    )
    parser.add_argument(
        "-t", "--target", metavar="NEW", help="name of the new simulation, or of the origin to resume it"
    )
    parser.add_argument(
        "-s", "--step", "--steps", dest="steps", type=int, help="number of steps; a day has 8640 steps of 10 seconds"
    )
    parser.add_argument("--until", metavar="TIME", help='run until 18:00, or until "February 14, 2023, 18:00:00"')
    parser.add_argument(
        "--load-history", metavar="FILE", help="first whisper the lines of this file (in the assets folder)"
    )
    parser.add_argument("--replay", metavar="NAME", default="", help="run a saved simulation again from its ledger")
    parser.add_argument(
        "--interventions",
        metavar="FILE",
        type=Path,
        help="apply what is in this file at its steps or times",
    )
    parser.add_argument("--listen", action="store_true", help="take requests of other programs while running")
    parser.add_argument("--estimate", action="store_true", help="only print an estimate of the cost")
    parser.add_argument(
        "-q",
        "--question",
        metavar="TEXT|FILE",
        help="run nothing: ask everyone this question, or each line of this "
        "file, and write the answers to NEW_question.txt and .json in the current folder; no one remembers it",
    )
    parser.add_argument(
        "-c",
        "--call",
        metavar="NAME",
        help="ask only this persona; without -q, what you type (ends with an empty line)",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        help="where minds think that live by the rules: in this process (local, the default), or on the nodes of a Ray "
        "cluster (docs/beyond-one-machine.md)",
    )
    parser.add_argument(
        "--districts", type=int, help="processes among which minds are divided (default: one per processor)"
    )
    parser.add_argument("--address", default="", help="address of a running Ray cluster (default: one is started here)")
    add_flags(parser, FLAGS)
    add_older_flags(parser, headless=True)
    return parser
