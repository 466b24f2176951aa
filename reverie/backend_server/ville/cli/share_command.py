"""Share a recording as one HTML file that plays without a server or a network (`python share.py NAME`).

`--against` shares a comparison, `--study` a study, `--still` a picture, `--clip` a moving one; several names and
`--out FOLDER` make a static site. Simulations are only read, and nothing private is shared.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.api import functions as api
from ville.cli.output_file import add_replace
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable, quantity
from ville.settings import Settings, load_settings
from ville.sharing.pictures import CLIP_WIDTH, CLIPS, STILL_WIDTH, STILLS, check_picture, write_clip, write_still
from ville.sharing.recording_file import RecordingFile
from ville.sharing.shared_comparison import comparison_text
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.shared_span import SharedSpan
from ville.sharing.shared_study import study_text
from ville.sharing.site import INDEX, write_site
from ville.sharing.town_scene import TownScene
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.named_files import check_free, write_named
from ville.storage.studies.study_folder import find_study

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
    for path, endings in ((choice.still, STILLS), (choice.clip, CLIPS)):
        if path:
            check_picture(path, endings)
            check_free(path, replace=choice.replace)
    if choice.study:
        yield from _study(choice, settings)
        return
    if choice.against:
        yield from _comparison(choice, settings)
        return
    if len(choice.names) > 1 or (choice.out and choice.out.is_dir()):
        yield from _site(choice, settings)
        return
    run = _run(settings, choice.names[0], choice.store)
    found = _recording_file(run, settings, choice)
    if choice.still or choice.clip:
        yield from _pictures(found, choice)
        return
    out = _page(choice, found.name)
    text = found.text()
    write_named(out, [text], replace=choice.replace)
    yield f"Shared: {out} ({megabytes(len(text))}). It plays without a network: open it in a browser."
    yield from content_lines(found.counts)


def _study(choice: argparse.Namespace, settings: Settings) -> Iterator[str]:
    """Share what a study has measured."""
    if len(choice.names) > 1 or choice.against or choice.still or choice.clip or choice.begin or choice.end:
        raise BadArgument("Name one study: NAME --study. Pictures and parts are of simulations.")
    folder = find_study(settings.studies, choice.names[0])
    out = _page(choice, f"{folder.name}.html")
    text = study_text(folder)
    write_named(out, [text], replace=choice.replace)
    yield f"Shared: {out} ({megabytes(len(text))}). It needs no network: open it in a browser."
    yield "In it: arms, figures of all measures, means and intervals."
    yield "Not in it: answers of people who were asked, models and keys, calls and their cost, folders of this machine."


def _comparison(choice: argparse.Namespace, settings: Settings) -> Iterator[str]:
    """Share what differs between two runs."""
    if len(choice.names) > 1 or choice.still or choice.clip or choice.begin or choice.end:
        raise BadArgument("A comparison is of two simulations, NAME --against NAME. Share pictures and parts of one.")
    names = choice.names[0], choice.against
    found = api.compare(*names, **_folders(choice))
    runs = [find_run(settings.fs_storage, settings.replays, name) for name in names]
    out = _page(choice, f"{runs[0].folder.name}-{runs[1].folder.name}.html")
    text = comparison_text(found, runs)
    write_named(out, [text], replace=choice.replace)
    yield f"Shared: {out} ({megabytes(len(text))}). It needs no network: open it in a browser."
    yield "In it: first differences, how they spread, outcomes, and what only one of the runs has."
    yield NOT_IN_IT.format(left_out="")


def _site(choice: argparse.Namespace, settings: Settings) -> Iterator[str]:
    if choice.out is None or choice.still or choice.clip:
        raise BadArgument("Several simulations make a folder: name it with --out FOLDER. A picture shows one of them.")
    files = [_recording_file(_run(settings, name, choice.store), settings, choice) for name in choice.names]
    for name in (INDEX, *(found.name for found in files)):
        check_free(choice.out / name, replace=choice.replace)
    for page in write_site(files, choice.out):
        yield f"Shared: {choice.out / page.found.name} ({megabytes(page.size)})"
        yield from content_lines(page.found.counts)
    yield f"Open {choice.out / INDEX} in a browser, or put the folder on a web server."


def _pictures(found: RecordingFile, choice: argparse.Namespace) -> Iterator[str]:
    """Write a still and a clip, as far as they were asked for."""
    recording = found.recording
    if choice.still:
        scene = TownScene(recording, found.assets, STILL_WIDTH, choice.follow)
        step = recording.span.first + (0 if choice.begin else found.opening)
        write_still(scene, step, choice.still)
        yield f"Still: {choice.still}, {recording.run.time(step)}"
    if choice.clip:
        scene = TownScene(recording, found.assets, CLIP_WIDTH, choice.follow)
        write_clip(scene, recording.span, choice.clip)
        yield f"Clip: {choice.clip} ({megabytes(choice.clip.stat().st_size)})"


def _page(choice: argparse.Namespace, name: str) -> Path:
    """Return the page to write. Raises CannotWrite if it is there already."""
    path: Path = choice.out or Path(name)
    check_free(path, replace=choice.replace)
    return path


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


def megabytes(size: int) -> str:
    return f"{size / MEGABYTE:.1f} MB"


def content_lines(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield what is in a shared recording and what is not."""
    people = quantity(counts["people"], "person", "people")
    talks = quantity(counts["talks"], "conversation", "conversations")
    memories = quantity(counts["memories"], "memory", "memories")
    yield f"In it: {people}, {talks}, {memories}."
    yield NOT_IN_IT.format(left_out=f" ({counts['private']:,} left out)" if counts["private"] else "")


def _settings(choice: argparse.Namespace) -> Settings:
    return load_settings(_folders(choice))


def _folders(choice: argparse.Namespace) -> dict[str, Any]:
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    return {name: path for name, path in folders.items() if path}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a saved or compressed simulation")
    parser.add_argument("--study", action="store_true", help="NAME is a study")
    parser.add_argument("--against", metavar="NAME", help="share a comparison with this simulation")
    moment = "a step, a time (18:00) or end"
    parser.add_argument("--from", dest="begin", default="", metavar="MOMENT", help=f"share it from here on: {moment}")
    parser.add_argument("--to", dest="end", default="", metavar="MOMENT", help="share it until here")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: NAME.html); a folder for several simulations"
    )
    parser.add_argument(
        "--still", type=Path, metavar="FILE", help="write a picture instead, as of --from: .png or .svg"
    )
    parser.add_argument(
        "--clip", type=Path, metavar="FILE", help="write a moving picture instead: .gif, or .webm by ffmpeg"
    )
    add_replace(parser)
    parser.add_argument("--follow", default="", metavar="PERSON", help="of a picture: only what is around this person")
    parser.add_argument(
        "--store", choices=(SAVED, COMPRESSED), default=SAVED, help="which of two simulations of a name comes first"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
