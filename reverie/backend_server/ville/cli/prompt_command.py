"""The prompt: fork or resume a simulation, run it, inspect it, and talk to its personas. Type 'help' there."""

import argparse
from pathlib import Path

from ville.cli.older_flags import add_older_flags
from ville.command_lines import COMMANDS, START
from ville.console import leaving_at_once
from ville.settings import FLAGS, add_flags
from ville.settings.older_names import SWITCHES
from ville.version import VERSION


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags = {flag: getattr(choice, flag) for flag in (*FLAGS, *SWITCHES)}
    if choice.serve:
        with leaving_at_once():
            from ville.cli.serve_command import run_served  # noqa: PLC0415 - --help need not load the engine
        return run_served(choice, flags)
    with leaving_at_once():
        from ville.prompt.prompt_session import run_prompt  # noqa: PLC0415 - as above
    return run_prompt(choice, flags)


def _parser() -> argparse.ArgumentParser:
    others = "; ".join(f"{name}, {command.does}" for name, command in COMMANDS.items() if name not in {START, "prompt"})
    parser = argparse.ArgumentParser(description=__doc__, epilog=f"Other commands, as `ville NAME`: {others}.")
    parser.add_argument("--origin", help="simulation to fork or resume; if not given, the prompt asks")
    parser.add_argument("--name", help="name of the new simulation, or of the origin to resume it")
    parser.add_argument("--replay", metavar="NAME", default="", help="run a saved simulation again from its ledger")
    parser.add_argument(
        "--interventions",
        metavar="FILE",
        type=Path,
        help="apply what is in this file at its steps or times",
    )
    parser.add_argument(
        "--serve", action="store_true", help="no prompt: open simulations, and run them, at the request of pages"
    )
    parser.add_argument(
        "--reopen", action="store_true", help="with --serve: open again what was open when the engine was killed"
    )
    parser.add_argument("--version", action="version", version=f"The Ville {VERSION}")
    add_flags(parser, FLAGS)
    add_older_flags(parser, headless=False)
    return parser
