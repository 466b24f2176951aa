"""One step of the town: place personas, let them think, pair up those that want to talk, commit the moves."""

from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn

from ville.errors import ModelError, ReverieError, UnusableModel
from ville.llm.accounting.ledger import Spend
from ville.llm.gateway import Models
from ville.persona.cognitive_modules.conversing.converse import ConversationResult, converse, start_conversation
from ville.persona.cognitive_modules.conversing.open_talk import (
    OpenTalk,
    Part,
    answer,
    approach,
    close_talk,
    part_of,
    show_talk,
)
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import Moment, gather_all
from ville.persona.cognitive_modules.reflect import begin_afterthoughts
from ville.persona.cognitive_modules.view import Intent, Talk, TownView
from ville.persona.persona import Persona
from ville.persona.prompt_template.ask import Caller, Tally
from ville.persona.prompt_template.reworded import reworded_chat
from ville.simulation.services import RunServices
from ville.simulation.stepping.arrive import arrive
from ville.simulation.stepping.pins import recorded_intents
from ville.simulation.stepping.stage import Positions
from ville.simulation.town import Town
from ville.storage.steps.step_files import MoveRecord
from ville.world.occurrences import EndedState


def commit(town: Town, intents: Mapping[str, Intent]) -> dict[str, MoveRecord]:
    """Return the move of each persona and visitor, and advance the clock by one step. Who has no intent rests."""
    moves = {name: move_of(town.personas[name], intent) for name, intent in intents.items()}
    town.newcomers.clear()
    town.tiles |= {name: intent.next_tile for name, intent in intents.items()}
    if moves:
        town.moves = {name: moves.get(name) or town.moves[name] for name in town.personas}
        resting = town.asleep.difference(intents).intersection(town.personas)
        town.asleep = resting.union(name for name, intent in intents.items() if intent.asleep)
    visitors = town.visitors.move(town.maze)
    town.clock = town.clock.ticked()
    return town.moves | visitors if visitors else town.moves


def move_of(persona: Persona, intent: Intent) -> MoveRecord:
    """Return what a persona shows in a step."""
    talk = persona.conversation
    return intent.move._replace(chat=talk.transcript) if talk else intent.move


Pair = tuple[str, str]
"""The persona that starts the conversation, and the one it approaches."""


def pair_up(intents: Iterable[Intent], free: Collection[str]) -> list[Pair]:
    """Return the conversations that start in this step, in the order of the intents; no name occurs twice.

    `free` are the personas that can be approached, now that all have thought.
    """
    left = set(free)
    pairs: list[Pair] = []
    for intent in intents:
        if isinstance(intent.reaction, Talk):
            pair = (intent.name, intent.reaction.to)
            if len(set(pair)) == len(pair) and left.issuperset(pair):
                left.difference_update(pair)
                pairs.append(pair)
    return pairs


def moment_of(
    persona: Persona, view: TownView, tally: Tally, *, models: Models, attempts: Callable[[str], int]
) -> Moment:  # fmt: skip
    """Return the step context of one persona, with its own caller; `attempts` is that of the breaker."""
    caller = Caller(
        reworded_chat(models.chat, persona.mind.settings.reworded, view.names),
        persona.name,
        view.step,
        seed=models.seed,
        tally=tally,
        attempts=attempts,
        model=view.rules.model_of(persona.name),
        language=models.language,
        wording=persona.mind.settings.questions,
    )
    return Moment(view=view, caller=caller, embedder=models.embedder)


@dataclass
class StepReport:
    """Report of one step."""

    step: int
    now: datetime
    """Game time of the step."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """Counts of questions and answers, by persona; only personas that thought in this step."""
    interventions: tuple[str, ...] = ()
    """Effects of interventions before this step, one line each."""
    talks: dict[Pair, ConversationResult] = field(default_factory=dict)
    """Conversations that started in this step."""
    said: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Words of personas to visitors, by persona: visitor and words."""
    ended: tuple[EndedState, ...] = ()
    """States of objects that ended before this step."""
    failures: dict[str, ModelError] = field(default_factory=dict)
    """Failed calls, by persona; these personas continue their current action."""
    moves: Mapping[str, MoveRecord] = field(default_factory=dict)
    asleep: frozenset[str] = frozenset()
    """Personas that were asleep in this step."""
    spend: Spend | None = None
    """Calls, tokens and cost of the simulation so far; None without a ledger."""
    unusable: int = 0
    """Unusable answers since the simulation was opened."""
    fallbacks: int = 0
    """Questions that ended in a fallback since the simulation was opened."""
    fatal: UnusableModel | None = None
    """Error that ends the run because too few answers are usable."""


