"""Commands at the prompt that ask for more: interviews, talks, whispers, interventions; and histories, whispered."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping

from ville.errors import BadIntervention
from ville.prompt.arguments import Meeting
from ville.prompt.interview_dialogue import HOW_TO_END, dialogue_line, hold_interview, said_lines, spoken, typed_line
from ville.prompt.user_session import UserSession
from ville.simulation.interventions.catalogue import kinds, parse_intervention
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import shown_default
from ville.simulation.interventions.kinds.rule import RULE_FIELDS
from ville.simulation.talks import whispers
from ville.simulation.talks.open_user_talk import UserTalk
from ville.simulation.user_texts import VISITOR
from ville.storage.history_file import SEPARATOR

NOT_DONE = "Nothing was changed."


async def interview(session: UserSession, meeting: Meeting, at: str | None) -> None:
    """Interview a persona until an empty line, as it is now, or was."""
    of_past = None if at is None else await session.past.interviews(at, meeting.name)
    await hold_interview(of_past or session.simulation.interviews, meeting, session.terminal, session.ask)


async def talk(session: UserSession, meeting: Meeting) -> None:
    """Talk with a persona until an empty line, or until it ends the conversation."""
    terminal, simulation, name = session.terminal, session.simulation, meeting.name
    conversation = UserTalk(simulation, name, meeting.role or VISITOR)
    who = f"Talk with {name} as {conversation.role}"
    terminal.say(f"{who}. {name} will remember it. {HOW_TO_END}")
    async for line in said_lines(simulation.interviews, name, terminal, ask=session.ask):
        terminal.say(spoken(name, await conversation.say(line)))
        if conversation.over:
            terminal.say(f"{name} ends the conversation.")
            break
    terminal.say(*filter(None, [await conversation.end(whispers.PROMPT)]))


async def whisper(session: UserSession, name: str) -> None:
    session.terminal.say(f"Type a thought for {name}. Separate several thoughts with '{SEPARATOR}'.")
    if line := await dialogue_line(session.ask):
        session.terminal.say(await whispers.whisper(session.simulation, name, line.split(SEPARATOR)))


async def intervene(session: UserSession, typed: str) -> None:
    """Change something from outside, given as JSON or field by field."""
    try:
        intervention = await read_intervention(typed, lambda prompt: typed_line(session.ask, prompt))
    except (EOFError, KeyboardInterrupt):
        session.terminal.say("", NOT_DONE)
        return
    session.terminal.say(*await session.simulation.intervene(intervention, source=whispers.PROMPT))


async def rule(session: UserSession, typed: str) -> None:
    """Begin or end a rule of a counterfactual."""
    session.terminal.say(*await session.simulation.intervene(read_rule(typed), source=whispers.PROMPT))


async def load_history(session: UserSession, file: str) -> None:
    session.terminal.say(await whispers.load_history(session.simulation, session.settings.assets / file))


Ask = Callable[[str], Awaitable[str]]
"""Reads a line, given the text of the prompt."""
TRUTH = {"true": True, "yes": True, "false": False, "no": False}
OFF = re.compile(r"(?:^|\s+)off$", re.IGNORECASE)
BETWEEN: Mapping[str, str] = {"cut": r"\s*,\s*|\s+and\s+", "swap": r"\s+to\s+", "pin": r"\s+to\s+"}
"""Separators of the two fields of a rule."""


async def read_intervention(typed: str, ask: Ask) -> Intervention:
    """Return the intervention of a JSON object, or of a kind whose fields are asked for. Raises BadIntervention."""
    if typed.startswith("{"):
        return parse_intervention(_json_object(typed))
    values: dict[str, object] = {"kind": typed}
    for name, field in kinds()[typed].asked.items() if typed in kinds() else ():
        hint = " Needed." if field.is_required() else f" Press Enter for: {shown_default(field)}."
        line = await ask(f"{name} ({(field.description or '').rstrip('.')}).{hint} ")
        if line or field.is_required():
            is_text = "str" in (form := str(field.annotation)) and "tuple" not in form
            values[name] = line if is_text else _read(line)
    return parse_intervention(values)


def read_rule(typed: str) -> Intervention:
    """Return the rule in a text: its name, its fields, and `off` if it ends. Raises BadIntervention."""
    name, _, rest = typed.strip().partition(" ")
    name, on = name.lower(), not OFF.search(rest)
    text = OFF.sub("", rest).strip()
    parts = re.split(BETWEEN[name], text, maxsplit=1) if name in BETWEEN else [text]
    fields = next((each.needed + each.optional for rule, each in RULE_FIELDS.items() if rule == name), ())
    values: dict[str, object] = dict(zip(fields, filter(None, parts), strict=False))
    return parse_intervention({"kind": "rule", "rule": name, "on": on, **values})


def _json_object(text: str) -> dict[str, object]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadIntervention(f"'{text[:40]}' is not a JSON object ({fault}).") from None
    return dict(values)


def _read(line: str) -> object:
    """Return true or false, a whole number, or the two of a tile; any other text as it is, to be checked."""
    if line.lower() in TRUTH:
        return TRUTH[line.lower()]
    if not re.fullmatch(r"[\d\s,()]{1,30}", line):
        return line
    numbers = [int(number) for number in re.findall(r"\d+", line)]
    return numbers[0] if len(numbers) == 1 else numbers
