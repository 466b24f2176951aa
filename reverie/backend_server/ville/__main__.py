"""Makes `python -m ville NAME` the command `ville NAME`."""

from ville.cli.entry_points import run

if __name__ == "__main__":
    run()