async def advance(town: Town, models: Models, positions: Positions, *, services: RunServices) -> StepReport:
    """Compute one step: personas think concurrently on the same view; pairs and moves are settled in roster order."""
    report = StepReport(town.clock.step, town.clock.now)
    services.begin_step(report.step)
    town.visitors.begin_step(report.step, town.paths, town.clock.seconds_per_step)
    town.obey(town.rules.at_step(report.step))
    arrive(town, positions)
    report.ended, town.ended = tuple(town.ended), []
    view = town.view(town.shown_people)
    context = StepContext(models, services, town.personas, view=view, report=report)
    intents = await think_all(town, context, recorded_intents(town, services.storage))
    town.forget_left_talks()
    wishes = [intent for intent in intents.values() if isinstance(intent.reaction, Talk)]
    free = free_to_talk(town.personas, wishes, report) | town.visitors.free if wishes else set()
    pairs = pair_up(wishes, free)
    talks = _talks(town, context, pairs)
    if talks:
        await gather_all(talks)
        report.talks = {pair: report.talks[pair] for pair in pairs if pair in report.talks}
        report.said = {name: report.said[name] for name in town.personas if name in report.said}
        begun = [name for pair in pairs if pair in report.talks or pair[0] in town.visitors.talks for name in pair]
        intents |= {name: town.personas[name].carry_on(view) for name in begun if name in town.personas}
    if report.tallies:
        town.learn(name for name in town.personas if name in report.tallies)
    report.moves = commit(town, intents)
    report.asleep = town.asleep
    close(report, services)
    return report


def close(report: StepReport, services: RunServices) -> None:
    """Count the answers of a step that is over; steps are closed in order."""
    report.spend = services.spend
    services.record_fallbacks(report.step, {name: tally.fallbacks for name, tally in report.tallies.items()})
    report.fatal = services.breaker.count(report.tallies.values())
    report.unusable, report.fallbacks = services.breaker.unusable, services.breaker.fallbacks


def free_to_talk(personas: Mapping[str, Persona], wishes: Iterable[Intent], report: StepReport) -> set[str]:
    """Return which of these can be approached; those who have talked much are left alone, which is noted."""
    wanted = {intent.reaction.to for intent in wishes if isinstance(intent.reaction, Talk)}
    concerned = personas.keys() & (wanted | {intent.name for intent in wishes})
    free = {name for name in concerned if personas[name].available_to_talk}
    left_alone = {name for name in wanted & free if personas[name].is_talked_out(report.now)}
    for name in left_alone:
        report.tallies.setdefault(name, Tally()).braked.append("talk")
    return free - left_alone


class StepContext:
    """Creates the `Moment` of each persona that thinks, and records answers and failures in the report."""

    def __init__(
        self,
        models: Models,
        services: RunServices,
        personas: Mapping[str, Persona],
        *,
        view: TownView,
        report: StepReport,
        attempts: Callable[[str], int] | None = None,
    ) -> None:
        """`attempts`: how often a model may be asked in this step; None: what the breaker says now."""
        self._models, self._personas = models, personas
        self._attempts = attempts or services.breaker.attempts
        self.services = services
        self.view = view
        self.report = report

    def of(self, name: str) -> Moment:
        tally = self.report.tallies.setdefault(name, Tally())
        persona = self._personas[name]
        return moment_of(persona, self.view, tally, models=self._models, attempts=self._attempts)

    def fail(self, names: Sequence[str], fault: ModelError) -> None:
        """Record a failed call under the first name, and drop the verdicts on answers of all names.

        Which of their other questions were answered before the failure depends on timing, so counting them would make
        runs differ.
        """
        self.report.failures[names[0]] = fault
        for name in names:
            self.report.tallies[name].judged.clear()

    @contextmanager
    def calling(self, *names: str) -> Iterator[None]:
        """List personas as thinking for the duration of the context; a failed call ends it and is recorded."""
        try:
            with naming_in_errors(*names), self.services.in_flight(*names):
                yield
        except ModelError as fault:
            self.fail(names, fault)


