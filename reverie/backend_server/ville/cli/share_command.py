"""Share a recording as one HTML file that plays without a server or a network (`python share.py NAME`).

`--against` shares a comparison, `--study` a study, `--still` a picture, `--clip` a moving one; several names and
`--out FOLDER` make a static site. Simulations are only read, and nothing private is shared.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable
from ville.settings import Settings, load_settings
from ville.sharing.recording_file import RecordingFile
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.shared_span import SharedSpan
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.files import write_text

SAVED, COMPRESSED = "saved", "compressed"
MEGABYTE = 1_000_000
NOT_IN_IT = (
    "Not in it: interviews, conversations with users and memories of them{left_out}, models and keys, calls and their "
    "cost, folders of this machine."
)


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        lines = list(_shared(choice))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(*map(printable, lines), sep="\n")
    return 0


def _shared(choice: argparse.Namespace) -> Iterator[str]:
    """Write what was asked for, and yield what to print. Raises a ReverieError."""
    settings = _settings(choice)
    if len(choice.names) > 1:
        raise BadArgument("Name one simulation.")
    yield from _recording(choice, settings)


def _recording(choice: argparse.Namespace, settings: Settings) -> Iterator[str]:
    found = _recording_file(_run(settings, choice.names[0], choice.store), settings, choice)
    out = choice.out or Path(f"{found.recording.run.folder.name}.html")
    text = found.text()
    write_text(out, text)
    yield f"Shared: {out} ({len(text) / MEGABYTE:.1f} MB). It plays without a network: open it in a browser."
    yield from content_lines(found.counts)


def _run(settings: Settings, name: str, store: str) -> ComparedRun:
    """Return a simulation, a saved one before a compressed one. Raises SimulationNotFound and CorruptFile."""
    if store == COMPRESSED:
        return ComparedRun(find_compressed(settings.replays, name))
    return find_run(settings.fs_storage, settings.replays, name)


def _recording_file(run: ComparedRun, settings: Settings, choice: argparse.Namespace) -> RecordingFile:
    """Return a recording to be shared. Raises BadMoment and CorruptFile."""
    recording = SharedRecording(run, SharedSpan.of(run, choice.begin, choice.end))
    run.check_unchanged()
    return RecordingFile(recording, settings.assets)


def content_lines(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield what is in a shared recording and what is not."""
    yield f"In it: {counts['people']:,} people, {counts['talks']:,} conversations, {counts['memories']:,} memories."
    yield NOT_IN_IT.format(left_out=f" ({counts['private']:,} left out)" if counts["private"] else "")


def _settings(choice: argparse.Namespace) -> Settings:
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    return load_settings({name: path for name, path in folders.items() if path})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a saved or compressed simulation")
    moment = "a step, a time (18:00) or end"
    parser.add_argument("--from", dest="begin", default="", metavar="MOMENT", help=f"share it from here on: {moment}")
    parser.add_argument("--to", dest="end", default="", metavar="MOMENT", help="share it until here")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: NAME.html)")
    parser.add_argument(
        "--store", choices=(SAVED, COMPRESSED), default=SAVED, help="which of two simulations of a name comes first"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
