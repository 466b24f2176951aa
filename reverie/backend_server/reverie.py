"""Start the prompt: fork or resume a simulation, run it, inspect it, talk to its personas."""

import sys

try:
    from ville.cli.entry_points import prompt
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    prompt()
