"""Interviews at a terminal: questions line by line, which the personas do not remember."""

from collections.abc import AsyncIterator, Iterator, Sequence

from ville.errors import BadArgument
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.plain_text import one_line, quantity, shortened
from ville.prompt.arguments import Meeting
from ville.simulation.running.progress import day_and_time
from ville.simulation.talks.interviews import DISCLAIMER, Interviews
from ville.simulation.user_texts import checked_line, checked_role
from ville.terminal.line_reader import ReadLine
from ville.terminal.terminal import Terminal

INPUT = "Enter Input: "
END = "end_convo"
SHOWN = 5
"""Retrieved memories that are shown with an answer, at most."""
EXCERPT = 100
"""Characters of a memory."""
HOW_TO_END = f"Type '{END}' or an empty line to end it."


async def hold_interview(interviews: Interviews, meeting: Meeting, terminal: Terminal, ask: ReadLine) -> None:
    """Ask a persona what the user types, until an empty line, and show its answers with what was retrieved for them."""
    name, role = meeting.name, meeting.role
    role = checked_role(role, name, list(interviews.town.personas)) if role else ""
    who = f"Interview with {name}" + (f" as {role}" if role else "")
    terminal.say(f"{who}. {name} will not remember it. {HOW_TO_END}")
    transcript: tuple[tuple[str, str], ...] = ()
    async for line in said_lines(interviews, name, terminal, ask=ask):
        reply = await interviews.ask(name, line, role=role, history=transcript)
        transcript = reply.transcript
        terminal.say(spoken(name, reply.text))
        terminal.say(*map(terminal.fitted, _memory_table(reply.memories, by_rules=reply.by_rules)))


def spoken(name: str, said: str) -> str:
    """Return a line that says what a persona answers."""
    return f"{name}: {said}" if said else f"{name} says nothing."


async def said_lines(interviews: Interviews, name: str, terminal: Terminal, *, ask: ReadLine) -> AsyncIterator[str]:
    """Yield what the user says to a persona, until an empty line; refuse what cannot be said."""
    while line := await dialogue_line(ask):
        try:
            line = checked_line(line)
        except BadArgument as fault:
            terminal.say(str(fault))
            continue
        if await interviews.treats_as_human(name, line):
            terminal.say(DISCLAIMER)
            continue
        yield line


async def dialogue_line(ask: ReadLine) -> str:
    """Return a line of input; empty if there is no more, or if the user ends the dialogue."""
    try:
        line = await typed_line(ask, INPUT)
    except (EOFError, KeyboardInterrupt):
        return ""
    return "" if line == END else line


async def typed_line(ask: ReadLine, prompt: str) -> str:
    """Return a line of input. Raises EOFError and KeyboardInterrupt."""
    return one_line(await ask(prompt, lambda _: [END])).strip()


def _memory_table(memories: Sequence[RetrievedMemory], *, by_rules: bool) -> list[str]:
    """Return who answered, and a line for each of the memories with the highest scores: id, scores, date, text."""
    best = sorted(memories, key=lambda memory: -memory.score)[:SHOWN]
    answered = "answered by rules" if by_rules else ""
    if not best:
        return [f"  {answered}"] if by_rules else []
    retrieved = f"retrieved {quantity(len(memories), 'memory', 'memories')}"
    heading = "; ".join(filter(None, (answered, retrieved, "best by recency, relevance, importance and their sum:")))
    return [f"  {heading}", *_rows(best)]


def _rows(best: Sequence[RetrievedMemory]) -> Iterator[str]:
    width = max(len(each.node.node_id) for each in best)
    for each in best:
        scores = f"{each.recency:.2f} {each.relevance:.2f} {each.importance:.2f} {each.score:5.2f}"
        when, what = day_and_time(each.node.created), shortened(each.node.description, EXCERPT)
        yield f"  {each.node.node_id:{width}} {scores}  {when}  {what}"
