"""Checks a bundle: digests of all files, and all tables and figures computed again from its runs, without a call."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import isclose
from pathlib import Path

from ville.analysis.named_measures import NamedMeasure, is_code, named_measure
from ville.analysis.run import Run
from ville.assembly.provenance import program_record
from ville.errors import BadArgument, BadBundle, CorruptFile, ReverieError
from ville.llm.accounting.ledger_schema import OPEN, SHARED
from ville.plain_text import one_line, quantity, shortened
from ville.storage.compressed.compressed_folder import CompressedFolder
from ville.storage.folder.storage import NAME
from ville.storage.studies.registration import Registration, registration_of
from ville.storage.studies.study_folder import FIGURES, JobManifest, StudyFolder, StudyNote
from ville.storage.temporary import temporary_folder
from ville.studies.bundle.bundle_archive import BundleArchive
from ville.studies.bundle.bundle_files import TABLES, is_unkept
from ville.studies.bundle.crate import CRATE, SUMS, BundledFile, crate_digests, sums_digests, sums_text
from ville.studies.bundle.measures_of_file import measure_sources
from ville.studies.tables import ANSWERS, RUNS, answer_table, run_table, statistics_files

CLOSE = 1e-9
"""Relative difference up to which numbers are the same: other processors round the last digit otherwise."""
LONGEST = 80
"""Characters of a value in a message."""
BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
"""Raised where files of a run are not as our programs write them."""


@dataclass
class BundleVerdict:
    """Findings of the check of a bundle."""

    study: str = ""
    faults: list[str] = field(default_factory=list)
    """Differences, a line each."""
    notes: list[str] = field(default_factory=list)
    """Lines about what could not be checked."""
    files: int = 0
    runs: int = 0
    tables: int = 0
    figures: int = 0
    measures: int = 0
    """In the study file."""
    code: int = 0
    """Those of them that are code and were not computed."""
    unkept: int = 0
    """Runs of which no steps were kept, so that they were not measured again."""

    def lines(self) -> Iterator[str]:
        """Yield the verdict as text."""
        yield from self.notes
        yield from self.faults
        checked = (
            f"{quantity(self.runs, 'run', 'runs')} measured again, {quantity(self.tables, 'table', 'tables')} and "
            f"{quantity(self.figures, 'figure', 'figures')} computed again, {quantity(self.files, 'file', 'files')} "
            "compared with their digests"
        )
        count = quantity(len(self.faults), "difference", "differences")
        found = f"not equal, {count}" if self.faults else "equal"
        if self.unkept:
            found += f", but {quantity(self.unkept, 'run was', 'runs were')} not kept and not measured again"
        if self.code:
            verb = "is" if self.code == 1 else "are"
            found += f", but {self.code} of {quantity(self.measures, 'measure', 'measures')} {verb} code and "
            found += f"{'was' if self.code == 1 else 'were'} not computed"
        yield f"{self.study}: {found} ({checked})."


def verify_bundle(path: Path, *, code: Path | None = None) -> BundleVerdict:
    """Check a bundle, without a call to a model. `code` is a folder with functions that measure, which are run then.

    Raises BadBundle for what is no bundle, and for one that is hostile.
    """
    archive, verdict = BundleArchive(path), BundleVerdict(path.stem)
    try:
        if CRATE not in archive.names and SUMS not in archive.names:
            raise BadBundle(f"{path.name} is not a bundle of a study: it has no {CRATE}.")
        verdict.faults += archive.faults()
        with temporary_folder() as root:
            _check_digests(_unpacked(archive, root, verdict), root, verdict, path.name)
            try:
                _Recomputation(root, verdict, code).check()
            except ReverieError as fault:
                verdict.faults.append(one_line(str(fault).replace(f"{root}/", "").replace(str(root), "")))
    finally:
        archive.close()
    return verdict


def _unpacked(archive: BundleArchive, root: Path, verdict: BundleVerdict) -> dict[str, BundledFile]:
    """Write all files below a folder, and return them by name; what is damaged is left out."""
    found: dict[str, BundledFile] = {}
    for name in archive.names:
        try:
            content = archive.read(name)
        except BadBundle as fault:
            verdict.faults.append(str(fault))
            continue
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        found[name] = BundledFile(name, len(content), sha256(content).hexdigest())
    verdict.files = len(archive.names)
    return found


def _check_digests(found: Mapping[str, BundledFile], root: Path, verdict: BundleVerdict, archive: str) -> None:
    """Compare files with both lists of digests: which of the three is another one tells what was changed."""
    sums = sums_digests((root / SUMS).read_text("utf-8", "replace")) if SUMS in found else {}
    try:
        listed = crate_digests((root / CRATE).read_text("utf-8")) if CRATE in found else {}
    except (ValueError, RecursionError) as fault:
        if sums.get(CRATE) in {None, found[CRATE].sha256}:
            raise BadBundle(f"{archive} is not a bundle of a study ({CRATE}: {fault}).") from None
        listed = {}
    for name in sorted({*found, *sums, *listed} - {SUMS}):
        verdict.faults += _digest_faults(name, found.get(name), sums, listed)
    known = [BundledFile(name, 0, digest) for name, digest in sums.items()]
    if SUMS in found and sums_text(known).encode() != (root / SUMS).read_bytes():
        verdict.faults.append(f"{SUMS}: was changed")


def _digest_faults(
    name: str, file: BundledFile | None, sums: Mapping[str, str], listed: Mapping[str, str]
) -> Iterator[str]:
    if file is None:
        yield f"{name}: is missing or damaged"
        return
    by_sums, by_crate = sums.get(name), listed.get(name)
    if name == CRATE:
        if by_sums != file.sha256:
            yield f"{CRATE}: its digest is not that of {SUMS}"
    elif by_sums is None and by_crate is None:
        yield f"{name}: was added; no list of digests has it"
    elif file.sha256 not in {by_sums, by_crate}:
        yield f"{name}: was changed; its digest is another one"
    elif sums and by_sums != file.sha256:
        yield f"{SUMS}: the digest of {name} was changed"
    elif listed and by_crate != file.sha256:
        yield f"{CRATE}: the digest of {name} was changed"


class _Recomputation:
    """Computes tables and figures of an unpacked bundle again, and compares them with those in it."""

    def __init__(self, root: Path, verdict: BundleVerdict, code: Path | None) -> None:
        self._root, self._verdict, self._code = root, verdict, code
        self._folder = StudyFolder(root, "study")
        self._other_version = False
        """Whether the study was run by another version of the Ville, whose tables may have other columns."""

    def check(self) -> None:
        """Raises CorruptFile if the study itself cannot be read."""
        note = self._folder.note()
        self._verdict.study = note.name
        registered = self._registered(note)
        measures = self._measures()
        jobs = [job for run in (*note.runs, *note.shared) if (job := self._job(run))]
        self._note_version(jobs)
        again = [self._measured(job, measures) for job in jobs]
        if self._verdict.unkept:
            unkept = quantity(self._verdict.unkept, "run keeps", "runs keep")
            self._verdict.notes.append(
                f"{unkept} no steps (`keep` of the study): measures and answers are taken as they were noted. Calls, "
                "costs, tables and figures are computed again."
            )
        runs = [job for job in again if not job.is_shared]
        computed = {RUNS: run_table(again, note.measures).to_csv(), ANSWERS: answer_table(again).to_csv()}
        computed |= statistics_files(note.measures, note.arms, runs, registered)
        for name, text in computed.items():
            self._compare(name if name.startswith(f"{FIGURES}/") else f"tables/{name}", text)
        self._find_others(computed)

    def _note_version(self, jobs: Sequence[JobManifest]) -> None:
        """Note with which versions the study was run, if one is not that of this program."""
        own = str(program_record()["version"])
        others = sorted({str(job.provenance.get("version", "unknown")) for job in jobs} - {own})
        self._other_version = bool(others)
        if others:
            line = f"Run with version {', '.join(others)}, checked with {own}: columns that both have are compared."
            self._verdict.notes.append(shortened(one_line(line), 4 * LONGEST))

    def _job(self, run: str) -> JobManifest | None:
        """Return a run; None if it is missing, damaged, or of a name that would lead elsewhere."""
        try:
            job = self._folder.job(run) if NAME.fullmatch(run) else None
        except CorruptFile as fault:
            self._fault(f"study/jobs/{run}.json: {fault}")
            return None
        if job is None:
            self._fault(f"study/jobs/{run}.json: is missing")
        elif not NAME.fullmatch(job.simulation):
            self._fault(f"study/jobs/{run}.json: '{job.simulation}' cannot be the name of a simulation")
            return None
        return job

    def _registered(self, note: StudyNote) -> Registration | None:
        """Return what was registered, if the study that was run is that one."""
        try:
            found = registration_of(self._folder)
        except CorruptFile as fault:
            self._fault(f"study/registration.json: {fault}")
            return None
        arms = found.plan.get("arms") if found else None
        if found and (found.plan.get("seeds"), list(arms) if isinstance(arms, dict) else []) != (note.seeds, note.arms):
            self._fault("study/registration.json: arms or seeds of the study are not those that were registered")
        return found

    def _measures(self) -> list[NamedMeasure]:
        """Return the measures that can be computed. Raises BadStudy."""
        found = []
        for source in measure_sources(self._folder.read_file()):
            self._verdict.measures += 1
            if is_code(source) and self._code is None:
                self._verdict.code += 1
                self._verdict.notes.append(
                    f"{source} is code, and was not run. --code FOLDER runs that of your folder."
                )
                continue
            try:
                found.append(named_measure(source, (self._code or self._root).resolve()))
            except BadArgument as fault:
                self._fault(f"study/study.yaml: {fault}")
        return found

    def _measured(self, job: JobManifest, measures: Sequence[NamedMeasure]) -> JobManifest:
        """Return a job with its result computed again, and note how that differs."""
        if job.state != "done" or job.result is None:
            return job
        values = {} if job.is_shared else self._values(job, measures)
        used = self._used(job)
        said = {**job.result.measures, **{name: getattr(job.result, name) for name in used}}
        for name, computed in {**values, **used}.items():
            if not _same(_text(said.get(name)), _text(computed)):
                self._differs(f"study/jobs/{job.run}.json, '{name}'", _text(said.get(name)), _text(computed))
        result = job.result.model_copy(update={"measures": {**job.result.measures, **values}, **used})
        return job.model_copy(update={"result": result})

    def _values(self, job: JobManifest, measures: Sequence[NamedMeasure]) -> dict[str, float | None]:
        """Return what is measured of a run, as far as it was kept and can be."""
        values: dict[str, float | None] = {}
        if is_unkept(job):
            self._verdict.unkept += 1
            return values
        self._verdict.runs += 1
        try:
            folder, answers = (
                CompressedFolder(self._root / "runs" / job.simulation),
                job.result.answers if job.result else [],
            )
            run = Run(folder, answers=[each.as_json() for each in answers], groups=job.groups)
            for each in measures:
                value = each.of(run)
                values[each.name] = None if value is None else float(value)
        except ReverieError as fault:
            self._fault(f"runs/{job.simulation}: {fault}")
        except BROKEN as fault:
            self._fault(f"runs/{job.simulation}: cannot be measured ({type(fault).__name__}: {fault})")
        return values

    def _used(self, job: JobManifest) -> dict[str, float]:
        """Return calls, tokens and cost of a run by its ledger."""
        path = self._root / "ledgers" / f"{job.simulation}.jsonl"
        calls: list[dict[str, float]] = []
        try:
            for line in path.read_text("utf-8").splitlines() if path.exists() else ():
                row = json.loads(line)
                if row["outcome"] not in {OPEN, SHARED}:
                    calls.append(
                        {"tokens": row["prompt_tokens"] + row["completion_tokens"], "cost": row["cost"] or 0.0}
                    )
        except BROKEN as fault:
            self._fault(f"ledgers/{path.name}: cannot be read ({fault})")
            return {}
        tokens, cost = (sum(call[name] for call in calls) for name in ("tokens", "cost"))
        return {"calls": len(calls), "tokens": int(tokens), "cost": round(float(cost), 9)}

    def _compare(self, name: str, computed: str) -> None:
        path = self._root / name
        if name.startswith(FIGURES):
            self._verdict.figures += 1
        else:
            self._verdict.tables += 1
        if not path.exists():
            self._fault(f"{name}: is missing")
            return
        stored = path.read_bytes().decode("utf-8", "replace")
        if stored == computed:
            return
        if self._other_version and not name.endswith(".csv"):
            self._verdict.notes.append(f"{name}: another version of the Ville sets it otherwise; not compared.")
            return
        if self._other_version:
            stored, computed = _common_columns(stored, computed)
        differences = _cells(stored, computed) if name.endswith(".csv") else _lines(stored, computed)
        for place, said, other in differences:
            self._differs(f"{name}, {place}", said, other)

    def _find_others(self, computed: Mapping[str, str]) -> None:
        """Note tables and figures that nothing is computed for."""
        for folder, known in (("tables", set(TABLES)), (FIGURES, {Path(name).name for name in computed})):
            for path in sorted((self._root / folder).glob("*")):
                if path.name not in known:
                    self._fault(f"{folder}/{path.name}: is not of this study")

    def _differs(self, place: str, said: str, computed: str) -> None:
        self._fault(f"{place}: the bundle says {_shown(said)}, computed is {_shown(computed)}")

    def _fault(self, line: str) -> None:
        plain = line.replace(f"{self._root}/", "").replace(str(self._root), "")
        self._verdict.faults.append(shortened(one_line(plain), 4 * LONGEST))


def _common_columns(stored: str, computed: str) -> tuple[str, str]:
    """Return two tables with the columns that both have, in the order of the second one."""
    tables = [list(csv.DictReader(io.StringIO(text, newline=""))) for text in (stored, computed)]
    heads = [next(csv.reader(io.StringIO(text, newline="")), []) for text in (stored, computed)]
    common = [name for name in heads[1] if name in heads[0]]
    texts = []
    for rows in tables:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, common, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        texts.append(text.getvalue())
    return texts[0], texts[1]


def _cells(stored: str, computed: str) -> Iterator[tuple[str, str, str]]:
    """Yield where two tables differ, with both values. Rows are counted from the one below the heading."""
    mine, other = (list(csv.reader(io.StringIO(text, newline=""))) for text in (stored, computed))
    heads = other[0] if other else []
    if not mine or mine[0] != heads:
        yield "heading", ",".join(mine[0] if mine else []), ",".join(heads)
        return
    found = False
    for number in range(1, max(len(mine), len(other))):
        row, expected = (each[number] if number < len(each) else [] for each in (mine, other))
        label = " ".join((expected or row)[:1])
        for place in range(max(len(row), len(expected))):
            one, two = (each[place] if place < len(each) else "" for each in (row, expected))
            column = heads[place] if place < len(heads) else f"column {place + 1}"
            if not _same(one, two):
                found = True
                yield f"row {number} ({label}), column '{column}'", one, two
    if not found and _plain(stored) != _plain(computed):
        yield "spaces, quotes or ends of lines", stored[:LONGEST], computed[:LONGEST]


def _plain(text: str) -> Iterable[str]:
    """Return the cells of a table that are not numbers, with everything between the cells."""
    return [cell for cell in text.replace("\n", ",\n,").split(",") if not _number(cell)]


def _lines(stored: str, computed: str) -> Iterator[tuple[str, str, str]]:
    mine, other = stored.split("\n"), computed.split("\n")
    for number in range(max(len(mine), len(other))):
        one, two = (each[number] if number < len(each) else "" for each in (mine, other))
        if one != two:
            at = next((place for place, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), 0)
            start = max(0, at - LONGEST // 4)
            yield f"line {number + 1}", one[start : start + LONGEST], two[start : start + LONGEST]


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    return _number(one) and _number(other) and isclose(float(one), float(other), rel_tol=CLOSE, abs_tol=CLOSE**2)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return bool(text.strip())


def _text(value: object) -> str:
    return "" if value is None else str(float(value)) if isinstance(value, int | float) else str(value)


def _shown(text: str) -> str:
    return f"'{shortened(one_line(text), LONGEST)}'" if text else "nothing"
