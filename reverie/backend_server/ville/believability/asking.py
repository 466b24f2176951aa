"""Asks everyone under every condition. The simulation is only read: each condition opens a copy of its minds."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ville.assembly.model_choice import chat_config
from ville.assembly.reading import read_for_interviews
from ville.believability.conditions import ASKED, CONDITIONS, PEOPLE
from ville.believability.plain_style import plain_answer
from ville.believability.question_list import names_for, worded
from ville.errors import BadArgument
from ville.persona.cognitive_modules.mind import gather_all
from ville.persona.persona import Persona
from ville.settings import Settings
from ville.simulation.persona_names import find_persona
from ville.simulation.talks.interviews import Interviews
from ville.simulation.town import Town
from ville.storage.dates import node_time_text, time_text
from ville.storage.evaluations.evaluation_folder import (
    AnswerSet,
    EvaluationFolder,
    EvaluationNote,
    EvaluationQuestion,
    ShownMemory,
    ShownPerson,
)
from ville.storage.evaluations.ranking_sheet import made_sheet, write_sheet

Say = Callable[[str], None]
MOST_SHOWN = 300
"""Memories of a person that raters can read, at most: the most poignant, and of these the latest."""


@dataclass(frozen=True)
class AskingPlan:
    """Questions to ask, and whom. An empty list of people means everyone."""

    run: str
    """Simulation, or a moment of it."""
    questions: Sequence[EvaluationQuestion]
    conditions: Sequence[str] = ASKED
    people: Sequence[str] = ()
    seed: int = 0


async def begin(settings: Settings, folder: EvaluationFolder, plan: AskingPlan) -> EvaluationNote:
    """Write what is asked, and what raters may know of each person; return it, also if it was begun before.

    Raises BadArgument if this folder holds other questions or another moment, and other ReverieErrors.
    """
    interviews, close = await read_for_interviews(settings, plan.run)
    try:
        town = interviews.town
        note = _note(settings, town, plan)
        if folder.is_there:
            _check_same(folder, note)
            return folder.note()
        for name in note.people:
            folder.write_person(_shown(town, town.personas[name], note))
    finally:
        await close()
    folder.write_note(note)
    return note


def _note(settings: Settings, town: Town, plan: AskingPlan) -> EvaluationNote:
    known = list(town.personas)
    config = chat_config(settings)
    return EvaluationNote(
        run=plan.run,
        step=town.clock.step,
        time=time_text(town.clock.now),
        seed=plan.seed,
        conditions=list(plan.conditions),
        people=list(dict.fromkeys(find_persona(name, known) for name in plan.people)) or known,
        answered_by=list(config.models.names) if config else [],
        questions=list(plan.questions),
    )


def _check_same(folder: EvaluationFolder, wanted: EvaluationNote) -> None:
    before = folder.note()
    for what in ("run", "step", "seed", "conditions", "people", "answered_by", "questions"):
        if getattr(before, what) != getattr(wanted, what):
            raise BadArgument(
                f"The evaluation {folder.name} was begun with another {what.replace('_', ' ')}. Give it as before, or "
                "choose another name with --name."
            )


def _shown(town: Town, persona: Persona, note: EvaluationNote) -> ShownPerson:
    """Return what raters learn of a person, from all memories, whatever the conditions."""
    stream, identity = persona.mind.stream, persona.scratch.identity
    names = names_for(persona.name, list(town.personas), stream, note.seed)
    names["town"] = identity.living_area.split(":")[0]
    told = [node for node in stream if not node.description.endswith(" is idle")]
    weighty = sorted(told, key=lambda node: (node.kind == "event", -node.poignancy, -node.number))[:MOST_SHOWN]
    memories = [
        ShownMemory(time=node_time_text(node.created), kind=node.kind, text=node.description)
        for node in sorted(weighty, key=lambda node: node.number)
    ]
    about = identity.text(town.clock.now.date()).splitlines()
    questions = {question.key: worded(question, names) for question in note.questions}
    return ShownPerson(name=persona.name, about=about, memories=memories, questions=questions)


def missing(folder: EvaluationFolder, note: EvaluationNote) -> Iterator[tuple[str, str]]:
    """Yield the conditions and people that have not answered yet. Raises CorruptFile."""
    for condition in note.conditions:
        yield from ((condition, name) for name in note.people if folder.answers(condition, name) is None)


async def ask_all(settings: Settings, folder: EvaluationFolder, note: EvaluationNote, say: Say) -> None:
    """Ask what is not answered yet, and write the blinded sheet. A killed evaluation goes on where it was.

    Raises a ReverieError, such as one of a model or of the budget: what is answered is kept.
    """
    left = list(missing(folder, note))
    for condition in note.conditions:
        if names := [name for each, name in left if each == condition]:
            await _ask_condition(settings, folder, condition, names)
            say(f"{condition}: {len(names)} of {len(note.people)} people asked")
    make_sheet(folder)


async def _ask_condition(
    settings: Settings, folder: EvaluationFolder, condition: str, names: Collection[str]
) -> None:  # fmt: skip
    masked = replace(settings, masked_memories=CONDITIONS[condition].masked)
    note = folder.note()
    interviews, close = await read_for_interviews(masked, note.run)
    try:
        if interviews.town.clock.step != note.step:
            raise BadArgument(f"{note.run} has gone on since step {note.step}. Ask {note.run}@{note.step} anew.")
        for name in names:
            folder.write_answers(await _ask_person(interviews, folder.person(name), condition))
    finally:
        await close()


async def _ask_person(interviews: Interviews, person: ShownPerson, condition: str) -> AnswerSet:
    """Ask each question on its own, so that none changes the next."""
    replies = await gather_all(interviews.ask(person.name, asked) for asked in person.questions.values())
    answers = {key: reply.text for key, reply in zip(person.questions, replies, strict=True)}
    return AnswerSet(person=person.name, condition=condition, answers=answers)


def make_sheet(folder: EvaluationFolder) -> None:
    """Write the blinded sheet of all answers, and its key. Raises CorruptFile and CannotWrite."""
    note = folder.note()
    asked = {name: folder.person(name).questions for name in note.people}
    answers = {
        condition: {name: _styled(found) for name in note.people if (found := folder.answers(condition, name))}
        for condition in (*note.conditions, PEOPLE)
    }
    write_sheet(folder, *made_sheet(note.seed, asked, {name: given for name, given in answers.items() if given}))


def _styled(found: AnswerSet) -> dict[str, str]:
    return {key: plain_answer(text, found.person) for key, text in found.answers.items()}
