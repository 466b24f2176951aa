"""Commands at the prompt that ask for more: interviews, talks, whispers, interventions; and histories, whispered."""

from ville.prompt.arguments import Meeting
from ville.prompt.interview_dialogue import HOW_TO_END, dialogue_line, hold_interview, said_lines, spoken, typed_line
from ville.prompt.typed_interventions import read_intervention, read_rule
from ville.prompt.user_session import UserSession
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
