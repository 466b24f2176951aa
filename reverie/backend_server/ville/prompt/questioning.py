"""Questions to the personas of a saved simulation, instead of a run. Nothing changes: each is answered by a copy."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ville.assembly.reading import read_for_interviews
from ville.assembly.run import announcement
from ville.errors import BadArgument
from ville.json_types import JsonObject
from ville.persona.cognitive_modules.conversing.interview import InterviewReply
from ville.persona.cognitive_modules.mind import gather_all
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.prompt.arguments import Meeting
from ville.prompt.interview_dialogue import hold_interview, spoken
from ville.settings import load_settings
from ville.simulation.persona_names import find_persona
from ville.simulation.talks.interviews import Interviews
from ville.simulation.user_texts import checked_line
from ville.storage.dates import time_text
from ville.storage.question_files import AnswerFiles, is_file, read_questions
from ville.terminal.line_reader import line_reader
from ville.terminal.session import run_session
from ville.terminal.terminal import Terminal, returning

FILE_NAME = re.compile(r"\S+\.(txt|csv|md)", re.IGNORECASE)
"""Matches file names, which cannot be questions."""
RUNS = (
    "steps",
    "until",
    "load_history",
    "replay",
    "interventions",
    "listen",
    "estimate",
    "engine",
    "districts",
    "address",
)
"""Flags of runs."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question, and what each persona answered."""

    text: str
    replies: Mapping[str, InterviewReply]

    def block(self) -> str:
        """Return the question and its answers, a line for each persona."""
        answers = "\n".join(spoken(name, reply.text) for name, reply in self.replies.items())
        return f"Question: {self.text}\nAnswer:\n{answers}\n"

    def as_json(self) -> JsonObject:
        answers: list[JsonObject] = [
            {"name": name, "answer": reply.text, "memories": list(map(_memory, reply.memories))}
            for name, reply in self.replies.items()
        ]
        return {"question": self.text, "answers": answers}


def run_questioning(choice: argparse.Namespace, flags: Mapping[str, object], origin: str) -> int:
    """Ask the questions of -q, or hold an interview with the persona of -c; return the exit code."""

    async def session(terminal: Terminal) -> int:
        _check_flags(choice)
        questions = [] if choice.question is None else read_given(choice.question)
        files = AnswerFiles(Path.cwd(), choice.target or origin) if questions else None
        settings = load_settings(flags)
        terminal.say(announcement(settings))
        with returning(terminal) as watch:
            interviews, close = await read_for_interviews(settings, origin, watch=watch)
        try:
            names = list(interviews.town.personas)
            asked = names if choice.call is None else [find_persona(choice.call, names)]
            if files is None:
                ask = line_reader(terminal=terminal, interactive=sys.stdin.isatty() and terminal.live)
                await hold_interview(interviews, Meeting(asked[0]), terminal, ask)
            else:
                answered = await _answers(interviews, asked, questions, terminal)
                _write(files, interviews, answered, origin=origin)
                terminal.say(f"Written: {files.text.name} and, with the memories retrieved, {files.json.name}")
        finally:
            await close()
        return 0

    return run_session(session)


def _check_flags(choice: argparse.Namespace) -> None:
    """Raise BadArgument if a flag asks for a run as well, or for another folder."""
    unset = (None, "", False)
    if {"/", "\\"} & set(choice.target or ""):
        raise BadArgument(
            f"-t names the answers, which are written to the current folder, but '{choice.target}' is a path. Give a "
            "name, in the folder where you want them."
        )
    if given := [flag for flag in RUNS if not any(getattr(choice, flag) is value for value in unset)]:
        raise BadArgument(f"-q and -c ask, and run no steps. Leave out --{given[0].replace('_', '-')}.")


def read_given(text: str) -> list[str]:
    """Return the question that -q gives, or those in the file that it names. Raises BadArgument and CorruptFile."""
    path = Path(text)
    if not is_file(path):
        if FILE_NAME.fullmatch(text):
            raise BadArgument(f"There is no file {text}. Give a question, or a file with one in each line.")
        return [checked_line(text)]
    questions = []
    for number, line in read_questions(path):
        try:
            questions.append(checked_line(line))
        except BadArgument as fault:
            raise BadArgument(f"{path}:{number}: {fault}") from None
    return questions


async def _answers(
    interviews: Interviews, names: Sequence[str], questions: Sequence[str], terminal: Terminal
) -> list[AnsweredQuestion]:
    """Ask each question on its own, all personas at the same time, and show the answers. Raises a ModelError."""
    answered = []
    for question in questions:
        replies = await gather_all(interviews.ask(name, question) for name in names)
        answered.append(AnsweredQuestion(question, dict(zip(names, replies, strict=True))))
        terminal.say(answered[-1].block())
    return answered


def _write(files: AnswerFiles, interviews: Interviews, answered: Sequence[AnsweredQuestion], *, origin: str) -> None:
    """Write all answers. Raises CannotWrite."""
    clock = interviews.town.clock
    about = {"simulation": origin, "step": clock.step, "time": time_text(clock.now)}
    about["answered_by"] = interviews.services.models_line
    blocks = "\n".join(each.block() for each in answered)
    files.write(blocks, {**about, "questions": [each.as_json() for each in answered]})


def _memory(memory: RetrievedMemory) -> JsonObject:
    scores = {name: getattr(memory, name) for name in ("score", "recency", "relevance", "importance", "reserved")}
    node = memory.node
    return {"node": node.node_id, "created": time_text(node.created), "description": node.description, **scores}
