"""The tables that follow from memory streams: memories, which of them were used, conversations, commitments."""

from collections.abc import Collection, Iterator
from datetime import datetime

from ville.analysis.comparison.memory_streams import talks_of
from ville.analysis.measures import evidence
from ville.analysis.tables.column import PERSON, TIME, Row, integer, text, time
from ville.analysis.tables.exported_run import ExportedRun, node_id
from ville.analysis.tables.table import Table
from ville.storage.dates import parse_node_time
from ville.storage.files import LARGEST_MEMORIES
from ville.storage.records.memory_files import accessed_file
from ville.storage.shapes import CommitmentShape

EVIDENCE, ACCESSED = "evidence", "last accessed"
"""How a memory was used: a later one rests on it, or it was retrieved, at last then."""
LIST = "; "
"""Between the items of a list in a text."""


def _memories(exported: ExportedRun) -> Iterator[Row]:
    run = exported.run
    for name, nodes in run.memories.items():
        accessed = _accessed(exported, name)
        for node in nodes:
            number, created = node_id(node), parse_node_time(node["created"])
            expires = parse_node_time(node["expiration"]) if node.get("expiration") else None
            triple = (node["subject"], node["predicate"], node["object"])
            words = (node["description"], int(node["poignancy"]), int(node["depth"]), LIST.join(node["keywords"]))
            times = created, expires, accessed.get(number)
            yield name, number, node["type"], run.step_of(node), *times, *triple, *words


def _accessed(exported: ExportedRun, name: str) -> dict[int, datetime]:
    """Return when memories were last retrieved, by their numbers. Of a run until a moment, later times are left out."""
    people, end = exported.whole.folder.people, exported.whole.ends
    found = people.object_if_whole(f"reverie/{accessed_file(name)}", most=LARGEST_MEMORIES) or {}
    times = ((node, parse_node_time(str(when))) for node, when in found.items())
    return {int(node.removeprefix("node_")): when for node, when in times if when <= end}


def _retrievals(exported: ExportedRun) -> Iterator[Row]:
    for name, nodes in exported.run.memories.items():
        numbers = {f"node_{node_id(node)}": node_id(node) for node in nodes}
        for node in nodes:
            sources = evidence(node) if node["type"] != "chat" else []
            used = [numbers[source] for source in sources if source in numbers]
            created = parse_node_time(node["created"])
            yield from ((name, source, EVIDENCE, created, node_id(node)) for source in used)
        accessed = _accessed(exported, name)
        yield from (
            (name, number, ACCESSED, accessed[number], None) for number in numbers.values() if number in accessed
        )


def _conversations(exported: ExportedRun) -> Iterator[Row]:
    for number, talk in enumerate(talks_of(exported.run), 1):
        when = exported.time(talk.step)
        for line, (speaker, words) in enumerate(talk.lines, 1):
            others = LIST.join(name for name in talk.names if name != speaker)
            yield number, line, talk.step, when, speaker, others, words, talk.about


def _commitments(exported: ExportedRun) -> Iterator[Row]:
    for name, commitments in exported.run.commitments.items():
        hidden = exported.hidden_times(name)
        for each in reversed(commitments):
            if exported.private or not _is_private(exported, each, hidden):
                yield _commitment_row(name, each)


def _is_private(exported: ExportedRun, each: CommitmentShape, hidden: Collection[datetime]) -> bool:
    """Return whether a commitment was made in a private conversation, or tells of one."""
    residents = exported.talks.residents
    strangers = any(name not in residents for name in each.people)
    return strangers or parse_node_time(each.made) in hidden or exported.talks.tells(f"{each.what} {each.reason}")


def _commitment_row(name: str, each: CommitmentShape) -> Row:
    ended = parse_node_time(each.ended) if each.ended else None
    when = (each.day or None, each.at or None, each.place or None)
    return name, parse_node_time(each.made), each.what, LIST.join(each.people), *when, each.outcome, ended, each.reason


_TIMES = (
    time("created", "when it was added"),
    time("expires", "when a thought expires, which is not enforced; missing for others"),
    time("accessed", "when it was last retrieved; missing if it never was, or only after the moment of the run"),
)
MEMORIES = Table(
    "memories",
    "A memory of a person, oldest first.",
    (
        PERSON,
        integer("memory", "number of the memory in the stream of its person, from 1"),
        text("type", "event, thought or chat"),
        integer("step", "step in which it was added"),
        *_TIMES,
        text("subject", "of an object its address"),
        text("predicate", "verb of the event or thought"),
        text("object", "of a conversation the other person"),
        text("description", "in words"),
        integer("poignancy", "importance as it was rated, 1 to 10", "points"),
        integer("depth", "0; of a thought one more than the deepest memory on which it rests"),
        text("keywords", f"separated by '{LIST}'"),
    ),
    _memories,
)
RETRIEVALS = Table(
    "retrievals",
    "A use of a memory that files hold. Other retrievals leave no trace in them: they can be computed again.",
    (
        PERSON,
        integer("memory", "number of the memory that was used"),
        text("how", f"'{EVIDENCE}': another memory rests on it; '{ACCESSED}': it was retrieved, at last at this time"),
        time("time", "when that was"),
        integer("by", "number of the memory that rests on it; missing if it was retrieved"),
    ),
    _retrievals,
)
CONVERSATIONS = Table(
    "conversations",
    "A line of a conversation that is remembered.",
    (
        integer("conversation", "number of the conversation in the order of time, from 1"),
        integer("line", "number of the line in it, from 1"),
        integer("step", "step in which the conversation was remembered: when it ended"),
        TIME,
        text("speaker", "full name"),
        text("listener", "full name"),
        text("words", "what was said"),
        text("subject", "what the conversation was about"),
    ),
    _conversations,
)
COMMITMENTS = Table(
    "commitments",
    "An appointment or a promise of a person. Runs that ask the questions of the paper have none.",
    (
        PERSON,
        time("made", "when it was made"),
        text("what", "in words"),
        text("people", f"with whom, separated by '{LIST}'"),
        text("day", "missing for a promise without a day"),
        text("at", "time of day; missing if none was said"),
        text("place", "missing if none was said"),
        text("outcome", "open, kept, broken, called off or refused"),
        time("ended", "when it was no longer open"),
        text("reason", "why it ended as it did"),
    ),
    _commitments,
)
