"""How a fact spread in a run: who knew it first and how, who told whom in which words, and who only claims to know it.

The paper asked every agent and looked for a memory that supports the answer (Park et al. 2023, section 7.1.1). Here
what was said and thought in the run is read: everyone who speaks of a fact claims to know it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NewsTopic, NodeData, evidence, mentions, node_id, utterances
from ville.analysis.meetings import talk_pattern
from ville.analysis.news_facts import sentences
from ville.json_types import Json
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.storage.records.commitment_files import own_sentences
from ville.storage.records.intervention_log import Row

How = Literal["own", "whisper", "memory_add", "history", "sight", "told", "concluded", "claimed"]
"""How somebody came to know: by a thought of its own; from outside; by seeing it; in a talk; from other memories, which
put it otherwise; or not at all, so that it only claims to know."""
FROM_OUTSIDE: tuple[How, ...] = ("whisper", "memory_add", "history")


@dataclass(frozen=True)
class Knower:
    """Somebody who claims to know a fact, and how that began."""

    who: str
    step: int
    time: str
    """Game time."""
    how: How
    teller: str
    """Who told it; also the partner of a talk from which it was concluded. Empty if nobody did."""
    words: str
    """The sentence: what was said, whispered or thought."""
    memory: str
    """Id of the memory in which it is."""
    became: str
    """Id of the thought that was kept of that talk and has the fact; empty if there is none, or it was no talk."""
    thought: str
    """Words of that thought."""
    at: tuple[int, int] | None
    """Column and row of the tile on which it stood; None if that is not recorded."""
    supported: int | None
    """First step in which a memory supports what is claimed; None if none ever does."""
    commitments: tuple[str, ...] = ()
    """Agreements that came of it, each with its outcome."""

    @property
    def is_supported(self) -> bool:
        """Whether a memory supported the claim when it was first made."""
        return self.supported == self.step


@dataclass(frozen=True)
class Telling:
    """One conversation in which somebody told a fact, as the listener remembers it."""

    step: int
    time: str
    teller: str
    who: str
    """The listener."""
    words: str
    """The utterance."""
    memory: str
    """Id of the conversation in the memory of the listener."""
    became: str
    """Id of the thought that the listener kept of it and that has the fact; empty if there is none."""
    thought: str
    is_first: bool
    """Whether the listener had not heard of it before."""
    is_supported: bool
    """Whether a memory of the teller supported it."""
    reply: Literal["accepted", "denied", ""]
    """Whether the listener said that it will come or the like, or that it will not or does not believe it."""
    answer: str
    """The next words of the listener."""
    is_private: bool
    """Whether a user took part, as a visitor or for a resident."""


@dataclass(frozen=True)
class News:
    """How a fact spread in a run."""

    run: str
    fact: str
    about: str
    """The persona it is about, if any."""
    people: int
    """All who live or lived there."""
    first: int
    """First step of the run."""
    steps: int
    knowers: tuple[Knower, ...]
    """Those who claim to know it, in order of time."""
    tellings: tuple[Telling, ...]
    """All conversations in which it was told, in order of time."""

    @cached_property
    def supported(self) -> tuple[Knower, ...]:
        """Those whose memories support what they claim, sooner or later."""
        return tuple(each for each in self.knowers if each.supported is not None)

    @cached_property
    def claims(self) -> tuple[Knower, ...]:
        """Those who spoke of it before any memory supported it: what the paper calls hallucinated."""
        return tuple(each for each in self.knowers if not each.is_supported)

    @cached_property
    def parents(self) -> dict[str, str]:
        """Who told each of those who were told, where the teller had known before: the edges of the forest."""
        since = {each.who: each.step for each in self.knowers}
        return {
            each.who: each.teller
            for each in self.knowers
            if each.teller in since and since[each.teller] <= each.step and each.teller != each.who
        }

    def as_json(self) -> dict[str, Json]:
        """Return all of it as JSON, with the edges of the forest as `parents`."""
        values: dict[str, Any] = asdict(self)
        for row, knower in zip(values["knowers"], self.knowers, strict=True):
            row["is_supported"] = knower.is_supported
        return {**values, "parents": dict(self.parents)}


def news_of(run: ComparedRun, fact: NewsTopic) -> News:
    """Return how a fact spread in a run. Raises CorruptFile."""
    spread = {name: _FactMemories(run, name, fact) for name in run.people}
    knowers = [known.knower() for known in spread.values() if known.mentions]
    since = {each.who: each.step for each in knowers}
    tellings = [
        replace(told, is_supported=told.teller not in spread or spread[told.teller].is_supported_in(told.step))
        for known in spread.values()
        for told in known.tellings(since)
    ]
    return News(
        run=run.name, fact=fact.name, about=fact.source, people=len(run.people), first=run.first, steps=run.steps,
        knowers=tuple(sorted(knowers, key=lambda each: (each.step, each.who))),
        tellings=tuple(sorted(tellings, key=lambda each: (each.step, each.who))),
    )  # fmt: skip


class _FactMemories:
    """Memories of one persona in which a fact is."""

    def __init__(self, run: ComparedRun, name: str, fact: NewsTopic) -> None:
        self._run, self.name, self._fact = run, name, fact
        self.mentions = list(mentions(name, run.memories[name], fact))
        """Memories in which it is, each with who speaks of it first."""
        self._hollow = set(self._hollow_ids())

    def _hollow_ids(self) -> Iterator[str]:
        """Yield the ids of memories that support nothing: one's own claims without support, and what rests on them."""
        if self._is_own_news:
            return
        hollow: set[str] = set()
        has_support = False
        for node, teller in self.mentions:
            own_claim = node["type"] == "chat" and teller == self.name and not has_support
            own_claim = own_claim and not self._has_said_before(node)
            sources = evidence(node)
            if own_claim or (sources and hollow.issuperset(sources)):
                hollow.add(node_id(node))
                yield node_id(node)
            else:
                has_support = True

    def _has_said_before(self, claim: NodeData) -> bool:
        """Return whether an earlier memory says about the same as the words of a claim, put otherwise."""
        words = self._sentence(claim, self.name)
        said = [each for each in sentences(words) if self._fact.pattern.search(each)] or [words]
        earlier = (node for node in self._run.memories[self.name] if node["node_count"] < claim["node_count"])
        texts = (text for node in earlier for _, text in utterances(self.name, node))
        return any(are_alike(each, text) for text in texts for each in said)

    @property
    def _is_own_news(self) -> bool:
        """Whether it is about the persona itself, or what it is says so, without any memory."""
        if self.name == self._fact.source:
            return True
        identity = [str(self._run.scratch(self.name).get(part) or "") for part in ("innate", "learned")]
        own = own_sentences(self._run.folder.root, self.name)
        return any(self._fact.pattern.search(text) for text in (*identity, *own))

    @cached_property
    def _support(self) -> int | None:
        steps = (self._run.step_of(node) for node, _ in self.mentions if node_id(node) not in self._hollow)
        return next(steps, None)

    def is_supported_in(self, step: int) -> bool:
        """Return whether a memory supports the fact in a step."""
        return self._support is not None and self._support <= step

    def knower(self) -> Knower:
        """Return how the persona came to know it, or to claim that it does."""
        node, teller = self.mentions[0]
        how, words, partner = self._origin(node, teller)
        step = self._run.step_of(node)
        thought = self._thought_of(node)
        return Knower(
            who=self.name, step=step, time=self._run.time(step), how=how, teller=partner, words=words,
            memory=node_id(node), became=node_id(thought) if thought else "",
            thought=thought["description"] if thought else "",
            at=self._tile(step), supported=self._support, commitments=tuple(self._commitments(node)),
        )  # fmt: skip

    def _tile(self, step: int) -> tuple[int, int] | None:
        record = self._run.frame(max(step, self._run.first)).get(self.name)
        return (int(record["movement"][0]), int(record["movement"][1])) if record else None

    def _origin(self, node: NodeData, teller: str) -> tuple[How, str, str]:
        """Return how a memory came about, its sentence, and who told it."""
        text = str(node["description"])
        if node["type"] == "chat":
            words = self._sentence(node, teller)
            own: How = "own" if node_id(node) not in self._hollow else "claimed"
            return (own, words, "") if teller == self.name else ("told", words, teller)
        if node["type"] == "event":
            return "sight", text, ""
        if row := self._row_behind(node):
            return _kind(row), text, ""
        if sources := evidence(node):
            talks = (self._by_id[each] for each in sources if each in self._by_id)
            partner = next((str(each["object"]) for each in talks if each["type"] == "chat"), "")
            return "concluded", text, partner
        return "own", text, ""

    @cached_property
    def _by_id(self) -> dict[str, NodeData]:
        return {node_id(node): node for node in self._run.memories[self.name]}

    def _row_behind(self, node: NodeData) -> Row | None:
        """Return the intervention that put a thought into the mind, if one did: in its step, and on no other memory."""
        step = self._run.step_of(node)
        rows = (row for row in self._run.rows if row["step"] == step and row["kind"] in FROM_OUTSIDE)
        return next((row for row in rows if not evidence(node) and self.name in _told(row)), None)

    def _sentence(self, node: NodeData, speaker: str) -> str:
        """Return the first words of a speaker that mention the fact."""
        said = (words for one, words in utterances(self.name, node) if one == speaker)
        return next(words for words in said if self._fact.pattern.search(words))

    def _thought_of(self, node: NodeData) -> NodeData | None:
        """Return the thought with the fact that was kept of a talk: it rests on that alone, unlike a reflection."""
        kept = [node_id(node)] if node["type"] == "chat" else None
        later = (each for each, _ in self.mentions if each["type"] == "thought" and evidence(each) == kept)
        return next(later, None)

    def _commitments(self, node: NodeData) -> Iterator[str]:
        for each in reversed(self._run.commitments.get(self.name, ())):
            if each.source == node_id(node) or self._fact.pattern.search(each.what):
                yield f"{each.what} ({each.outcome})"

    def tellings(self, since: Mapping[str, int]) -> Iterator[Telling]:
        """Yield the conversations in which others told it; `since` has the first step in which each knew of it."""
        for node, teller in self.mentions:
            if node["type"] == "chat" and teller != self.name:
                step, words = self._run.step_of(node), self._sentence(node, teller)
                thought, answer = self._thought_of(node), self._answer(node, words)
                yield Telling(
                    step=step, time=self._run.time(step), teller=teller, who=self.name, words=words,
                    memory=node_id(node), became=node_id(thought) if thought else "",
                    thought=thought["description"] if thought else "", is_first=since[self.name] == step,
                    is_supported=False, reply=_reply(self.name, answer), answer=answer,
                    is_private=is_private(node["filling"], self._run.people, self._run.rows),
                )  # fmt: skip

    def _answer(self, node: NodeData, words: str) -> str:
        """Return what the persona says right after some words."""
        lines = utterances(self.name, node)
        after = lines[[said for _, said in lines].index(words) + 1 :]
        return next((said for speaker, said in after if speaker == self.name), "")


