"""Open the town.

ville                    run a town from your browser
ville demo               watch recorded days in your browser
"""

import sys

from ville.cli.init_command import begin_home
from ville.command_lines import COMMANDS, START
from ville.errors import ReverieError
from ville.home import HOME
from ville.launcher.children import StartError, exit_on_signals
from ville.launcher.opened_town import open_town, play_demos
from ville.launcher.options import DEMO, LIVE, parse_options
from ville.settings import load_settings


def main(arguments: list[str] | None = None) -> int:
    others = (f"ville {name:<18} {command.does}" for name, command in COMMANDS.items() if name != START)
    options = parse_options(arguments, (LIVE, DEMO), "\n".join([f"{__doc__}", *others]))
    exit_on_signals()
    try:
        if not HOME.is_there:
            begin_home(HOME.root)
        return play_demos(options) if options.command == DEMO else open_town(options, load_settings())
    except (StartError, ReverieError) as error:
        print(error, file=sys.stderr)
        return 1
    except PermissionError as error:
        print(f"No permission to write {error.filename}. Correct its permissions, or go elsewhere.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130
