"""How much prompts name what is measured, or ask for it: in the words of templates, of personas, and of memories."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice

from ville.analysis.calls.call_text import PromptPart, marked
from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import Recognizer
from ville.analysis.named_news import NEWS_KEYS
from ville.analysis.news_facts import KNOWN
from ville.analysis.run_statistics import IntervalEstimate
from ville.analysis.validity.finding import ValidityFinding, finding, not_said
from ville.analysis.validity.talk_words import word_pattern
from ville.errors import BadArgument
from ville.home import PACKAGE
from ville.json_types import Json
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, SHARED
from ville.llm.gateway import EMBEDDING
from ville.offline.table import load
from ville.persona.cognitive_modules.conversing.converse import NEWS
from ville.plain_text import shortened
from ville.storage.records.memory_files import SCRATCH
from ville.storage.records.people_files import PeopleFiles

RULES = PACKAGE / "offline" / "data"
INSTRUCTIONS = ("", "manner", "parting")
"""Blanks that are filled with words of this project, beside what is no blank."""
CUE = "cue"
"""Blank that the sentence of `pass_on_news` ends; it stands right after what was said, which is no instruction."""
PERSONA = ("identity",)
DESCRIPTION = ("learned", "currently", "lifestyle", "daily_plan_req")
"""Parts of a persona that its prompts have."""
SAYINGS = "sayings/"
"""Folder of what people say by the rules."""
OUTSIDE = "talk/"
"""Questions that users cause: whispers and interviews."""
SPREADING = ("know", "news", "invited", "came", "accepted")
GATHERING = ("density", "pairs", "conversations", "came", "accepted", "introductions")
"""Words of measures of which a prompt may ask for the behaviour."""
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
SHOWN, LONGEST = 8, 110
WHERE = ("instructions", "persona", "memories and the rest")


@dataclass(frozen=True)
class MeasuredOutcome:
    """Something that is measured: the words that name it, and those that ask for it."""

    name: str
    names: Recognizer | None
    asks: tuple[str, ...]
    """Sections of words.yaml."""

    def is_in(self, text: str) -> bool:
        """Return whether a text names it or asks for it."""
        named = self.names is not None and bool(self.names.search(text))
        return named or any(word_pattern(section).search(text) for section in self.asks)


def outcomes_of(measures: Sequence[Json]) -> tuple[MeasuredOutcome, ...]:
    """Return what the measures of a study are about; without any, the news of the paper and its ties."""
    sources = [*measures] or [*(f"know of the {key}" for key in KNOWN), "density at the end", "invited and came"]
    return tuple(_outcome(source) for source in sources)


def _outcome(source: Json) -> MeasuredOutcome:
    if isinstance(source, Mapping):
        words = str(source.get(NEWS_KEYS[0], ""))
        try:
            pattern = re.compile(words, re.IGNORECASE)
        except re.error as fault:
            raise BadArgument(f"'{words}' is not a regular expression ({fault}).") from fault
        return MeasuredOutcome(str(source.get("name") or f"know of {words}"), pattern, ("spreads",))
    text = str(source).strip()
    fact = next((KNOWN[key] for key in KNOWN if key in text), KNOWN["party"] if "came" in text else None)
    asked = (("spreads", SPREADING), ("gathers", GATHERING))
    asks = tuple(section for section, words in asked if any(word in text.split() for word in words))
    return MeasuredOutcome(text, fact.pattern if fact else None, asks)


def outcome_words(runs: Sequence[ComparedRun], outcomes: Sequence[MeasuredOutcome]) -> ValidityFinding:
    """Return the finding on prompts, or, if the rules answered in all runs, on the texts of the rules."""
    asked = [run for run in runs if run.ledger]
    return _of_prompts(asked, outcomes) if asked else _of_rules(outcomes)


def persona_words(runs: Sequence[ComparedRun], outcomes: Sequence[MeasuredOutcome]) -> ValidityFinding:
    """Return the finding on people whose description names what is measured: it is in each of their prompts."""
    told: dict[str, str] = {}
    people = {name for run in runs for name in run.people}
    for run in runs:
        for name in run.people:
            texts = (str(_at_first(run, name).get(part, "")) for part in DESCRIPTION)
            found = next((said for text in texts for _, said in _in_text(text, tuple(outcomes))), "")
            if found:
                told.setdefault(name, found)
    details = [f"{name}: {shortened(said, LONGEST)}" for name, said in sorted(told.items())[:SHOWN]]
    estimate = IntervalEstimate(len(people), len(told) / len(people))
    return finding("outcome in personas", estimate, f"{len(people):,} people", details)


def _at_first(run: ComparedRun, name: str) -> Mapping[str, Json]:
    """Return the state of a person in the base of a run, or, if that is gone, at the last save."""
    base = run.folder.root.with_name(run.lineage[-1])
    people = PeopleFiles(base)
    return people.object_if_whole(f"{people.folder(name)}/{SCRATCH}") or run.scratch(name)


def prompts_of(run: ComparedRun) -> Iterator[tuple[str, str]]:
    """Yield question and first prompt of each answered call of a run with a model. Raises CorruptFile."""
    if run.ledger is None:
        return
    query = "SELECT question, messages FROM calls WHERE question != ? AND outcome IN (?, ?) AND repair = 0 AND step < ?"
    with closing(Ledger.read(run.ledger)) as ledger:
        for question, messages in ledger.connection.execute(query, (EMBEDDING, ANSWERED, SHARED, run.steps)):
            if not question.startswith(OUTSIDE):
                yield question, json.loads(messages)[0]["content"]


def _of_prompts(runs: Sequence[ComparedRun], outcomes: Sequence[MeasuredOutcome]) -> ValidityFinding:
    calls, hits, sentences = 0, Counter[str](), Counter[tuple[str, str, str]]()
    for run in runs:
        wording = str(run.run_file.get("questions") or "paper")
        for question, prompt in prompts_of(run):
            calls += 1
            found = list(_found(marked(prompt, question, wording), outcomes))
            hits.update({where for where, _, _ in found})
            sentences.update({(question, name, said) for where, name, said in found if where == WHERE[0]})
    if not calls:
        return not_said("outcome in prompts", "No call of these runs was answered.")
    shares = ", ".join(f"in {where} {hits[where] / calls:.1%}" for where in WHERE)
    told = (
        f"{question} ({count:,} calls), {name}: {shortened(said, LONGEST)}"
        for (question, name, said), count in sentences.most_common(SHOWN)
    )
    details = [f"of {calls:,} calls, the outcome is named or asked for {shares}", *told]
    return finding("outcome in prompts", IntervalEstimate(calls, hits[WHERE[0]] / calls), f"{calls:,} calls", details)


def _found(parts: Sequence[PromptPart], outcomes: Sequence[MeasuredOutcome]) -> Iterator[tuple[str, str, str]]:
    """Yield where in a prompt an outcome is named or asked for, its name, and the sentence."""
    whole = len(parts) == 1 and not parts[0].blank  # its template has changed: nobody can say which words are of it
    for part in _split(parts):
        where = WHERE[0] if part.blank in INSTRUCTIONS and not whole else WHERE[1 if part.blank in PERSONA else 2]
        for name, sentence in _in_text(part.words, tuple(outcomes)):
            yield where, name, sentence


def _split(parts: Sequence[PromptPart]) -> Iterator[PromptPart]:
    """Yield the parts of a prompt, with the sentence of `pass_on_news` as words of a template."""
    for part in parts:
        if part.blank == CUE and NEWS in part.words:
            yield PromptPart(NEWS)
            yield PromptPart(part.words.replace(NEWS, ""), CUE)
        else:
            yield part


@cache
def _in_text(text: str, outcomes: tuple[MeasuredOutcome, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (outcome.name, sentence.strip())
        for outcome in outcomes
        if outcome.is_in(text)
        for sentence in SENTENCE_END.split(text)
        if outcome.is_in(sentence)
    )


def _of_rules(outcomes: Sequence[MeasuredOutcome]) -> ValidityFinding:
    """Return the finding on the texts from which the rules answer."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted(path.relative_to(RULES).as_posix() for path in RULES.rglob("*.yaml")):
        for text in _texts(file):
            if names := [outcome.name for outcome in outcomes if outcome.is_in(text)]:
                found[file, text] = names
    details = [f"{file}: {count}" for file, count in Counter(file for file, _ in found).most_common(SHOWN)]
    said = ((file, text, names) for (file, text), names in found.items() if file.startswith(SAYINGS))
    details += [f"{file} ({', '.join(names)}): {shortened(text, LONGEST)}" for file, text, names in islice(said, SHOWN)]
    return finding("outcome in rules", IntervalEstimate(1, len(found)), "", details)


@cache
def _texts(file: str) -> tuple[str, ...]:
    """Return the texts in a file of the rules, also those in lists and below keys."""
    return tuple(_leaves(load(file)))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for below in value.values():
            yield from _leaves(below)
    elif isinstance(value, list):
        for below in value:
            yield from _leaves(below)
    elif isinstance(value, str):
        yield value
