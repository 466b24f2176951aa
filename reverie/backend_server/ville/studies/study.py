"""A study: what is run, how often, and what is asked and measured of each run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ville.analysis.collect_plan import CollectPlan
from ville.analysis.named_measures import NamedMeasure
from ville.errors import BadArgument
from ville.llm.accounting.budget import Limits
from ville.reply_form import IN_WORDS, ReplyForm
from ville.simulation.clock import Clock
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.pacing.spans import read_span
from ville.storage.past.moments import END, NamedMoment
from ville.storage.records.intervention_log import Row
from ville.storage.studies.registration import Hypothesis
from ville.storage.studies.study_folder import Keep

FIRST = "plain"
"""Name of the only arm of a study without arms."""


START = "start"
"""Moment after the first step of a run, before which histories are whispered."""


@dataclass(frozen=True)
class StudyBase:
    """A simulation, or a moment of it, from which runs begin."""

    name: str
    """As in the study file."""
    origin: NamedMoment
    """With the step at which runs begin."""
    clock: Clock
    """At that moment."""
    around: Circumstances
    """State of the town that interventions meet with."""
    until_step: int
    digest: str
    """Of everything that a run takes over."""
    map_digest: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(self.around.homes)

    def step_at(self, when: str) -> int:
        """Return the step of a moment that is asked about: `start`, `end`, a step, or a time. Raises BadArgument."""
        if when in {START, END}:
            return self.until_step if when == END else min(self.clock.step + 1, self.until_step)
        step = int(when) if when.isdecimal() else self.clock.step + self.clock.steps_in(read_span(f"until {when}"))
        if not self.clock.step <= step <= self.until_step:
            span = f"runs go from {self.clock.step:,} to {self.until_step:,}"
            raise BadArgument(f"{when} is step {step:,}, but {span}. Name a time within.")
        return step


@dataclass(frozen=True)
class ArmPast:
    """Until a moment, the runs of an arm are those of another arm with the same seeds."""

    arm: str
    at: str
    """`start`, `end`, a step, or a time."""


@dataclass(frozen=True)
class StudyArm:
    """Conditions that some runs have in common and others do not."""

    name: str
    settings: Mapping[str, object]
    """By name, as for `load_settings`; those of the whole study included."""
    rows: Mapping[str, tuple[Row, ...]]
    """Interventions by base, those of the whole study included."""
    past: ArmPast | None = None
    """None: settings and seeds are its own from the base on."""
    other_seeds: int = 0
    """Added to each seed."""
    answers: str = ""
    """The arm whose runs' answers to identical questions are taken; empty: every question is asked."""
    assign: Mapping[str, float] = field(default_factory=dict)
    """Groups that are drawn of the people of each run: how many each has, or below 1 which share. Interventions with
    the name of a group as `who` are for all of it.
    """


@dataclass(frozen=True)
class StudyQuestion:
    """A question that people of each run are asked. They do not remember it."""

    ask: str
    of: tuple[str, ...]
    """Names; empty: everyone."""
    when: str = END
    """`start`, `end`, a step, or a time."""
    role: str = ""
    name: str = ""
    """In measures; empty if it is answered in words."""
    form: ReplyForm = IN_WORDS


@dataclass(frozen=True)
class StudyPlan:
    """Plan that is laid down before a study is run; it counts once it is registered."""

    hypotheses: tuple[Hypothesis, ...] = ()
    primary: tuple[str, ...] = ()
    """Measures on which the study stands or falls."""
    stop: str = ""
    """When no more runs are made, in words."""
    eligible_models: tuple[str, ...] = ()
    """Models that may confirm the study."""


@dataclass(frozen=True)
class Study:
    """A study file that has no faults."""

    name: str
    title: str
    file: Path
    text: str
    """Content of the file."""
    bases: tuple[StudyBase, ...]
    seeds: tuple[int, ...]
    arms: tuple[StudyArm, ...]
    questions: tuple[StudyQuestion, ...]
    measures: tuple[NamedMeasure, ...]
    budget: Limits
    """Over all runs."""
    tries: int
    """How often a run that fails is begun."""
    concurrency: int
    """Most calls that are open at a provider, over all runs."""
    plan: StudyPlan = StudyPlan()
    collect: CollectPlan | None = None
    """How each run is looked at over time; None: it is not."""
    keep: Keep = "all"
    """Part of each simulation that stays when its measures are taken."""
    is_audit: bool = False
    """Whether it audits the study of its file: it is no part of what was registered of that."""
