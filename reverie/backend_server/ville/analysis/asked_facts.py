"""The paper's way to know who knows: everyone is asked, and answers are checked against memories (section 7.1.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.known_names import is_named
from ville.analysis.measures import NewsTopic, NodeData, node_id
from ville.analysis.meetings import talk_pattern
from ville.analysis.paper_measures import CANDIDACY, PARTY
from ville.json_types import Json

QUESTIONS = {
    "party": (PARTY, "Did you know there is a Valentine's Day party?"),
    "candidacy": (CANDIDACY, "Do you know who is running for mayor?"),
}
"""Facts of the paper, as it asked for them."""
OF_PERSON = "Do you know of {name}?"


@dataclass(frozen=True)
class FactQuestion:
    """A question to one persona."""

    who: str
    about: str
    """Key of a fact in QUESTIONS, or the name of another persona."""
    text: str


@dataclass(frozen=True)
class AskedFact:
    """Answer of a persona, and whether its memories support it."""

    who: str
    about: str
    answer: str
    says_yes: bool
    memory: str
    """Id of the first memory that supports that it knows, also one of what it only saw; empty if there is none."""

    @property
    def is_known(self) -> bool:
        return self.says_yes and bool(self.memory)

    @property
    def is_hallucinated(self) -> bool:
        """Whether it claims to know what no memory supports."""
        return self.says_yes and not self.memory

    @property
    def is_denied(self) -> bool:
        """Whether it does not say what a memory has."""
        return not self.says_yes and bool(self.memory)


@dataclass(frozen=True)
class AskedFacts:
    """All answers of a run."""

    run: str
    people: tuple[str, ...]
    answers: tuple[AskedFact, ...]

    def about(self, key: str) -> list[AskedFact]:
        """Return the answers about a fact."""
        return [each for each in self.answers if each.about == key]

    @property
    def of_people(self) -> list[AskedFact]:
        return [each for each in self.answers if each.about not in QUESTIONS]

    @property
    def density(self) -> float | None:
        """Share of pairs of which each knows of the other; None if nobody was asked about the others."""
        known = {(each.who, each.about) for each in self.of_people if each.is_known}
        pairs = list(combinations(self.people, 2))
        if not self.of_people or not pairs:
            return None
        return sum((one, other) in known and (other, one) in known for one, other in pairs) / len(pairs)

    def as_json(self) -> dict[str, Json]:
        return {**asdict(self), "density": self.density}


def questions_for(people: Sequence[str]) -> list[FactQuestion]:
    """Return what everyone is asked: each fact of the paper, and each other persona."""
    of_facts = (FactQuestion(who, key, text) for who in people for key, (_, text) in QUESTIONS.items())
    of_people = (FactQuestion(who, name, OF_PERSON.format(name=name)) for who, name in permutations(people, 2))
    return [*of_facts, *of_people]


def checked_answer(run: ComparedRun, asked: FactQuestion, answer: str) -> AskedFact:
    """Return an answer, checked against the memories of who gave it. Raises CorruptFile."""
    topic = QUESTIONS[asked.about][0] if asked.about in QUESTIONS else None
    says_yes = _says_yes(asked.who, answer, topic)
    support = next(_supporting(run, asked, topic), None)
    return AskedFact(asked.who, asked.about, answer, says_yes, node_id(support) if support else "")


def _says_yes(who: str, answer: str, topic: NewsTopic | None) -> bool:
    if not answer or talk_pattern("denies", who, "").search(answer):
        return False
    if topic is None:
        return True
    told = f"{who}: {answer}" if who == topic.source else answer  # who it is about says "I", not its name
    return bool(topic.pattern.search(told) or talk_pattern("confirms", who, "").search(answer))


def _supporting(run: ComparedRun, asked: FactQuestion, topic: NewsTopic | None) -> Iterator[NodeData]:
    """Yield the memories that support that a persona knows; seeing is enough, as in the paper."""
    for node in run.memories[asked.who]:
        text = f"{node['description']} {node['filling'] if node['type'] == 'chat' else ''} {node.get('object', '')}"
        if is_named(asked.about, text) if topic is None else topic.pattern.search(text):
            yield node
