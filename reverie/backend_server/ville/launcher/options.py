"""Options of the program that opens the town, which start.py and `ville` have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence  # noqa: TC003 - exists in older Pythons too

from ville.launcher.bind import PORT, Bind, read_bind, read_port
from ville.launcher.children import PASS
from ville.version import VERSION

BASE = "base_the_ville_isabella_maria_klaus"
LIVE, DEMO = "live", "demo"


def parse_options(arguments: Sequence[str] | None, commands: Sequence[str], description: str) -> argparse.Namespace:
    """Return the options; without arguments, those of this program. `commands` can be opened, the first by default."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default=commands[0], choices=commands)
    parser.add_argument("--base", help=f"simulation to fork and open at once (with --name alone: {BASE})")
    parser.add_argument("--name", help="name of the new simulation, or of an existing one to resume at once")
    parser.add_argument("--prompt", action="store_true", help="type commands in this terminal, too")
    parser.add_argument("--headless", action="store_true", help="only the prompt: no environment server, no browser")
    add_serving(parser)
    parser.add_argument("--version", action="version", version=f"The Ville {VERSION}")
    return serving_options(parser.parse_args(arguments))


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Add the options of where pages are served, and for whom."""
    parser.add_argument("--no-browser", action="store_true", help="print the address, but do not open a browser")
    parser.add_argument(
        "--port", type=read_port, help=f"port of the environment server (default: first free one from {PORT})"
    )
    parser.add_argument(
        "--bind",
        type=read_bind,
        default=Bind(),
        metavar="HOST[:PORT]",
        help="address to serve at, for example 0.0.0.0 for everyone in your network, who may then watch",
    )
    parser.add_argument(
        "--pass",
        dest="asks_pass",
        action="store_true",
        help=f"ask for a pass phrase: who knows it may act, and not only watch (or set {PASS})",
    )


def serving_options(options: argparse.Namespace) -> argparse.Namespace:
    """Return options with a given port as that of their address."""
    if options.port is not None:
        options.bind.port = options.port
    return options
