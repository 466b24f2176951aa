"""The files of a bundle: a study as it was run, without what tells of the machine, and without private interviews.

Runs are in their compressed form, without vectors: memories and what everyone showed in each step, which all measures
are computed from. Ledgers are lines of JSON.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from ville.analysis.named_measures import is_code
from ville.errors import BadArgument, CorruptFile
from ville.home import HOME, PACKAGE, SHIPPED
from ville.llm.accounting.ledger_lines import ledger_lines
from ville.settings import FIELDS, Settings
from ville.storage.compressed.cast import CAST
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.compressed.compression import MASTER, META_COPY, ROW_FILES, recorded_steps
from ville.storage.files import compact, pretty, read_bytes
from ville.storage.folder.branches import BRANCH
from ville.storage.folder.storage import find
from ville.storage.records.intervention_log import LOG, RUN_FILE, read_rows
from ville.storage.records.memory_files import EMBEDDINGS, FACTS, FORMER, PERSONAS
from ville.storage.records.meta import META
from ville.storage.records.people_files import PeopleFiles
from ville.storage.studies.study_folder import FIGURES, LEDGER, STUDY, STUDY_FILE, VALIDITY, JobManifest, StudyFolder
from ville.studies.bundle.bundle_archive import write_archive
from ville.studies.bundle.crate import CRATE, SUMS, BundledFile, CrateHead, crate_text, sums_text
from ville.studies.bundle.measures_of_file import measure_sources
from ville.studies.tables import ANSWERS, DIFFERENCES, RUNS, STATISTICS
from ville.version import VERSION

TABLES = (RUNS, ANSWERS, STATISTICS, DIFFERENCES)
BESIDE = ("registration.json", "confirmation.json")
"""Files of a study that not every one has."""
REPORTS = ("report", "report.html", VALIDITY)
"""A report of the study, if one was written: a folder or a file."""
OF_RUN = (RUN_FILE, BRANCH, "town.json", FACTS)
"""Files below reverie/ of a run that are bundled where they are."""
SHORTEST_SECRET = 8
SLASHES = r"[/\\]+(?:\.[/\\]+)*"
"""Pattern of what stands between two folders of a path, however often."""
AT_BEGINNING = r"(?:(?<![\w.~<>/\\-])|(?<=\\[bfnrt]))"
"""Pattern of where a path of one folder begins; in longer ones and in tags of HTML it means nothing."""
NO_LICENSE = "Not stated: ask the authors of the study."


@dataclass
class BundleReport:
    """A bundle that was written."""

    digest: str = ""
    """SHA-256 of the archive, which a paper can name."""
    size: int = 0
    files: int = 0
    unpacked: int = 0
    code: list[str] = field(default_factory=list)
    """Measures that are functions: their code is not in the bundle."""
    failed: list[str] = field(default_factory=list)
    """Runs that have failed, which are not in the bundle, each with its fault."""
    unkept: int = 0
    """Runs that are done of which no steps were kept: nobody can measure them again."""


def write_bundle(folder: StudyFolder, settings: Settings, out: Path, license_text: str = NO_LICENSE) -> BundleReport:
    """Write a study as one archive. The same study gives the same bytes. Raises a ReverieError."""
    jobs = _finished(folder)
    note, report = folder.note(), BundleReport()
    report.code = [str(each) for each in measure_sources(folder.read_file()) if is_code(each)]
    report.failed = [f"{job.run}: {job.fault or 'it does not say why'}" for job in jobs if job.state == "failed"]
    report.unkept = sum(is_unkept(job) for job in jobs)
    known: list[BundledFile] = []
    last = max((job.ended for job in jobs), default="")[:10]
    head = CrateHead(note.name, note.title, last or "1970-01-01", license_text, VERSION)

    def files() -> Iterator[tuple[str, bytes]]:
        for name, content in _study_files(folder, settings, jobs):
            check_clean(name, content, settings)
            known.append(BundledFile.of(name, content))
            yield name, content
        crate = crate_text(head, known).encode()
        yield CRATE, crate
        yield SUMS, sums_text([*known, BundledFile.of(CRATE, crate)]).encode()

    report.digest = write_archive(out, files())
    report.size, report.files = out.stat().st_size, len(known) + 2
    report.unpacked = sum(each.size for each in known)
    return report


def _finished(folder: StudyFolder) -> list[JobManifest]:
    """Return the jobs of a study that has ended. Raises BadArgument."""
    if folder.is_running:
        raise BadArgument(f"The study {folder.name} is being run. Wait for its end, or stop it.")
    note = folder.note()
    found = {job.run: job for job in folder.jobs()}
    jobs = [found[run] for run in (*note.runs, *note.shared) if run in found]
    left = sum(job.state not in {"done", "failed"} for job in jobs)
    if left or not jobs:
        raise BadArgument(f"{left} runs of the study {folder.name} are not done. Run it to its end first.")
    return jobs


def is_unkept(job: JobManifest) -> bool:
    """Return whether the steps of a run that is done were not kept."""
    return job.state == "done" and not job.is_shared and job.kept in {"tables", "memories"}


def _study_files(folder: StudyFolder, settings: Settings, jobs: Sequence[JobManifest]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of all files of a bundle but those that list them."""
    yield f"study/{STUDY_FILE}", folder.read_file().encode()
    note = folder.note()
    yield f"study/{STUDY}", pretty(note.model_copy(update={"file": STUDY_FILE}).as_json()).encode()
    yield from _there((f"study/{name}", folder.root / name) for name in BESIDE)
    for job in sorted(jobs, key=lambda each: each.run):
        yield f"study/jobs/{job.run}.json", pretty(_plain(job, settings).as_json()).encode()
    yield from _there((f"tables/{name}", folder.root / name) for name in TABLES)
    figures = sorted((folder.root / FIGURES).glob("[!.]*.svg"))
    yield from _there((f"figures/{path.name}", path) for path in figures)
    yield from _report_files(folder.root)
    yield from _computed_files(folder, settings, jobs)


