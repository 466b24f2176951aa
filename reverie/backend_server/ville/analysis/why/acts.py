"""Acts of a run: actions, utterances and thoughts, found by what a reader knows of them."""

from collections.abc import Iterator
from dataclasses import replace

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.why.cause import Act
from ville.errors import BadArgument, UnknownPersona
from ville.storage.past.checkpoints import Stem, parse_stem
from ville.storage.past.moments import END, find_moment, step_at

NODE = "node_"
AT_PLACE = " @ "


def node_id(node: NodeData) -> str:
    return f"{NODE}{node['node_count']}"


def person_in(run: ComparedRun, text: str) -> str:
    """Return the full name of a persona, of which a part is enough if only one fits. Raises UnknownPersona."""
    words = text.strip().lower()
    fitting = [name for name in run.people if words and words in name.lower()]
    exact = [name for name in fitting if name.lower() == words]
    whole = [name for name in fitting if f" {words} " in f" {name.lower()} "]
    found = exact or whole or fitting
    if len(found) != 1:
        known = ", ".join(found or run.people)
        raise UnknownPersona(f"'{text}' is not the name of one persona of {run.name}. Choose one: {known}.")
    return found[0]


def action_at(run: ComparedRun, who: str, step: int) -> Act:
    """Return what a persona does in a step. Raises BadArgument if the step is not recorded."""
    record = run.frame(step).get(who)
    if record is None:
        if step >= run.steps:
            raise BadArgument(
                f"{run.name} has no record of {who} in step {step:,}. Its last step is {run.steps - 1:,}."
            )
        last = last_step(run, who)
        raise BadArgument(f"{who} is not in town in step {step:,} of {run.name}. Ask of another one, such as {last:,}.")
    return Act("action", who, step, record["description"].partition(AT_PLACE)[0])


def last_step(run: ComparedRun, who: str) -> int:
    """Return the last step in which a persona remembers anything, also of one that has moved away."""
    return max((min(run.step_of(node), run.steps - 1) for node in run.memories[who]), default=run.steps - 1)


def utterance(run: ComparedRun, who: str, words: str, *, until: int) -> Act:
    """Return the last utterance of a persona up to a step that has some words. Raises BadArgument."""
    low = " ".join(words.lower().split())
    for node in reversed(chats(run, who)):
        said = [act for act in _said(run, who, node) if low in act.words.lower() and act.step <= until]
        if said:
            return said[0] if low == said[0].words.lower() else replace(said[0], part=low)
    raise BadArgument(f"{who} has not said '{words}' by then in {run.name}. Give words of one line, as they were said.")


def thought(run: ComparedRun, who: str, node: str) -> Act:
    """Return a memory of a persona. Raises BadArgument."""
    found = memory(run, who, node)
    if found is None:
        last = len(run.memories[who])
        raise BadArgument(f"{who} has no memory '{node}' in {run.name}. They go from node_1 to node_{last}.")
    return Act("thought", who, run.step_of(found), str(found["description"]), node_id(found))


def memory(run: ComparedRun, who: str, node: object) -> NodeData | None:
    """Return a memory by its id, or None."""
    number = str(node).removeprefix(NODE)
    nodes = run.memories.get(who, [])
    place = int(number) - 1 if number.isdecimal() else -1
    return nodes[place] if 0 <= place < len(nodes) and nodes[place]["node_count"] == place + 1 else None


def chats(run: ComparedRun, who: str) -> list[NodeData]:
    """Return the conversations that a persona remembers, the oldest first."""
    return [node for node in run.memories.get(who, []) if node["type"] == "chat"]


def talk_step(run: ComparedRun, who: str, chat: NodeData) -> int:
    """Return the step in which a conversation began: it is shown since then, and remembered in the next one."""
    lines = [list(line) for line in chat["filling"]]
    noted = run.step_of(chat)
    for step in range(noted, max(run.first, noted - 2) - 1, -1):
        record = run.frame(step).get(who)
        if record is None or [list(line) for line in record["chat"] or ()] != lines:
            return min(noted, step + 1)
    return max(run.first, noted - 2)


def every_act(run: ComparedRun) -> Iterator[Act]:
    """Yield every action, utterance and thought of a run, by persona: each action in the step in which it is first
    shown, each utterance as its speaker remembers it.
    """
    yield from _actions(run)
    for who in run.people:
        for chat in chats(run, who):
            yield from _said(run, who, chat)
        for node in run.memories[who]:
            if node["type"] == "thought":
                yield Act("thought", who, run.step_of(node), str(node["description"]), node_id(node))


def _said(run: ComparedRun, who: str, chat: NodeData) -> Iterator[Act]:
    """Yield what a persona said in a conversation."""
    step, other = talk_step(run, who, chat), str(chat["object"])
    for turn, (speaker, words) in enumerate(chat["filling"]):
        if speaker == who:
            yield Act("utterance", who, step, words, node_id(chat), other, turn)


def _actions(run: ComparedRun) -> Iterator[Act]:
    before: dict[str, str] = {}
    for step in range(run.first, run.steps):
        for who, record in run.frame(step).items():
            doing = record["description"].partition(AT_PLACE)[0]
            if doing and doing != before.get(who) and who in run.people:
                yield Act("action", who, step, doing)
            before[who] = doing


def step_of_moment(run: ComparedRun, at: str | None) -> int:
    """Return the step that is shown at a moment of a saved or compressed run; the last one without a moment.

    Raises BadMoment.
    """
    last = max(run.first, run.steps - 1)
    if at is None or at == END:
        return last
    if run.compressed:
        moment = parse_stem(at) or Stem(step_at(run.name, run.meta, at))
    else:
        moment = find_moment(run.folder.root, at)
    return min(last, moment.step)