async def think_all(town: Town, context: StepContext, recorded: Mapping[str, Intent]) -> dict[str, Intent]:
    """Return what everybody intends to do who does not rest: a pinned one as recorded. Most carry on without a call to
    a model.
    """
    intents, view = dict(recorded), context.view
    thinking: list[Persona] = []
    town.resting.wake_due(town.personas, view.maze, view.now)
    for persona in town.resting.awake(town.personas):
        name = persona.name
        if name in recorded:
            continue
        try:
            intent = persona.routine_step(view)
        except ReverieError as fault:
            raise_named(fault, name)
        if intent is None:
            thinking.append(persona)
        else:
            intents[name] = intent
            town.resting.add(persona, view)
    town.resting.passed(view.step, view.now)
    if thinking:
        thoughts = await gather_all(think_guarded(persona, context) for persona in thinking)
        intents |= {intent.name: intent for intent in thoughts}
    return {name: intents[name] for name in town.personas if name in intents} if thinking or recorded else intents


async def think_guarded(persona: Persona, context: StepContext) -> Intent:
    """Return the intent of one persona; if a call fails, it continues its current action."""
    moment = context.of(persona.name)
    with naming_in_errors(persona.name):
        try:
            with context.services.in_flight(persona.name):
                return await persona.think(moment.view, moment.caller, moment.embedder)
        except ModelError as fault:
            context.fail((persona.name,), fault)
            return persona.carry_on(moment.view)


async def meet(town: Town, context: StepContext, pair: Pair) -> None:
    """Let two personas talk and adapt their plans. If a call fails, no conversation takes place."""
    first, second = ((town.personas[name].mind, context.of(name)) for name in pair)
    own = first[0].modules.converse
    with context.calling(*pair):
        for side in (first, second) if own else ():
            await conclude(*side, "talk")
        conversed = await (own or converse)(first, second)
        if conversed is not None:
            await start_conversation(first, second, conversed)
            for side in (first, second):
                begin_afterthoughts(*side)
            context.report.talks[pair] = conversed


def _talks(town: Town, context: StepContext, pairs: Sequence[Pair]) -> list[Coroutine[object, None, None]]:
    """Return what is said in this step: conversations that begin, and turns of those with visitors."""
    begun = [_approach(town, context, *pair) if pair[1] in town.visitors.present else meet(town, context, pair)
             for pair in pairs]  # fmt: skip
    going_on = [talk for name, talk in town.visitors.talks.items() if name in town.personas]
    parts = ((talk, part_of(town.personas[talk.persona].scratch, talk, context.view)) for talk in going_on)
    return [*begun, *(_take_turn(town, context, talk, part) for talk, part in parts if part != "wait")]


async def _approach(town: Town, context: StepContext, name: str, visitor: str) -> None:
    """Let a persona begin a conversation with a visitor. If a call fails, none takes place."""
    mind, moment = town.personas[name].mind, context.of(name)
    with context.calling(name):
        await conclude(mind, moment, "talk")
        talk = await approach(mind, moment, visitor)
        if talk:
            await _keep(town, context, talk, moment)


async def _take_turn(town: Town, context: StepContext, talk: OpenTalk, part: Part) -> None:
    """Let a persona speak to a visitor, or end the conversation. If a call fails, the next step tries again."""
    mind, moment = town.personas[talk.persona].mind, context.of(talk.persona)
    with context.calling(talk.persona):
        if part == "end":
            talk = talk.ending()
        else:
            await conclude(mind, moment, "talk")
            talk = await answer(mind, moment, talk, nudges=part == "nudge")
        await _keep(town, context, talk, moment)


async def _keep(town: Town, context: StepContext, talk: OpenTalk, moment: Moment) -> None:
    """Show a conversation after the persona's part in it, and close it if it is over. Raises a ModelError."""
    mind, before = town.personas[talk.persona].mind, town.visitors.talks.get(talk.persona)
    said = talk.words_since(before)
    if said:
        context.report.said[talk.persona] = (talk.visitor, said)
    town.visitors.note_answer(talk, said)
    show_talk(mind.scratch, talk, context.view.seconds_per_step)
    if talk.state == "ending":
        await close_talk(mind, moment, talk)
        town.visitors.close(talk)


@contextmanager
def naming_in_errors(*names: str) -> Iterator[None]:
    """Prefix errors that end the run with the names of the personas concerned."""
    try:
        yield
    except ModelError:
        raise
    except ReverieError as fault:
        raise_named(fault, *names)


def raise_named(fault: ReverieError, *names: str) -> NoReturn:
    """Raise an error that names the personas concerned first."""
    if str(fault).startswith(names):
        raise fault
    raise type(fault)(f"{' and '.join(names)}: {fault}") from fault
