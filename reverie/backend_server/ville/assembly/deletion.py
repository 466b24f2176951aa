"""Tests claimed causes: the run once more from just before, without the cause, and whether the act comes all the same.

Everything happens in temporary folders. By the rules, chance is held still (`same_draws.py`), so that one run decides.
With a model, all answers but one are (`held_answers.py`), and the deciding question is asked again and again.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ville.analysis.why.cause import Act, ActCause, Chain, Removal
from ville.analysis.why.claims import Claim, claims_of, without_others
from ville.analysis.why.likeness import words_of
from ville.analysis.why.verdict import Became, Rate, Verdict, by_outcome, by_rates, unasked, undecidable
from ville.assembly.at_moment import BranchingPoint, branching_point
from ville.assembly.fresh_answers import answer_afresh
from ville.assembly.held_answers import HeldAnswers, QuestionKey, deciding_question
from ville.assembly.retraced_steps import RetracedSteps
from ville.assembly.same_draws import NotedQuestion, SameDraws, WithoutLines
from ville.errors import BadMoment, ReverieError
from ville.llm.accounting.common_budget import CommonBudget
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import Activity, Schedule, Slot
from ville.persona.memory_structures.scratch import Scratch
from ville.settings import Settings
from ville.simulation.simulation import Simulation

AFTER = 60
"""Steps after the act in which it may still come later. With a model, it counts only in its step."""
ALIKE = 0.5
"""Least share of common words of two texts of which one is the other, changed."""
TOO_LATE = "it came in the step of the act itself: there is no moment between the two"
UNKNOWN = "which question decides it is not known: let all be asked afresh (--whole)"
NEUTRAL = "{name} lives in the Ville."
"""Stands for a line of a character of which nothing is left."""
Say = Callable[[str], None]
"""Called with a line that tells what is done."""


def ignore(_line: str) -> None:
    """No-op: nothing shows the progress."""


@dataclass
class LivedSpan:
    """Deeds, words and thoughts of a persona in another run."""

    doings: dict[int, str] = field(default_factory=dict)
    """Description of its action, by step."""
    said: list[tuple[int, int, str]] = field(default_factory=list)
    """Step, turn and words."""
    thought: list[tuple[int, str]] = field(default_factory=list)

    def of(self, act: Act) -> list[tuple[tuple[int, int], str]]:
        """Return what is of the same kind as an act, with its step and turn."""
        if act.kind == "utterance":
            return [((step, turn), words) for step, turn, words in self.said]
        return [((step, 0), words) for step, words in (self.doings.items() if act.kind == "action" else self.thought)]


def became(act: Act, lived: LivedSpan) -> tuple[Became, str]:
    """Return what became of an act in another run, and what there was in its place."""
    there = lived.of(act)
    then = (act.step, act.turn)
    here = [words for when, words in there if when == then]
    if act.words in here:
        return "stays", ""
    if act.part and (still := next((words for words in here if act.part in words.lower()), "")):
        return "stays", still
    times = [when for when, words in there if words == act.words]
    instead = max(here, key=lambda words: _likeness(words, act.words), default="")
    if any(when > then for when in times):
        return "comes later", instead
    if times:
        return "comes earlier", instead
    return ("changes" if instead and _likeness(instead, act.words) >= ALIKE else "vanishes"), instead


def _likeness(one: str, other: str) -> float:
    a, b = words_of(one), words_of(other)
    return len(a & b) / len(a | b) if a | b else 0.0


@dataclass
class OtherRun:
    """Record of another run: what everyone lived, by name, and how many questions a model answered afresh."""

    of: defaultdict[str, LivedSpan] = field(default_factory=lambda: defaultdict(LivedSpan))
    fresh: int = 0

    def came(self, act: Act, about: frozenset[str] = frozenset()) -> bool:
        """Return whether an act came in its step, in its words or in half of them.

        `about`: words of it that its cause has, too (`explained`). If there are any, half of them are enough.
        """
        fate, _ = became(act, self.of[act.who])
        if about and not act.part and fate != "stays":
            here = [words for when, words in self.of[act.who].of(act) if when == (act.step, act.turn)]
            return any(2 * len(about & words_of(words)) >= len(about) for words in here)
        return fate in {"stays", "changes"}


def explained(act: Act, cause: ActCause, names: Iterable[str]) -> frozenset[str]:
    """Return the words of a line or a thought that its cause has, too, but for names of people: what it explains of it.

    A model puts the same thing in other words each time, so that its whole words say little.
    """
    if act.kind == "action":
        return frozenset()
    return (words_of(act.words) & words_of(cause.words)) - words_of(" ".join(names))


@dataclass(frozen=True)
class _Holding:
    """Answers that another run with a model takes over, and the question that it asks afresh."""

    asked: Sequence[NotedQuestion]
    deciding: QuestionKey | None


class CauseTester:
    """Tests claims about acts of one run. Runs by the rules take one run for each side, others several.

    Use it only in a thread without a running event loop.
    """

    def __init__(
        self,
        settings: Settings,
        recorded: RetracedSteps,
        *,
        repeats: int = 1,
        budget: CommonBudget | None = None,
        whole: bool = False,
        say: Say = ignore,
    ) -> None:
        """`recorded` are the steps of the run; `budget` is that of all fresh answers of a model, which runs by the
        rules do not need. `whole`: a model answers everything afresh, and not only the question that decides the act.
        """
        self._settings, self._recorded, self._run = settings, recorded, recorded.run
        self._repeats, self._budget, self._whole, self._say = repeats, budget, whole, say
        self._afresh: dict[tuple[Removal, int, QuestionKey | None], list[OtherRun]] = {}
        """Repeated runs by what they are without, their last step, and what alone is asked afresh."""

    def test(self, chain: Chain, claim: Claim, *, alone: bool = True) -> Verdict:
        """Return the verdict on one claim about an act; `alone`: also whether it is enough by itself."""
        act, cause = chain.act, claim.cause
        if claim.removal is None:
            return undecidable(act, cause, "there is no way to make a run without it")
        if claim.removal.step > act.step:
            return undecidable(act, cause, TOO_LATE)
        try:
            if self._budget:
                return (self._by_repeats if self._whole else self._by_question)(act, claim, claim.removal)
            without, instead = self._without(act, claim.removal)
        except ReverieError as fault:
            return undecidable(act, cause, str(fault))
        return by_outcome(act, cause, without, instead=instead, alone=self._alone(chain, claim) if alone else None)

    def _alone(self, chain: Chain, claim: Claim) -> Became | None:
        """Return what becomes of an act without all other named causes; None if there are none, or no such run."""
        others = without_others(claims_of(chain), claim)
        try:
            return self._without(chain.act, others)[0] if others else None
        except ReverieError:
            return None

    def _by_repeats(self, act: Act, claim: Claim, removal: Removal) -> Verdict:
        with_it = self._repeated(act, Removal(removal.step), "with all of it")
        without = self._repeated(act, removal, f"without: {claim.cause.words}")
        return self._by_rates(act, claim, with_it, without)

    def _by_question(self, act: Act, claim: Claim, removal: Removal) -> Verdict:
        """Return the verdict of repeated runs in which only the deciding question is asked afresh. Where it does not
        come without the cause, nothing needs to be asked.
        """
        asked = list(self._recorded.asked(range(removal.step, act.step + 1)).values())
        holding = _Holding(asked, deciding_question(asked, act))
        without = self._repeated(act, removal, f"without: {claim.cause.words}", holding=holding)
        about = explained(act, claim.cause, self._run.meta.persona_names)
        if holding.deciding is None and not removal.entries and any(way.came(act, about) for way in without):
            return undecidable(act, claim.cause, UNKNOWN)
        if not any(way.fresh for way in without):
            fate, instead = became(act, without[0].of[act.who])
            return unasked(act, claim.cause, fate, instead=instead)
        since = holding.deciding.step if holding.deciding else act.step
        with_it = self._repeated(act, Removal(since), "with all of it", holding=holding)
        return self._by_rates(act, claim, with_it, without)

    def _by_rates(
        self, act: Act, claim: Claim, with_it: Sequence[OtherRun], without: Sequence[OtherRun]
    ) -> Verdict:  # fmt: skip
        """Return the verdict of repeated runs with a cause and without it."""
        about = explained(act, claim.cause, self._run.meta.persona_names)
        rates = [Rate(sum(way.came(act, about) for way in ways), len(ways)) for ways in (with_it, without)]
        return by_rates(act, claim.cause, *rates, instead=_instead(act, without))

    def _repeated(
        self, act: Act, removal: Removal, told: str, *, holding: _Holding | None = None
    ) -> list[OtherRun]:  # fmt: skip
        """Return repeated runs up to the step of an act, with fresh answers."""
        ways = self._afresh.setdefault((removal, act.step, holding.deciding if holding else None), [])
        until = act.step + 1
        if len(ways) < self._repeats:
            with branching_point(self._settings, self._run.folder.root, removal.step, until=until) as point:
                while len(ways) < self._repeats:
                    self._say(f"Run {len(ways) + 1} of {self._repeats} {told}")
                    way = asyncio.run(self._with_model(point, removal, until, number=len(ways), holding=holding))
                    # without a question, all are alike
                    ways += [way] if way.fresh else [way] * (self._repeats - len(ways))
        return ways

    def _without(self, act: Act, removal: Removal) -> tuple[Became, str]:
        """Return what becomes of an act without something, with the chance of the recorded run. Raises BadMoment."""
        until = min(act.step + AFTER + 1, self._run.meta.step)
        noted = self._recorded.asked(range(removal.step, until))

        async def by_rules(point: BranchingPoint) -> OtherRun:
            async with point.way() as simulation:
                models = simulation.models
                simulation.models = replace(models, chat=SameDraws(models.seed, noted))
                return await self._lived(simulation, removal, until)

        with branching_point(self._settings, self._run.folder.root, removal.step, until=until) as point:
            return became(act, asyncio.run(by_rules(point)).of[act.who])

    async def _with_model(
        self, point: BranchingPoint, removal: Removal, until: int, *, number: int, holding: _Holding | None
    ) -> OtherRun:
        """Return the `number`th run without something, with answers of a model: to everything, or to what is not held.
        Raises a ReverieError.
        """
        async with point.way() as simulation:
            if self._budget is None:
                raise ValueError("Fresh answers need a budget.")
            model = await answer_afresh(self._settings, simulation, number, budget=self._budget)
            if holding:
                models = simulation.models
                held = HeldAnswers(models.chat, holding.asked, deciding=holding.deciding, seed=models.seed)
                simulation.models = replace(models, chat=held)
            lived = await self._lived(simulation, removal, until)
            return replace(lived, fresh=model.asked)

    async def _lived(self, simulation: Simulation, removal: Removal, until: int) -> OtherRun:
        """Run until a step, without something, and return what everyone lived. Raises BadMoment and ModelError."""
        known = {name: len(persona.mind.stream) for name, persona in simulation.town.personas.items()}
        self._leave_out_rows(simulation, removal)
        await simulation.apply_due()
        _take_away(simulation, removal)
        return await self._watched(simulation, until, known)

    async def _watched(self, simulation: Simulation, until: int, known: dict[str, int]) -> OtherRun:
        """Run until a step, and return what everyone lived; `known` is how many memories each has before. Raises
        ModelError if a call fails.
        """
        found = OtherRun()
        while simulation.clock.step < until:
            report = await simulation.advance()
            if report.failures:  # what they would do instead is not an answer
                raise next(iter(report.failures.values()))
            for talk in report.talks.values():
                for turn, (speaker, words) in enumerate(talk.transcript):
                    found.of[speaker].said.append((report.step, turn, words))
            for name, persona in simulation.town.personas.items():
                lived, stream = found.of[name], persona.mind.stream
                if persona.scratch.action:
                    lived.doings[report.step] = persona.scratch.action.description
                new = [stream[number] for number in range(known.get(name, 0) + 1, len(stream) + 1)]
                known[name] = len(stream)
                lived.thought += [(report.step, node.description) for node in new if node.kind == "thought"]
        await simulation.settle()  # which questions are counted does not depend on when they are answered
        return found

    def _leave_out_rows(self, simulation: Simulation, removal: Removal) -> None:
        numbers = set(removal.rows)
        simulation.intake.leave_out({str(row["id"]) for row in self._run.rows if row["n"] in numbers})


def _instead(act: Act, ways: Sequence[OtherRun]) -> str:
    """Return what first came in the place of an act in repeated runs; empty if it always came, or nothing did."""
    found = (became(act, way.of[act.who])[1] for way in ways)
    return next(filter(None, found), "")


def _take_away(simulation: Simulation, removal: Removal) -> None:
    """Take what is known, planned, said or met away before the next step. Raises BadMoment if it is not there."""
    town = simulation.town
    for who, node in removal.memories:
        stream = town.personas[who].mind.stream
        if int(node.removeprefix("node_")) > len(stream):
            raise BadMoment(f"{who} has no {node} yet before step {removal.step:,}.")
        stream.drop(stream[node])
    for who, name, sentence in removal.sentences:
        mind = town.personas[who].mind
        mind.scratch.identity = _without_sentence(mind.scratch, name, sentence)
        mind.facts.own = ()  # they are noted anew
    for who, what in removal.entries:
        now = simulation.clock.now
        _leave_out(town.personas[who].scratch, what, now.hour * 60 + now.minute)
    for one, other in removal.meetings:
        town.obey(town.rules.with_cut(one, other, on=True))
    if removal.lines:
        models = simulation.models
        simulation.models = replace(models, chat=WithoutLines(models.chat, removal.lines))


def _without_sentence(scratch: Scratch, name: str, sentence: str) -> Identity:
    """Return a character without a sentence. Raises BadMoment."""
    text = " ".join(str(getattr(scratch.identity, name) or "").split())
    left = " ".join(text.replace(" ".join(sentence.split()), "").split())
    if left == text:
        raise BadMoment(f"{scratch.name} has no such sentence in '{name}' then.")
    left = left or ("" if name == "daily_plan_req" else NEUTRAL.format(name=scratch.name))
    changed: dict[str, Any] = {name: left}
    return replace(scratch.identity, **changed)


def _leave_out(scratch: Scratch, what: str, minute: int) -> None:
    """Take an entry out of the plan from a minute of the day on: what follows begins earlier."""
    scratch.hourly_schedule = _shorter(scratch.hourly_schedule, what, minute)
    scratch.schedule = _shorter(scratch.schedule, what, minute)


def _shorter(schedule: Schedule, what: str, minute: int) -> Schedule:
    slots = [slot for slot in Schedule.whole_day(schedule.activities).slots() if slot.end > minute]
    block = _block(slots, what)
    if block is None:
        raise BadMoment(f"The plan has no '{what}' then.")
    start, end = max(block[0], minute), block[1]
    later = next((slot.activity for slot in slots if slot.start >= end), None)
    before = list(schedule.between(0, start))
    other = later or (before[-1] if before else Activity("sleeping", end - start))
    return schedule.with_window(start, end, [Activity(other.of or other.what, end - start)])


def _block(slots: Sequence[Slot], what: str) -> tuple[int, int] | None:
    """Return start and end of the next stretch of an entry with its subtasks."""
    found: tuple[int, int] | None = None
    for slot in slots:
        if (slot.activity.of or slot.activity.what) == what:
            found = (found[0] if found else slot.start, slot.end)
        elif found:
            break
    return found
