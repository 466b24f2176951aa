"""Studies as pages ask for them: drafted from a comparison, checked as the command does, run by it, and stopped."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from ville.analysis.comparison.compared_run import find_run
from ville.assembly.model_choice import announcement, chat_name
from ville.errors import BadArgument, BadStudy, BadYaml, Fault
from ville.json_types import Json, JsonObject
from ville.plain_text import quantity
from ville.service.study_process import StudyProcess
from ville.settings import Settings, load_settings
from ville.simulation.requests.engine_requests import (
    EngineCheckStudy,
    EngineRepeatComparison,
    EngineRunStudy,
    EngineStopStudy,
    StudyRequest,
)
from ville.storage.exchange.inbox import Ack
from ville.storage.folder.storage import check_name
from ville.storage.studies.study_folder import STUDY, STUDY_FILE, StudyFolder, find_study
from ville.studies.batch import study_estimate, study_notes
from ville.studies.kept_runs import reduced_runs
from ville.studies.reading.study_file import MOST_VALUES, StudyReader, read_study, study_text
from ville.studies.repeated_comparison import repeated
from ville.studies.study import Study
from ville.studies.study_estimate import StudyEstimate
from ville.yaml_lines import read_yaml

INTERVAL = 0.1
"""Seconds between two looks at a process."""
TAKEN = "there is a study '{}' already"
RENAME = "give this one another name"
RUNS = "The study {} is being run. Stop it first, or wait."
LESS = "{} of {} would keep less than they do. Run it in a terminal, which asks first: study.py run {}"
CODE = "{} Run it in a terminal: study.py run {}"


class PageStudies:
    """Answers the requests of pages that concern studies, and holds the processes that run them."""

    def __init__(self, flags: Mapping[str, object], say: Callable[[str], None]) -> None:
        """`flags` are those of the engine's command line; `say` shows a line."""
        self._flags = {name: value for name, value in flags.items() if value is not None}
        self._say = say
        self._processes: dict[str, StudyProcess] = {}
        """By name of the study, from their start until they have ended."""
        self._attending: dict[str, asyncio.Task[str]] = {}
        self._starting = asyncio.Lock()
        """Held while a study is checked, written and started, so that none is replaced meanwhile."""

    @property
    def running(self) -> list[str]:
        """Names of the studies that were begun here, and have not ended."""
        return list(self._processes)

    async def answer(self, request: StudyRequest) -> Ack:
        """Carry out a request and return its acknowledgement. Raises ReverieError; nothing has changed then."""
        match request:
            case EngineRepeatComparison():
                told = await asyncio.to_thread(self._repeated, request)
            case EngineCheckStudy():
                told = await asyncio.to_thread(self._checked, request)
            case EngineRunStudy():
                told = await self._run(request)
            case EngineStopStudy():
                told = self._stop(request.name)
        return {"id": request.id, "request": request.request, "result": "done", **told}

    async def close(self) -> None:
        """Stop all studies that were begun here, and wait until they have saved."""
        if self.running:
            self._say(f"Stopping and saving studies: {', '.join(self.running)}. Their pages go on with them later.")
        for process in self._processes.values():
            process.leave()
        await asyncio.gather(*self._attending.values())

    @property
    def _settings(self) -> Settings:
        return load_settings(self._flags)

    def _folder(self, name: str) -> StudyFolder:
        """Return the folder of a study that may not be there. Raises BadSimulationName."""
        check_name(name)
        return StudyFolder(self._settings.studies, name)

    def _repeated(self, request: EngineRepeatComparison) -> JsonObject:
        settings = self._settings
        a, b = (find_run(settings.fs_storage, settings.replays, name) for name in (request.a, request.b))
        return {"study": repeated(a, b, settings.fs_storage, chat_name(settings))}

    def _checked(self, request: EngineCheckStudy) -> JsonObject:
        """Return the file of a study, what is wrong with it, and what it will take. Raises ReverieError."""
        folder = self._folder(request.name)
        if request.study is None:
            find_study(folder.root.parent, folder.name)
        text = folder.read_file() if request.study is None else study_text(request.study)
        told: dict[str, Json] = {"name": request.name, "text": text, "faults": [], "notes": [], "estimate": None}
        try:
            study = self._study(folder, request.study)
            return told | {"notes": self._notes(study), "estimate": _told(study_estimate(study, self._flags))}
        except BadStudy as error:
            return told | {"faults": _located(error, text)}

    def _notes(self, study: Study) -> list[Json]:
        """Return what the command says first: which models get the texts of the runs, and which settings are idle."""
        models = (announcement(load_settings({**self._flags, **arm.settings})) for arm in study.arms)
        return list(dict.fromkeys([*models, *study_notes(study, self._flags)]))

    def _study(self, folder: StudyFolder, content: Mapping[str, object] | None) -> Study:
        """Return a study that can be run from a page: a new one, or one that was run before. Raises ReverieError."""
        if content is None:
            return self._known(folder)
        text = study_text(content)
        if folder.is_there and folder.read_file() != text:
            raise BadStudy(Fault(TAKEN.format(folder.name), RENAME))
        return StudyReader(text, folder.root / STUDY_FILE, folder.name, self._flags, sent=True).read()

    def _known(self, folder: StudyFolder) -> Study:
        """Return a study from the file from which it was run before. One that brings code is run by who types so."""
        file = Path(find_study(folder.root.parent, folder.name).note().file)

        def refuse(line: str) -> NoReturn:
            raise BadArgument(CODE.format(line, file))

        return read_study(file, name=folder.name, settings=self._flags, tell=refuse)

    async def _run(self, request: EngineRunStudy) -> JsonObject:
        """Start a study, and wait until it is being run, or has refused to. Raises ReverieError."""
        name, folder = request.name, self._folder(request.name)
        async with self._starting:
            if name in self.running or folder.is_running:
                raise BadArgument(RUNS.format(name))
            file = await asyncio.to_thread(self._prepared, folder, request.study)
            begun = _version(folder)
            what = ("retry", name) if request.retry else ("run", str(file), "--name", name)
            attending = self._start(name, (*what, "--yes"))  # the page has said what it takes
        while not attending.done() and _version(folder) == begun:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(INTERVAL)
        if _version(folder) == begun:
            raise BadArgument(attending.result() or f"The study {name} ended before it began.")
        return {"name": name}

    def _start(self, name: str, words: Sequence[str]) -> asyncio.Task[str]:
        """Start a command, and return what attends to it. Raises BadArgument."""
        try:
            process = self._processes[name] = StudyProcess(words, self._flags)
        except OSError as error:
            raise BadArgument(f"No process could be started ({error.strerror}).") from None
        self._attending[name] = asyncio.create_task(self._attend(name, process))
        return self._attending[name]

    def _prepared(self, folder: StudyFolder, content: Mapping[str, object] | None) -> Path:
        """Check a study, write the file of a new one, and return where its file is. Raises ReverieError."""
        study = self._study(folder, content)
        if less := reduced_runs(study, folder):
            raise BadArgument(LESS.format(quantity(less, "run", "runs"), study.name, study.file))
        if content is not None:
            folder.create()
            folder.write_file(study.text)
        return study.file

    async def _attend(self, name: str, process: StudyProcess) -> str:
        """Wait until a study has ended; show and return the last line that it has complained of."""
        while process.is_alive:  # noqa: ASYNC110 - waiting for it would take a thread
            await asyncio.sleep(INTERVAL)
        del self._processes[name], self._attending[name]
        if fault := process.fault():
            self._say(f"{name}: {fault}")
        return fault

    def _stop(self, name: str) -> JsonObject:
        """Ask whichever program runs a study to stop. Raises BadArgument and CannotWrite."""
        check_name(name)
        folder = find_study(self._settings.studies, name)
        if not folder.is_running:
            raise BadArgument(f"The study {name} is not being run.")
        folder.ask_to_stop()
        return {"name": name}


def _version(folder: StudyFolder) -> int:
    """Return what changes when a study is begun, or goes on: 0 if it never was."""
    try:
        return (folder.root / STUDY).stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _told(estimate: StudyEstimate) -> dict[str, Json]:
    return {
        "runs": estimate.runs,
        "calls": round(estimate.calls) if estimate.asks_model else 0,
        "tokens": round(estimate.tokens),
        "dollars": estimate.cost if estimate.asks_model else 0.0,
        "paid": not estimate.is_free,
        "range": list(estimate.range),
        "seconds": estimate.seconds,
        "bytes": estimate.bytes,
    }


def _located(error: BadStudy, text: str) -> list[Json]:
    """Return the faults of a study, each with the keys that lead to it; none for a fault of the whole."""
    try:
        root = read_yaml(text, STUDY_FILE, most=MOST_VALUES, name="the study")
    except BadYaml:
        root = None
    return [
        {
            "says": str(replace(each, file="", line=0)),
            "line": each.line,
            "path": root.path_at(each.line) if root else [],
        }
        for each in error.faults
    ]
