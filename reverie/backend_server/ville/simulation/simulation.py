"""A running simulation: the town, its models, the stage, and its folder."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final

from ville.errors import GivenUp, StorageError
from ville.json_types import JsonObject
from ville.llm.gateway import Models
from ville.persona.memory_structures.common_sense import common_sense_json
from ville.persona.persona import Persona
from ville.simulation.clock import Clock
from ville.simulation.interventions.intake import Intake
from ville.simulation.interventions.intervention import Intervention, Source
from ville.simulation.interventions.planned import Planned
from ville.simulation.interventions.target import Target
from ville.simulation.pacing.run_control import RunControl
from ville.simulation.pacing.visit_pace import Visit
from ville.simulation.services import RunServices
from ville.simulation.stepper import Schedule, StepLock, Stepper
from ville.simulation.stepping.district_steps import FarDistrict
from ville.simulation.stepping.own_steps import Gain
from ville.simulation.stepping.stage import AWAITING, Browser, Stage
from ville.simulation.stepping.step import StepReport
from ville.simulation.talks.interviews import Interviews
from ville.simulation.talks.said import SaidLines
from ville.simulation.town import Town
from ville.storage.folder.branches import Branch, read_branch, write_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import check_new, delete, fork
from ville.storage.past.checkpoint_writer import SaveOrigin
from ville.storage.past.checkpoints import SetUp, Stem
from ville.storage.records.intervention_log import (
    AHEAD_FILE,
    APPLIED,
    RUN_FILE,
    InterventionLog,
    cut_to_save,
    read_ahead,
    rows_in_save,
)
from ville.storage.records.lock import Lock
from ville.storage.records.memory_files import COMMON_SENSE, FACTS, MUSINGS, POLICY
from ville.storage.records.meta import Meta
from ville.storage.records.title import write_title
from ville.world.reach import Reach

VECTOR_SIZE = "vector_size"
"""Key in RUN_FILE: length of the embedding vectors when the file was written."""
BREAKER_KEY = "fallbacks"
"""Key in RUN_FILE: state of the breaker."""
POOL = "policy_pool"
"""Key in RUN_FILE and in set-ups: digest of the public pools that the policies began with."""
ASKED = "asked"
"""Key in RUN_FILE: how many questions personas have asked so far."""
QUESTIONS = "questions"
"""Key in RUN_FILE and in set-ups: SITUATED if questions are situated. Without it, as in all that was run before there
were such questions, they are those of the paper.
"""
SITUATED: Final = "situated"
PAPER: Final = "paper"
THINKING = "thinking"
"""Key in RUN_FILE and in set-ups: MEANWHILE if people go on while they reflect. Without it, they think at once."""
MEANWHILE: Final = "meanwhile"
AT_ONCE: Final = "at_once"
MINDS = "minds"
"""Key in RUN_FILE and in set-ups: parts of minds that are replaced, by which classes, with digests of their code."""
TOWN_FILE = "town.json"
"""File beside meta.json with the state of the town that does not follow from the personas."""


def clock_from(meta: Meta) -> Clock:
    return Clock(start=meta.start_date, now=meta.curr_time, step=meta.step, seconds_per_step=meta.sec_per_step)


class Simulation:
    """Advances and saves one simulation, and can revert it to its last save."""

    def __init__(
        self,
        *,
        folder: SimulationFolder,
        lock: Lock | None,
        town: Town,
        models: Models,
        services: RunServices,
        stage: Stage,
        said: SaidLines,
    ) -> None:
        self.folder = folder
        self._lock = lock
        self.town = town
        self.models = models
        self.services = services
        self.is_new = False
        """Whether it is a fork that was never saved by a command or a run, and is deleted by `revert`."""
        self.control = RunControl()
        self.said = said
        """Messages shown about it in the session in which it is open."""
        self.stage = stage
        noted = folder.read_side_file(RUN_FILE) or {}
        self._asked_before = asked if isinstance(asked := noted.get(ASKED, 0), int) else 0
        self.pool: str = noted.get(POOL, "")
        """Digest of the public pools that were read; empty: none."""
        self.publish: Callable[[], None] | None = None
        """Gives to the public pools what the last save contains, when the simulation is closed."""
        self.after_save: Callable[[], object] | None = None
        """Called after each save."""
        self.notes: tuple[str, ...] = ()
        """Notes for the user about how it was opened, in lines."""
        self.schedule: Schedule = "lockstep"
        """For whom somebody waits in a step."""
        self.districts = tuple[FarDistrict, ...]()
        """Where minds live while steps are computed; none: here."""
        self.between_steps = StepLock()
        """Held while a step is computed; hold it to look at or change the town between two steps."""
        self.intake = self._open_intake()
        self._stepper = Stepper(self)
        self._saved_at = self._stem
        """The last save."""
        self._has_saved = False
        self._made_by = [self._set_up()]
        """How the steps since then are computed."""
        self.interviews = Interviews(town, services, self._interview_models, self.between_steps)

    def _open_intake(self) -> Intake:
        """Return the interventions of the folder, with those that are still due. Raises CorruptFile."""
        reverie = self.folder.root / "reverie"
        log, applied = InterventionLog(reverie, fsync=self.folder.fsync), rows_in_save(reverie)
        log.check_has(applied)
        intake = Intake(self.target, log, applied)
        ahead = enumerate(read_ahead(reverie), 1)
        intake.plan(Planned.from_row(row, f"{reverie / AHEAD_FILE}: row {place}", logged=False) for place, row in ahead)
        return intake

    @property
    def _stem(self) -> Stem:
        """Name of the checkpoint of a save at this moment."""
        return Stem(self.clock.step, self.intake.applied_here)

    def _set_up(self, ahead: Sequence[Planned] | None = None) -> SetUp:
        """Return what the steps from now on depend on."""
        rows = None if ahead is None else [planned.row() for planned in ahead]
        set_up = self.services.set_up
        settings = set_up.settings | ({POOL: self.pool} if self.pool else {})
        return set_up.model_copy(update={"step": self.clock.step, "ahead": rows, "settings": settings})

    def begin_with_pool(self, digest: str) -> None:
        """Note that the policies now contain what was in the public pools."""
        self.pool = digest
        self._made_by = [self._set_up()]

    def plan(self, ahead: Iterable[Planned]) -> None:
        """Replace the planned interventions. Raises BadIntervention."""
        self.intake.plan(ahead)
        self._made_by = [each for each in self._made_by if each.step < self.clock.step]
        self._made_by.append(self._set_up(self.intake.ahead))

    def target(self) -> Target:
        """Return the simulation as interventions see it."""
        return Target(self.town, self.models, self.services, self.folder)

    @property
    def asked(self) -> int:
        """Questions that personas have asked, in all steps so far, with those of the simulations that it comes from."""
        return self._asked_before + self._stepper.asked

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def clock(self) -> Clock:
        return self.town.clock

    @property
    def browser(self) -> Browser:
        return self.stage.browser

    @property
    def visit(self) -> Visit | None:
        """The visitor whose page is open, otherwise the first one in town; None if there is none."""
        visitors = self.town.visitors
        return visitors.visit(self.stage.open_page()) if visitors.present else None

    @property
    def steps_left(self) -> int:
        """Number of steps until the end of the current run; 0 if no run is in progress."""
        return max(0, (self.control.until_step or 0) - self.clock.step)

    def announce(self) -> None:
        """Tell the pages that this simulation is open. Raises CannotWrite."""
        self.stage.announce(self.clock.step)

    def waiting(self) -> str:
        """Return what the current step is waiting for, in one line; empty if there is nothing to report."""
        return AWAITING if self.browser == "awaited" else self.services.status()

    def persona(self, name: str) -> Persona:
        return self.town.personas[name]

    async def intervene(self, *interventions: Intervention, source: Source) -> list[str]:
        """Change the town from outside, before the coming step; return what was done, one line each.

        Waits for the end of a step that is being computed. Either all interventions take effect or none; nothing is
        returned for a request whose id was taken before. Raises BadIntervention, UnknownPersona, ModelError or
        CannotWrite.
        """
        async with self.between_steps:
            return await self.intake.take(interventions, source)

    async def advance(self) -> StepReport:
        """Apply the interventions that are due, then compute and show one step.

        Raises StorageError; the next call then shows the same step again. Raises BadIntervention or ModelError if an
        intervention that is due cannot be applied; it stays due.
        """
        self.town.look_at_all()
        return await self._stepper.advance()

    def own_steps(self, until: int, is_to_end: Callable[[], bool]) -> AsyncGenerator[StepReport, None]:
        """Compute and show steps as `advance` does, at least one; people may be ahead of others meanwhile.

        Whoever waits for `between_steps` ends it, as `is_to_end` does. If it is left before its end, the simulation
        may be torn: it cannot be saved any more. Raises as `advance` does.
        """
        return self._stepper.own_steps(until, is_to_end, reach=self._reach if self.schedule == "rooms" else None)

    @property
    def is_torn(self) -> bool:
        """Whether people are at steps of their own, because steps were given up: it goes on from its last save."""
        return self._stepper.is_torn

    @property
    def gain(self) -> Gain:
        """Time gained by letting people be ahead of others, since the simulation was opened."""
        return self._stepper.gain

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.town.maze)

    async def apply_due(self) -> list[str]:
        """Apply what is due before the coming step, as it would do; return what was done, one line each.

        Raises as `advance` does.
        """
        async with self.between_steps:
            return await self.intake.apply_due()

    def _interview_models(self) -> Models:
        return self.services.interview_models() if self.services.interview_models else self.models

    @property
    def _is_musing(self) -> bool:
        """Whether answers are awaited for what people think about while they go on."""
        return any(each.conclusion is None for persona in self.town.personas.values() for each in persona.musings)

    async def settle(self) -> None:
        """Wait for what people think about while they go on, so that it can be saved. Raises what ended a thought."""
        for persona in self.town.personas.values():
            for each in persona.musings:
                await each.concluded()

    def save(self) -> None:
        """Save everything atomically, with what people think about meanwhile once that is settled. Raises CannotWrite;
        the previous save is then unchanged.
        """
        if self.is_torn or self._is_musing:
            raise GivenUp(f"{self.name} was given up within steps. It goes on from its last save: open it again.")
        self._stepper.show_all()
        clock = self.clock
        town = self.town
        meta = replace(self.folder.meta, curr_time=clock.now, step=clock.step, persona_names=tuple(town.personas))
        states = {name: persona.state() for name, persona in town.personas.items()}
        former = {name: persona.state() for name, persona in town.departed.items()}
        side_files = self._side_files()
        intake, stem = self.intake, self._stem
        origin = SaveOrigin(intake.applied, stem.rows, since=self._saved_at, made_by=self._made_by)
        self.folder.save(meta, states, {RUN_FILE: self._run_state(), **side_files}, former=former, origin=origin)
        self._saved_at, self._made_by = stem, [self._set_up()]
        for name in (name for name, content in side_files.items() if not any(content.values())):
            self.folder.remove_side_file(name)
        self.is_new, self._has_saved = False, True
        town.departed.clear()
        for persona in town.personas.values():
            persona.saved()
        if self.after_save:
            self.after_save()

    async def save_as(self, name: str, title: str = "") -> None:
        """Save, and copy the save to a new simulation. Use it only between two steps.

        Raises BadSimulationName, SimulationExists or CannotWrite; no copy is left then.
        """
        storage = self.folder.root.parent
        check_new(storage, name)
        await self.settle()
        self.save()

        def complete(folder: Path) -> None:
            if branch := read_branch(folder):
                write_branch(folder, self.noted(branch))
            if title:
                write_title(folder, title)

        def copy() -> None:
            with Lock(storage / name):
                fork(storage, self.name, name, complete)

        await asyncio.to_thread(copy)  # there may be tens of thousands of files

    def _run_state(self) -> JsonObject:
        """Return the content of RUN_FILE: defaults for the next run of this simulation."""
        models = self.models
        language = {"language": models.language} if models.language else {}
        size = max((persona.mind.stream.vectors.size for persona in self.town.personas.values()), default=0)
        fallbacks = {BREAKER_KEY: state} if (state := self.services.breaker.state()) else {}
        applied = {APPLIED: self.intake.applied} if self.intake.applied else {}
        own: JsonObject = {"seed": models.seed, "embedder": models.embedder.name, VECTOR_SIZE: size}
        pool = {POOL: self.pool} if self.pool else {}
        minds = {MINDS: dict(self.town.modules.record)} if self.town.modules.record else {}
        rules = self.services.set_up.settings
        later = {QUESTIONS: SITUATED, THINKING: MEANWHILE}
        followed = {rule: value for rule, value in later.items() if rules.get(rule) == value}
        counted = {ASKED: self.asked} if self.asked else {}
        return {**own, **language, **fallbacks, **applied, **pool, **minds, **followed, **counted}

    def _side_files(self) -> dict[str, JsonObject]:
        """Return the files that only some simulations have. One that becomes empty is saved so, then removed: if the
        program is killed in between, its content of an earlier save does not come back.
        """
        rows = [planned.row() for planned in self.intake.not_applied]
        town = {TOWN_FILE: self.town.as_json(), POLICY: self._policies(), FACTS: self._facts()}
        town |= {COMMON_SENSE: common_sense_json(self.town.common_sense), MUSINGS: self._musings()}
        contents = {AHEAD_FILE: {"rows": rows}, **town}
        return {
            name: content
            for name, content in contents.items()
            if any(content.values()) or self.folder.read_side_file(name) is not None
        }

    def _policies(self) -> JsonObject:
        """Return the content of POLICY: by persona."""
        policies = {name: persona.mind.policy.as_json() for name, persona in self.town.personas.items()}
        return {name: policy for name, policy in policies.items() if policy}

    def _facts(self) -> JsonObject:
        """Return the content of FACTS: by persona."""
        facts = {name: persona.mind.facts.as_json() for name, persona in self.town.personas.items()}
        return {name: kept for name, kept in facts.items() if kept}

    def _musings(self) -> JsonObject:
        """Return the content of MUSINGS: by persona."""
        musings = {name: [each.as_json() for each in of.musings] for name, of in self.town.personas.items()}
        return {name: begun for name, begun in musings.items() if begun}

    def noted(self, branch: Branch) -> Branch:
        """Return where a simulation comes from with how this one is computed: the two go on in the same way."""
        set_up = self.services.set_up
        used = {"chat": set_up.chat, "embedder": set_up.embedder, "language": set_up.language, **set_up.settings}
        used |= {POOL: self.pool} if self.pool else {}
        return branch.model_copy(update={"seed": set_up.seed, "settings": used})

    def revert(self) -> Meta | None:
        """Revert the folder to its last save and return its meta data; delete it and return None if it was never saved.

        Do not use this object afterwards, except to close it.
        """
        if not self.is_new:
            self.folder.recover()
            cut_to_save(self.folder.root / "reverie")
            return self.folder.meta
        self.close_files()
        delete(self.folder)
        return None

    def close_files(self) -> None:
        """Close what is open in the folder, so that it can be renamed or removed, also on Windows."""
        if self.services.ledgers:
            self.services.ledgers.close()

    async def close(self) -> None:
        """Close the stage and all connections, pack the steps of the last save, and release the lock."""
        try:
            self.stage.close()
            await self.town.stop_musing()
            await self.services.close()
            if self._has_saved and self.folder.root.exists():
                with suppress(StorageError):  # their files stay
                    self.folder.pack(self.folder.meta.step)
            if self.publish and not self.is_new and self.folder.root.exists():
                self.publish()
        finally:
            if self._lock:
                self._lock.release()
