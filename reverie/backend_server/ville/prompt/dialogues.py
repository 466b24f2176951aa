"""Commands at the prompt that ask for more: interviews, talks, whispers, interventions; and histories, whispered."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from ville.prompt.intervention_dialogue import read_intervention
from ville.prompt.interview_dialogue import HOW_TO_END, dialogue_line, hold_interview, said_lines, spoken, typed_line
from ville.prompt.parse import Meeting
from ville.prompt.rule import read_rule
from ville.prompt.syntax import Verb
from ville.simulation.interventions import whispers as talk
from ville.simulation.simulation import Simulation
from ville.simulation.talks.interviews import Interviews
from ville.simulation.talks.user_talk import UserTalk
from ville.simulation.user_texts import VISITOR
from ville.storage.history import SEPARATOR
from ville.terminal.line_reader import ReadLine
from ville.terminal.terminal import Terminal

NOT_DONE = "Nothing was changed."


class Dialogues:
    """Conversations of a user with the personas of a simulation, and changes in their town."""

    def __init__(self, simulation: Simulation, terminal: Terminal, *, ask: ReadLine, assets: Path) -> None:
        self._simulation = simulation
        self._terminal = terminal
        self._ask = ask
        self._assets = assets

    async def analyse(self, meeting: Meeting, of_past: Interviews | None = None) -> None:
        """Interview a persona until an empty line, as it is now, or was."""
        await hold_interview(of_past or self._simulation.interviews, meeting, self._terminal, self._ask)

    async def talk(self, meeting: Meeting) -> None:
        """Talk with a persona until an empty line, or until it ends the conversation."""
        name, role = meeting.name, meeting.role
        conversation = UserTalk(self._simulation, name, role or VISITOR)
        who = f"Talk with {name} as {conversation.role}"
        self._terminal.say(f"{who}. {name} will remember it. {HOW_TO_END}")
        async for line in said_lines(self._simulation.interviews, name, self._terminal, ask=self._ask):
            self._terminal.say(spoken(name, await conversation.say(line)))
            if conversation.over:
                self._terminal.say(f"{name} ends the conversation.")
                break
        self._terminal.say(*filter(None, [await conversation.end(talk.PROMPT)]))

    async def whisper(self, name: str) -> None:
        self._terminal.say(f"Type a thought for {name}. Separate several thoughts with '{SEPARATOR}'.")
        if line := await dialogue_line(self._ask):
            self._terminal.say(await talk.whisper(self._simulation, name, line.split(SEPARATOR)))

    async def intervene(self, typed: str) -> None:
        """Change something from outside, given as JSON or field by field."""
        try:
            intervention = await read_intervention(typed, self._typed)
        except (EOFError, KeyboardInterrupt):
            self._terminal.say("", NOT_DONE)
            return
        self._terminal.say(*await self._simulation.intervene(intervention, source=talk.PROMPT))

    async def rule(self, typed: str) -> None:
        """Begin or end a rule of a counterfactual."""
        self._terminal.say(*await self._simulation.intervene(read_rule(typed), source=talk.PROMPT))

    async def load_history(self, file: str) -> None:
        self._terminal.say(await talk.load_history(self._simulation, self._assets / file))

    async def _typed(self, prompt: str) -> str:
        """Return a line of input. Raises EOFError and KeyboardInterrupt."""
        return await typed_line(self._ask, prompt)


DIALOGUES: Mapping[Verb, Callable[[Dialogues, Any], Awaitable[None]]] = {
    Verb.ANALYSIS: Dialogues.analyse,
    Verb.TALK: Dialogues.talk,
    Verb.WHISPER: Dialogues.whisper,
    Verb.INTERVENE: Dialogues.intervene,
    Verb.RULE: Dialogues.rule,
    Verb.LOAD_HISTORY: Dialogues.load_history,
}
"""Function that carries out each command, given its argument."""
