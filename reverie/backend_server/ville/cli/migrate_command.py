"""Bring over simulations, replays, maps, histories, settings and pools of an older project, and prove that they work.

It takes the folder of the project released with the paper, of a fork of it such as AGA, or of an earlier version of
this one. That folder is only read. Stopped at any moment and started again, it goes on where it was.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ville import home
from ville.errors import ReverieError
from ville.migration.carrying import carry, check_room
from ville.migration.migration_plan import MigrationPlan, Transfer, plan_migration
from ville.migration.migration_proof import COLUMNS, Proof, prove
from ville.migration.migration_report import MigrationReport, histories_of, top_of
from ville.migration.old_project import find_old_project
from ville.migration.old_settings import env_file
from ville.plain_text import one_line, quantity
from ville.settings import Settings, load_settings

MILLION, THOUSAND = 10**6, 10**3
WIDEST = 44
"""Characters of a name in a table; longer ones move their row."""


def main(arguments: Sequence[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        return _migrate(choice)
    except ReverieError as fault:
        print(one_line(str(fault)), file=sys.stderr)
        return 1


def _migrate(choice: argparse.Namespace) -> int:
    settings = load_settings({"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed})
    plan = plan_migration(find_old_project(choice.project, _ours(settings)), settings)
    report = MigrationReport(plan, choice.json)
    report.write()
    _say(_plan_lines(plan))
    if choice.dry_run:
        _say(["Dry run: nothing was changed. Leave out --dry-run to bring this."])
        return 0
    if plan.to_bring:
        check_room(settings.fs_storage, plan.size)
        if not (choice.yes or _agrees("Bring this?")):
            _say(["Nothing was changed. To agree without being asked, use --yes."])
            return 1
    faults = [*_carried(report, settings), *_settings_brought(report, asked=choice.settings, may_ask=not choice.yes)]
    _prove_all(report, settings)
    _say(_table(report.proofs))
    faults += [str(each) for each in plan.left if each.lost]
    faults += [fault for proof in report.proofs for fault in proof.faults]
    _say([*faults, _summary(plan, len(faults))])
    report.finish(faults)
    return int(bool(faults) and not choice.json)


def _ours(settings: Settings) -> set[Path]:
    """Return the folders of this project, in which nothing is looked for."""
    folders = (settings.fs_storage, settings.replays, settings.assets, settings.fs_temp_storage, settings.studies)
    return {Path(os.path.realpath(folder)) for folder in (*folders, home.HOME.root)}


def _say(lines: Iterable[str]) -> None:
    """Print lines. A name of a file in them may hold anything."""
    for line in lines:
        print(one_line(line), flush=True)


def _agrees(question: str) -> bool:
    """Ask at a terminal; elsewhere no one agrees."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(f"{question} (y/n) ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False


def _plan_lines(plan: MigrationPlan) -> Iterator[str]:
    """Yield what is brought, from where and to which name, what becomes of the settings, and what stays."""
    top = top_of(plan)
    yield f"In {top}:"
    for each in plan.transfers:
        yield f"  {each.kind:<11} {each.source.relative_to(top)!s:<{WIDEST}}  {_to(each)}"
    for line in plan.settings.lines():
        yield f"  {'setting':<11} {line:<{WIDEST}}  → {env_file()}"
    if plan.settings.kept:
        yield f"  Settings that are set here already, and stay: {', '.join(plan.settings.kept)}"
    if plan.left or plan.settings.faults:
        yield "Not brought:"
    yield from (f"  {each}" for each in plan.left)
    yield from (f"  {fault}" for fault in plan.settings.faults)
    yield f"Together {_size(plan.size)} to copy. The old folder stays as it is."


def _to(transfer: Transfer) -> str:
    """Return name, map and size of what is brought, or under which name it is here already."""
    name = transfer.target.name
    if transfer.kind == "pools":
        return f"→ added to {transfer.target}, {_size(transfer.size)}"
    if transfer.is_there:
        return f"is here already, as {name}"
    name = f"{transfer.target.parent.name}/{name}" if transfer.kind == "history" else name
    histories = histories_of(transfer)
    on = f", on the map {transfer.maze}" if transfer.maze else ""
    on += f", with {quantity(histories, 'history', 'histories')}" if histories else ""
    return f"→ {name}{on}, {_size(transfer.size)}"


def _size(count: int) -> str:
    return f"{count / MILLION:,.1f} MB" if count >= MILLION / 10 else f"{count / THOUSAND:,.0f} kB"


def _carried(report: MigrationReport, settings: Settings) -> Iterator[str]:
    """Bring everything, saying so. Yield what could not be brought."""
    for each in report.bring(report.plan.to_bring):
        try:
            lines = carry(each, settings)
        except ReverieError as fault:
            yield str(fault)
        else:
            report.notes += lines
            _say([f"Brought the {each.kind} {each.target.name}.", *(f"  {line}" for line in lines)])


def _settings_brought(report: MigrationReport, *, asked: bool, may_ask: bool) -> Iterator[str]:
    """Add the settings to .env, if the user agrees. Yield what prevents that."""
    settings = report.plan.settings
    yield from settings.faults
    if not settings.variables:
        return
    number = quantity(len(settings.variables), "setting", "settings")
    if not (asked or (may_ask and _agrees(f"Add {number} of the old project to {env_file()}?"))):
        _say([f"{number} stayed in the old project. To add them to {env_file()}, use --settings."])
        return
    try:
        settings.append()
    except ReverieError as fault:
        yield str(fault)
    else:
        report.added = list(settings.variables)
        _say([f"Added to {env_file()}: {', '.join(report.added)}."])


def _prove_all(report: MigrationReport, settings: Settings) -> None:
    """Check each simulation and replay that is here now, saying so: a long one takes a while."""
    here = [each for each in report.plan.of("simulation", "replay") if each.target.exists()]
    for each in report.check(here):
        _say([f"Checking the {each.kind} {each.target.name}."])
        report.proofs.append(prove(report.plan, each, settings))


def _table(proofs: Sequence[Proof]) -> Iterator[str]:
    if not proofs:
        return
    yield ""
    yield f"{'Checked:':<{WIDEST}}  {'':<10}  {'  '.join(f'{column:<16}' for column in COLUMNS)}".rstrip()
    for proof in proofs:
        said = [proof.checks[column].said if column in proof.checks else "–" for column in COLUMNS]
        cells = "  ".join(f"{cell:<16}" for cell in said)
        yield f"{proof.transfer.target.name:<{WIDEST}}  {proof.transfer.kind:<10}  {cells}".rstrip()
    yield ""


def _summary(plan: MigrationPlan, faults: int) -> str:
    if faults:
        return f"{quantity(faults, 'thing needs', 'things need')} attention: see above."
    names = [each.target.name for each in plan.of("simulation")]
    fork = f" Fork one and run it: ville offline -o {names[0]} -t NEW -s 100" if names else ""
    return f"Everything is here, and works.{fork}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path, metavar="OLD_PROJECT", help="folder of the old project; it is only read")
    parser.add_argument("--dry-run", action="store_true", help="change nothing, only say what would be brought")
    parser.add_argument("--yes", action="store_true", help="bring it without asking; settings only with --settings")
    parser.add_argument("--settings", action="store_true", help="add the settings of its utils.py to .env, also keys")
    parser.add_argument("--storage", type=Path, help="folder of our simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of our recordings (default: from the settings)")
    parser.add_argument("--json", type=Path, help=argparse.SUPPRESS)
    return parser