def _there(files: Iterable[tuple[str, Path]]) -> Iterator[tuple[str, bytes]]:
    """Yield the contents of files that exist."""
    for name, path in files:
        if path.exists():
            yield name, read_bytes(path)


def _computed_files(
    folder: StudyFolder, settings: Settings, jobs: Sequence[JobManifest]
) -> Iterator[tuple[str, bytes]]:  # fmt: skip
    """Yield the runs that are done, as far as they were kept, and what they asked models."""
    for job in sorted(jobs, key=lambda each: each.run):
        if job.state == "done":
            if not job.is_shared and job.kept == "compressed":
                root = find_compressed(settings.replays, job.simulation).root
                yield from _recording_files(root, f"runs/{job.simulation}")
            elif not job.is_shared and job.kept == "all":
                yield from _run_files(find(settings.fs_storage, job.simulation).root, f"runs/{job.simulation}")
            if lines := _ledger_of(folder, settings, job):
                yield f"ledgers/{job.simulation}.jsonl", lines


def _ledger_of(folder: StudyFolder, settings: Settings, job: JobManifest) -> bytes:
    """Return the calls of a run as lines, of its simulation or as they were kept of it."""
    if job.kept in {"tables", "compressed"}:
        return folder.kept(job.run, LEDGER) or b""
    return "".join(ledger_lines(find(settings.fs_storage, job.simulation).root / "reverie")).encode()


def _report_files(root: Path) -> Iterator[tuple[str, bytes]]:
    for name in REPORTS:
        path = root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not any(part.startswith(".") for part in file.relative_to(root).parts):
                yield file.relative_to(root).as_posix(), read_bytes(file)


def _plain(job: JobManifest, settings: Settings) -> JobManifest:
    """Return a job without what tells of the machine, and of when and how often it was tried."""
    told = {key: value for key, value in job.provenance.items() if key != "host"}
    if isinstance(chosen := told.get("settings"), Mapping):
        told["settings"] = {name: _file_name(value) if name in FIELDS else value for name, value in chosen.items()}
    fault = job.fault
    for last, pattern in _paths(settings):
        fault = last.join(pattern.split(fault))
    return job.model_copy(
        update={"provenance": told, "started": "", "ended": "", "seconds": 0.0, "tries": 0, "fault": fault}
    )


