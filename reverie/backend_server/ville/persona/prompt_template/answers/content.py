"""Content of answers: whether a text is one that a person of the town could have said or thought.

Conservative, because people may talk about anything, about language models, too.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from ville.llm.language import language_name, may_be_english
from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.no_words import (
    OWN_SENTENCES,
    WRITTEN,
    has_word,
    is_around_an_answer,
    is_filled_line,
)
from ville.persona.prompt_template.answers.scripts import is_foreign, latin_language, scripts_of, slips_in
from ville.plain_text import shortened

AnswerT = TypeVar("AnswerT", bound=Answer)
Judge = Callable[[str, str], str]
"""Returns what is kept of a text, given the name of its field, or raises ValueError, worded for the model."""
LONG = 30
"""Letters of a text that is more than a name."""
QUOTED = 60
"""Characters of a text in a complaint about it."""
HINT, PHRASE, RUN = 2, 4, 8
"""Words of an answer that is a hint of the schema, or a part of the template, as a whole; and that have one within."""
"""Names of the language in which the texts of a town are written anyway."""
TYPES = {"string", "text", "str", "placeholder", "undefined"}
ENDS = (".", "!", "?", "…", '"', "”")
TOKEN = 8
"""Characters of a long token."""
SENTENCE, CLAUSE = re.compile(r"[.!?…](?=\s)"), re.compile(r"[,;](?=\s)")
LINKS = r"(?: (?:and|at|for|from|in|of|on|or|to|with))+\b"
OPEN_END = re.compile(rf"{LINKS}(?!.*{LINKS}).*$")
"""Last part of words that broke off."""
SENTENCES = re.compile(r"(?<=[.!?…])\s+")
"""Between sentences."""
PLACES = re.compile(
    r"<[^<>\W]+(?:\s[^<>]*)+>|<[a-z_]{3,}>|^\W*<[^<>]+>\W*$"
    r"|\[(?:insert|your|name|place|time|day|hour|activity|other|one|an?)\b[^\]]*\]|^\[[^\]]*\]$"
    r"|\{[a-z_ ]{3,}\}|^\{[^{}]*\}$|\$[a-z_]{3,}",
    re.IGNORECASE,
)
"""Places to fill in: `<one sentence>`, `[insert name]`, `{name}`, `$name`."""
MODEL = (
    r"(?:(?:large |an? )*(?:AI|artificial intelligence)(?: (?:language model|model|assistant|chatbot|system))?"
    r"|(?:large )?language model|LLM|chatbot|virtual assistant)"
)
MODEL_IN_RUSSIAN = r"(?:большая )?(?:языковая модель|искусственный интеллект|ИИ)"
START = r"(?:^|(?<=[.!?…]\s))"
"""Beginning of a sentence."""
PREFACE = r"(?:(?:I['’]m |I am )?sorry,? (?:but )?|well, |but )?"
ABOUT_ITSELF = tuple(
    re.compile(START + pattern, re.IGNORECASE)
    for pattern in (
        rf"{PREFACE}as an? {MODEL}(?:,? (?:I\b|I['’]|my\b|it is not\b|there\b)|[.!,]?$)",
        (
            rf"{PREFACE}I(?:['’]m| am) (?:just |only |actually |merely )?an? {MODEL}"
            r"(?= (?:and|so|but|that|trained|developed|created)\b|[,.;!]|$)"
        ),
        rf"Как {MODEL_IN_RUSSIAN},? (?:я|мне|меня)\b",
        rf"Я (?:—|-|–|всего лишь|просто|лишь)? ?{MODEL_IN_RUSSIAN}(?=[,.;!]|$| и)",
        r"(?:Als (?:KI|Sprachmodell)|En tant qu(?:e modèle de langage|['’]IA)|Como (?:un )?modelo de lenguaje)\b",
    )
)
"""Sentences in which whoever speaks is a language model; a quotation within a sentence is not."""


@dataclass(frozen=True)
class Ground:
    """Knowledge of a question by which texts of its answer are judged."""

    name: str
    """Of the persona; empty if there is none."""
    wording: tuple[str, ...]
    """Parts of the template between its blanks."""
    hints: tuple[str, ...]
    """Descriptions of what is asked for."""
    told: tuple[str, ...]
    """Texts that were filled in."""
    places: tuple[str, ...] = ()
    """Names of places to choose from."""
    heard: tuple[str, ...] = ()
    """Words that are answered, which may be in any language."""
    scripts: tuple[str, ...] = ()
    """Scripts of the language of the town; those of the texts that were filled in, if it is not known."""
    language: str = ""
    """Language that the town was given, as `ru` or `Russian`."""
    templates: tuple[str, ...] = ()
    """Templates, with their blanks."""

    @cached_property
    def allowed(self) -> set[str]:
        return {*(self.scripts or scripts_of(self.told, LONG)), *scripts_of(self.heard)}

    @cached_property
    def names(self) -> set[str]:
        """Words with a capital in the texts that were filled in."""
        return {
            word for text in (*self.told, *self.places) for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper()
        }

    @cached_property
    def own_language(self) -> str:
        """Language of the texts that were filled in, by its words; empty if it is not sure, or the town has another."""
        return latin_language(" ".join(self.told)) if may_be_english(self.language) else ""

    def judge(self, text: str, field: str) -> str:
        """Return a text, without sentences that slip into another script. Raise ValueError, worded for the model, if
        it is no answer.
        """
        quoted = shortened(text, QUOTED)
        written = bool(text) and field in WRITTEN
        if written and not has_word(text):
            raise ValueError(f"{quoted!r} has no word; say it in words")
        if written and is_around_an_answer(text):
            raise ValueError(f"{quoted!r} is not what a person says or thinks; write only that")
        if _repeats(text, self, field) or (written and is_filled_line(text, self.templates)):
            raise ValueError(f"{quoted!r} repeats the question; write an answer to it in words of your own")
        if self._is_a_model(text):
            who = self.name or "a person of the town"
            raise ValueError(f"{quoted!r} is not what a person says or thinks; answer as {who}")
        copied = any(text in told for told in self.told)
        kept = text if copied else self._in_own_letters(text)
        if not copied and (self._is_foreign(text) or (text and not kept)):
            tongue = language_name(self.language or self.own_language) or "that language"
            raise ValueError(f"{quoted!r} is not in the language of the town; write it in {tongue}")
        return kept

    def _in_own_letters(self, text: str) -> str:
        """Return the sentences of a text without letters of Asian scripts that nothing in the question has, into which
        some models slip; of a single one, what stands before them.
        """
        slips = slips_in(text)
        if not self.allowed or not slips or not slips.isdisjoint(self.allowed) or self._has_been_told(text):
            return text
        whole = " ".join(sentence for sentence in SENTENCES.split(text) if not slips_in(sentence))
        begun = next((text[:place] for place, letter in enumerate(text) if slips_in(letter)), "")
        return whole or without_open_end(begun.rpartition(" ")[0])

    def _has_been_told(self, text: str) -> bool:
        """Return whether the other letters of a text are those of names or words in the question."""
        words = re.findall(r"[^\W\d_]+", text)
        known = {word for each in (*self.told, *self.places, *self.heard) for word in re.findall(r"[^\W\d_]+", each)}
        return all(word in known for word in words if slips_in(word))

    def _is_foreign(self, text: str) -> bool:
        """Return whether a text is in other letters than those of the town, or in another language with the same."""
        if self.allowed and is_foreign(text, self.allowed, self.names):
            return True
        own = {self.own_language, *map(latin_language, self.heard)}
        return bool(self.own_language) and latin_language(text) not in {"", *own}

    def _is_a_model(self, text: str) -> bool:
        """Return whether whoever speaks, or the persona by its name, is a language model according to a text."""
        if any(pattern.search(text) for pattern in ABOUT_ITSELF):
            return True
        who = rf"(?:{re.escape(self.name)}|{re.escape(self.name.partition(' ')[0])})"
        says_so = rf"\b{who} is (?:just |only )?an? {MODEL}(?=[,.;!]|$| (?:and|that|trained)\b)"
        return bool(self.name and re.search(says_so, text, re.IGNORECASE))


def judged(answer: AnswerT, judge: Judge, *, last: bool, chosen: Collection[str] = ()) -> AnswerT:
    """Return an answer of which every text has been judged, but the `chosen` fields.

    On the last attempt, optional fields and items of lists that do not pass are left out. Raise ValueError, worded for
    the model.
    """
    changed: dict[str, object] = {}
    for name, field in type(answer).model_fields.items():
        value = getattr(answer, name)
        if name in chosen:
            continue
        try:
            passed = _judged(value, name, judge, last=last, chosen=chosen)
        except ValueError as fault:
            if not last or field.is_required():
                raise ValueError(f"{field.alias or name}: {fault}") from fault
            passed = field.get_default(call_default_factory=True)
        if passed is not value:
            changed[name] = passed
    return answer.model_copy(update=changed) if changed else answer


def _judged(value: object, name: str, judge: Judge, *, last: bool, chosen: Collection[str]) -> object:
    if isinstance(value, str):
        return whole_part(judge(value, name), caps.CONCISE.get(name, 0))
    if isinstance(value, Answer):
        return judged(value, judge, last=last, chosen=chosen)
    return _judged_items(value, name, judge, last=last, chosen=chosen) if isinstance(value, list) else value


def _judged_items(
    items: Sequence[object], name: str, judge: Judge, *, last: bool, chosen: Collection[str]
) -> Sequence[object]:
    """Return the items that pass. Raise ValueError for the first that does not, or on the last attempt if none does."""
    passed, faults = [], []
    for item in items:
        try:
            passed.append(_judged(item, name, judge, last=last, chosen=chosen))
        except ValueError as fault:
            faults.append(fault)
    if faults and not (last and passed):
        raise faults[0]
    unchanged = len(passed) == len(items) and all(one is other for one, other in zip(passed, items, strict=True))
    return items if unchanged else passed


def is_cut(text: str, most: int) -> bool:
    """Return whether a text ran into its most characters; a grammar may end it a token before."""
    return most - TOKEN < len(text) <= most and not text.endswith(ENDS)


def whole_part(text: str, most: int) -> str:
    """Return a text; one that ran into its most characters, up to its last whole sentence or part of one."""
    if not is_cut(text, most):
        return text
    if sentences := list(SENTENCE.finditer(text)):
        return text[: sentences[-1].end()]
    clauses = list(CLAUSE.finditer(text))
    return f"{text[: clauses[-1].start()].rstrip(' ,;')}." if clauses else text


def without_open_end(words: str) -> str:
    """Return words that broke off without their last part: `plays for three hours a day` of `… a day at the very`."""
    whole = OPEN_END.sub("", words)
    return whole if len(whole) > len(words) // 2 else words


def _repeats(text: str, ground: Ground, field: str) -> bool:
    """Return whether a text is a place to fill in, a name or a hint of the schema, or words of the template."""
    words = _words(text)
    if PLACES.search(text) or text.strip(" .<>[]").casefold() in {*TYPES, field}:
        return True
    if len(words) < HINT:
        return False
    if any(words == _words(clause) for hint in ground.hints for clause in (hint, *re.split(r"[,;:]", hint))):
        return True
    parts = [_words(part) for part in (*ground.wording, *ground.hints, *OWN_SENTENCES)]
    least = len(words) if PHRASE <= len(words) < RUN else RUN
    return any(not runs.isdisjoint(_runs(words, least)) for runs in (_runs(part, least) for part in parts))


@lru_cache(maxsize=1000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))


@lru_cache(maxsize=1000)
def _runs(words: tuple[str, ...], length: int) -> frozenset[tuple[str, ...]]:
    return frozenset(words[start : start + length] for start in range(len(words) - length + 1))


def hints_in(schema: object) -> Iterable[str]:
    """Yield the descriptions in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield from [value] if key == "description" and isinstance(value, str) else hints_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from hints_in(value)
