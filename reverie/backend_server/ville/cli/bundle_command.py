"""Commands of `study.py` for others: a study as one archive, and the check of one."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from ville.command_lines import typed
from ville.plain_text import printable, quantity
from ville.settings import load_settings
from ville.storage.studies.study_folder import find_study
from ville.studies.bundle.bundle_check import verify_bundle
from ville.studies.bundle.bundle_files import NO_LICENSE, write_bundle

NOT_EQUAL = 1
"""Exit code of a bundle whose tables are not those that its runs give, or that was changed."""


def add_bundle_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="FILE.zip", help="file to write (default: NAME.zip)")
    parser.add_argument("--license", default=NO_LICENSE, metavar="TEXT", help="licence of the data, best as an address")


def add_verify_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", type=Path, metavar="BUNDLE", help="an archive that 'study.py bundle' has written")
    help_text = "run functions that measure from this folder; read them first (default: they are not run)"
    parser.add_argument("--code", type=Path, metavar="FOLDER", help=help_text)


def bundle(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Write a study as an archive."""
    settings = load_settings(flags)
    out = choice.out or Path(f"{choice.name}.zip")
    report = write_bundle(find_study(settings.studies, choice.name), settings, out, choice.license)
    for name in report.code:
        print(printable(f"{name} is code: it is not in the bundle. Give it to whoever is to verify the study."))
    for line in report.failed:
        print(printable(f"A run failed, and is not in the bundle. {line}"))
    if report.unkept:
        runs = quantity(report.unkept, "run keeps", "runs keep")
        print(f"{runs} no steps (`keep` of the study): whoever verifies the bundle cannot measure them again.")
    sizes = f"{report.size:,} bytes, {report.unpacked:,} unpacked"
    print(printable(f"Written: {out} ({quantity(report.files, 'file', 'files')}, {sizes})"))
    print(f"SHA-256, to be named in a paper: {report.digest}")
    print(printable(f"To check it anywhere, without a call: {typed('study')} verify {out}"))
    return 0


def verify(choice: argparse.Namespace, _flags: Mapping[str, object]) -> int:
    """Check a bundle."""
    verdict = verify_bundle(choice.bundle, code=choice.code)
    print(*map(printable, verdict.lines()), sep="\n")
    return NOT_EQUAL if verdict.faults else 0