def _file_name(setting: object) -> object:
    """Return a setting, of a path only the name of its file."""
    return Path(setting).name if isinstance(setting, str) and Path(setting).is_absolute() else setting


def _run_files(root: Path, to: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a run in its compressed form, without vectors."""
    recorded = recorded_steps(root)
    yield f"{to}/{MASTER}", recorded.master
    if recorded.cast:
        yield f"{to}/{CAST}", recorded.cast
    yield f"{to}/{META_COPY}", read_bytes(root / META)
    yield from _row_files(root / "reverie", to)
    yield from _there((f"{to}/reverie/{name}", root / "reverie" / name) for name in OF_RUN)
    for below in (PERSONAS, FORMER):
        yield from _minds(root, below, to)


def _recording_files(root: Path, to: str) -> Iterator[tuple[str, bytes]]:
    """Yield the same of a run that was compressed when it was done."""
    yield from _there((f"{to}/{name}", root / name) for name in (MASTER, CAST, META_COPY))
    yield from _row_files(root, to)
    for name in OF_RUN:
        yield from _there([(f"{to}/reverie/{name}", root / (name if name == RUN_FILE else f"reverie/{name}"))])
    yield from _minds(root, PERSONAS, to)


def _row_files(folder: Path, to: str) -> Iterator[tuple[str, bytes]]:
    """Yield what is there of files with rows, the log without the times at which it was written."""
    yield from _there((f"{to}/{name}", folder / name) for name in ROW_FILES if name != LOG)
    if rows := read_rows(folder / LOG):
        yield f"{to}/{LOG}", "".join(compact({**row, "at": ""}) + "\n" for row in rows).encode()


def _minds(root: Path, below: str, to: str) -> Iterator[tuple[str, bytes]]:
    """Yield the memories of people, without vectors."""
    people = PeopleFiles(root)
    for name in people.below(below):
        file = PurePosixPath(name).relative_to(below)
        is_memory = name.endswith(".json") and not name.endswith(EMBEDDINGS)
        if is_memory and not any(part.startswith(".") for part in file.parts):
            yield f"{to}/{PERSONAS}/{file}", people.content(name)


def check_clean(name: str, content: bytes, settings: Settings) -> None:
    """Raise if a file has a key, or a path of this machine: it must not leave it."""
    text = content.decode("utf-8", "replace")
    if any(last in text and pattern.search(text) for last, pattern in _paths(settings)):
        raise BadArgument(f"{name} has a path of this machine. Remove it there, and bundle the study again.")
    for secret in _secrets(settings):
        if secret in text:
            raise CorruptFile("%(file)s has a key of yours. Nothing was written.", file=name)


def _paths(settings: Settings) -> list[tuple[str, re.Pattern[str]]]:
    """Return the last part of each folder in use, as written in JSON, and the pattern of the whole path.

    Longer ones come first.
    """
    used = [settings.fs_storage, settings.studies, settings.replays, settings.fs_temp_storage, settings.assets]
    used += [HOME.root, SHIPPED, PACKAGE, Path.home(), Path(tempfile.gettempdir())]
    names = {form for path in used for form in (path.absolute().as_posix(), path.resolve().as_posix())}
    names |= {json.dumps(name)[1:-1] for name in names} | {quote(name, safe="/:") for name in names}
    found = []
    for name in sorted(names, key=lambda each: (-len(each), each)):
        drive, *parts = re.split(r"/+", name)
        if parts and parts[-1]:
            before = AT_BEGINNING if len(parts) == 1 and not drive else ""
            pattern = before + re.escape(drive) + "".join(SLASHES + re.escape(part) for part in parts) + r"(?!\w)"
            found.append((parts[-1], re.compile(pattern)))
    return found


def _secrets(settings: Settings) -> list[str]:
    values = [getattr(settings, name) for name, each in FIELDS.items() if not each.repr or name == "keys"]
    flat = [each for value in values for each in (value.values() if isinstance(value, Mapping) else [value])]
    return [str(each) for each in flat if isinstance(each, str) and len(each) >= SHORTEST_SECRET]
