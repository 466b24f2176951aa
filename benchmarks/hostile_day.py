"""A hostile day: a server, a page, a folder and a file at their worst, against the real programs.

`python benchmarks/hostile_day.py` runs it whole, which takes some minutes; `--smallest` runs a little of everything.
All is on 127.0.0.1 and in a temporary folder. The server keeps its own count of what arrived and what it should cost.
Exit code 1 if a law is broken: a traceback, a cent beyond a limit, a file changed outside of the storage, a key in a
file, a program that takes too much memory or does not end.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from developer_packages import developer_packages

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "servers"), str(ROOT / "tests")]

with developer_packages():
    from conftest import write_town  # its folder is added above
    from hostile_folders import attack_by_file, attack_by_folder
    from hostile_models import attack_by_server, attack_wallet
    from hostile_pages import attack_by_page
    from hostile_server import HostileServer
    from hostile_watch import MEMORY, Day

ACTS = {
    "server": attack_by_server,
    "wallet": attack_wallet,
    "page": attack_by_page,
    "folder": attack_by_folder,
    "file": attack_by_file,
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="try a little of everything")
    parser.add_argument("--only", choices=ACTS, action="append", help="who attacks; all, if not given")
    choice = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, HostileServer() as server:
        write_town(Path(folder))
        day = Day(Path(folder), server)
        for who in choice.only or ACTS:
            ACTS[who](day, smallest=choice.smallest)
        return report(day)


def report(day: Day) -> int:
    """Print the table, and return the exit code."""
    print(f"{'tried':52} {'times':>6} {'refused':>8} {'survived':>9}")
    for what, row in sorted(day.rows.items()):
        print(f"{what[:52]:52} {row.tried:>6,} {row.refused:>8,} {row.survived:>9,}")
    calls, dollars = day.server.calls.total(), day.server.dollars.total()
    over = day.overspent()
    laws = {
        f"requests at the server: {calls:,}, faults of {len(day.server.tried):,} kinds, "
        f"{100 * dollars:.2f} cents by its own count": [],
        f"most memory: {max(day.memory.values(), default=0) / 2**20:,.0f} MiB, of {MEMORY / 2**20:,.0f}": [],
        f"cents beyond the limits, by the server's own count: {100 * sum(over.values()):.4f}": list(over),
        f"tracebacks: {len(day.tracebacks)}": day.tracebacks,
        f"requests to addresses that were not configured: {day.server.strays}": ["redirected"] * day.server.strays,
        "files changed outside of the storage: {}": day.changed_elsewhere(),
        "files with a key: {}": day.keys_in_files(),
        "other laws broken: {}": [f"{what}: {each}" for what, row in day.rows.items() for each in row.broken],
    }
    print()
    for law, broken in laws.items():
        print(law.format(len(broken)))
        for each in broken[:50]:
            print(f"    {each}")
    return int(any(laws.values()))


if __name__ == "__main__":
    sys.exit(main())