def _reply(who: str, words: str) -> Literal["accepted", "denied", ""]:
    yes = talk_pattern("accepts", who, "").search(words)
    no = talk_pattern("declines", who, "").search(words) or talk_pattern("doubts", who, "").search(words)
    return "" if bool(yes) == bool(no) else "accepted" if yes else "denied"


def _kind(row: Row) -> How:
    return next(kind for kind in FROM_OUTSIDE if kind == row["kind"])


def _told(row: Row) -> Collection[str]:
    """Return whom an intervention told something."""
    pairs = row.get("rows")
    return {str(row.get("who") or ""), *(str(pair[0]) for pair in (pairs if isinstance(pairs, list) else ()))}


def is_private(transcript: Sequence[Sequence[str]], people: Collection[str], rows: Sequence[Row]) -> bool:
    """Return whether a user took part in a conversation: as a visitor, or for a resident, as the log says."""
    spoken = [list(line) for line in transcript]
    logged = [[list(line) for line in row.get("lines") or ()][:1] for row in rows if row["kind"] == "talk"]
    return any(speaker not in people for speaker, _ in spoken) or spoken[:1] in [line for line in logged if line]


def untold_news(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a fact spread, as JSON, as those may know it who only watch: without words of users and of what they
    planted.
    """
    private = {(told["who"], told["memory"]) for told in values["tellings"] if told["is_private"]}
    hidden = {"words": "", "thought": "", "answer": "", "commitments": []}

    def shown(entry: dict[str, Any]) -> dict[str, Any]:
        is_hidden = entry.get("how") in FROM_OUTSIDE or (entry["who"], entry["memory"]) in private
        return entry | {key: value for key, value in hidden.items() if key in entry} if is_hidden else entry

    lists = {kind: [shown(entry) for entry in values[kind]] for kind in ("knowers", "tellings")}
    return {**values, **lists}
